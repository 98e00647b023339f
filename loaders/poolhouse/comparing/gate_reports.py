"""What a gate says: in a line per measure, as Markdown for a pull request, and for programs."""

from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree as ET

from poolhouse.comparing.gating import Gate, Verdict
from poolhouse.comparing.requests import GateRequest
from poolhouse.output.cells import as_text
from poolhouse.output.markdown import in_markdown, markdown
from poolhouse.output.printable import one_line, printable
from poolhouse.scoring.asked_runs import names_of

_Row = dict[str, Any]
# Of a test case of JUnit. What cannot be told has not failed, and has not passed either.
_OUTCOMES = {Verdict.FAILED: "failure", Verdict.CANNOT_BE_TOLD: "skipped"}


def lines_of(gate: Gate) -> Iterator[str]:
    """Say in a line per measure what the gate says, and why."""
    for row in gate.rows.iter_rows(named=True):
        yield f"{row['measure']}: {row['verdict']}, {row['reason']}"


def as_object(request: GateRequest, gate: Gate, to_settle: str | None) -> dict[str, object]:
    """Return what a program reads as JSON. `to_settle` is the command that lists what to judge."""
    run, baseline = names_of([request.run, request.baseline])
    return {
        "verdict": gate.verdict,
        "exit_status": gate.exit_status,
        "collection": request.collection,
        "run": run,
        "baseline": baseline,
        "min_gain": request.min_gain,
        "max_loss": request.max_loss,
        "to_settle": to_settle,
        "measures": gate.rows.drop("collection_id", "run_id", "other_run_id").to_dicts(),
        "remarks": gate.remarks,
    }


def junit(request: GateRequest, gate: Gate) -> str:
    """Return a report in JUnit's XML: a test case per measure."""
    run, baseline = map(printable, names_of([request.run, request.baseline]))
    verdicts = gate.rows["verdict"].to_list()
    counts = {each: str(verdicts.count(each)) for each in Verdict}
    suite = ET.Element(
        "testsuite",
        name=f"{run} against {baseline}",
        tests=str(len(verdicts)),
        failures=counts[Verdict.FAILED],
        errors="0",
        skipped=counts[Verdict.CANNOT_BE_TOLD],
    )
    for row in gate.rows.iter_rows(named=True):
        case = ET.SubElement(
            suite,
            "testcase",
            classname=printable(request.collection),
            name=row["measure"],
            time="0",
        )
        if outcome := _OUTCOMES.get(row["verdict"]):
            ET.SubElement(case, outcome, message=one_line(f"{row['verdict']}, {row['reason']}"))
    whole = ET.Element("testsuites")
    whole.append(suite)
    ET.indent(whole)
    return ET.tostring(whole, encoding="unicode", xml_declaration=False) + "\n"


def as_markdown(request: GateRequest, gate: Gate, to_settle: str | None) -> str:
    """Return a comment on a pull request: a table, the reasons, and the command that settles it."""
    run, baseline = names_of([request.run, request.baseline])
    title = f"{run} against {baseline} on {request.collection}: {gate.verdict}"
    columns = ("measure", "verdict", run, baseline, "difference", "interval", "counted")
    rows = [_cells(row) for row in gate.rows.iter_rows(named=True)]
    said = [f"- {in_markdown(one_line(line))}" for line in lines_of(gate)]
    settled = [] if to_settle is None else ["", f"To settle it: {in_markdown(one_line(to_settle))}"]
    return "\n".join([markdown([(title, columns, rows)]), *said, *settled, ""])


def _cells(row: _Row) -> tuple[object, ...]:
    interval = None if row["low"] is None else f"{as_text(row['low'])} to {as_text(row['high'])}"
    return (
        row["measure"],
        row["verdict"],
        row["mean_score"],
        row["other_mean_score"],
        row["difference"],
        interval and f"{interval} ({100 * row['confidence']:.4g} %)",
        "if every document were judged" if row["is_estimated"] else "as judged",
    )
