"""Test tables on a terminal: none is wider than it, and no number and no row is split."""

import io

import pytest
from rich.cells import cell_len
from rich.console import Console

from poolhouse.command_line.tables import MOST_ROWS, WIDTH_OF_A_PIPE, Row, print_table


def shown(
    columns: list[str], rows: list[Row], title: str = "", *, width: int = 80, is_piped: bool = False
) -> list[str]:
    """Return the lines of a table, none of which is wider than the terminal or two pipes."""
    lines = printed(columns, rows, title, width=width, is_piped=is_piped)
    assert max(map(cell_len, lines)) <= (2 * WIDTH_OF_A_PIPE if is_piped else width)
    return lines


def printed(
    columns: list[str], rows: list[Row], title: str = "", *, width: int = 80, is_piped: bool = True
) -> list[str]:
    """Print a table on a terminal of the given width, without colours; return its lines."""
    file = io.StringIO()
    console = Console(
        file=file, width=width, force_terminal=not is_piped, color_system=None, highlight=False
    )
    print_table(console, columns, rows, title)
    return [line.rstrip() for line in file.getvalue().splitlines()]


def test_what_fits_is_in_boxes() -> None:
    lines = shown(["run_id", "score"], [("a", 0.25), ("b", 0.5)], "AP of a")
    assert lines[0] == "AP of a"
    assert lines[1].startswith("┏")
    assert "│ a      │ 0.2500 │" in lines


def test_names_of_columns_are_wrapped_before_values() -> None:
    columns = ["run_id", "share_judged_outside_pool", "share_relevant_outside_pool"]
    rows: list[Row] = [("a", 0.25, 0.5), ("b", 0.5, 0.25)]
    *header, _, first, second = shown(columns, rows, width=40)
    assert [line.split() for line in header] == [
        ["share_judged_", "share_relevant_"],
        ["run_id", "outside_pool", "outside_pool"],
    ]
    assert first.split() == ["a", "0.2500", "0.5000"]
    assert second.split() == ["b", "0.5000", "0.2500"]


def test_a_number_is_never_folded() -> None:
    columns = [f"figure_{number}" for number in range(9)]
    numbers = [float(f"1234567.{number}") for number in range(9)]
    rows: list[Row] = [tuple(numbers), tuple(number + 1 for number in numbers)]
    text = "\n".join(shown(columns, rows))
    for number in numbers:
        assert f"{number:.4f}" in text


def test_a_long_text_has_the_room_that_others_leave() -> None:
    reasons = "the pool is shallow " * 20
    lines = shown(["run", "reasons", "n"], [("a", reasons, 1), ("b", reasons, 2)])
    assert max(map(len, lines)) > 70
    assert " ".join(" ".join(lines).split()).count("the pool is shallow") >= 20


def test_what_every_row_has_is_said_once() -> None:
    columns = ["collection", "run", "title", "measure", *(f"a_longer_name_{n}" for n in range(6))]
    rows: list[Row] = [
        ("trec", run, None, "P@10", *(float(place) for _ in range(6)))
        for place, run in enumerate("abc")
    ]
    lines = shown(columns, rows)
    assert lines[0] == "in every row: collection trec, title empty, measure P@10"
    assert not any("trec" in line for line in lines[1:])


def test_of_many_rows_the_columns_that_do_not_fit_are_named() -> None:
    columns = ["run", *(f"measurement_number_{n:02}" for n in range(20))]
    rows: list[Row] = [(f"run{row}", *(row / 7 + n for n in range(20))) for row in range(60)]
    lines = shown(columns, rows)
    assert sum(line.startswith("run") for line in lines) == 61
    assert "not shown: measurement_number_" in " ".join(lines)
    assert "measurement_number_19; to see all: --output FILE" in " ".join(lines)


def test_the_only_row_is_a_field_a_line() -> None:
    lines = shown([f"a_longer_name_{n}" for n in range(9)], [tuple(range(9))])
    assert [line.split() for line in lines] == [[f"a_longer_name_{n}", str(n)] for n in range(9)]


def test_a_long_result_is_cut_on_a_terminal_alone() -> None:
    rows: list[Row] = [(number,) for number in range(MOST_ROWS + 20)]
    lines = shown(["n"], rows)
    assert str(MOST_ROWS) not in [line.strip("│ ") for line in lines]
    assert lines[-1].startswith(f"{MOST_ROWS} of {MOST_ROWS + 20} rows; to see all: --output FILE")
    piped = shown(["n"], rows, is_piped=True)
    assert str(MOST_ROWS + 19) in [line.strip("│ ") for line in piped]
    assert "rows;" not in piped[-1]


def test_names_are_wrapped_in_a_list_that_is_wide() -> None:
    columns = ["run", *(f"measurement_number_{n:02}" for n in range(14))]
    rows: list[Row] = [(run, *(place / 7 for place in range(14))) for run in "abc"]
    lines = printed(columns, rows, "a title")
    assert lines[0] == "a title"
    assert lines[1].split() == ["measurement_"] * 14
    assert lines[2].split() == ["run", *(f"number_{n:02}" for n in range(14))]
    assert [line.split() for line in lines[-3:]] == [
        [run, *(f"{place / 7:.4f}" for place in range(14))] for run in "abc"
    ]


def test_a_pipe_gets_records_of_what_does_not_fit_on_a_line() -> None:
    columns = ["run", "reasons", *(f"measurement_number_{n:02}" for n in range(20))]
    rows: list[Row] = [(run, "the pool is shallow " * 20, *range(20)) for run in "abc"]
    lines = shown(columns, rows, is_piped=True)
    assert [line.split()[:3] for line in lines if "─" in line] == [
        [str(number), "of", "3"] for number in (1, 2, 3)
    ]
    for number in range(20):
        assert [f"measurement_number_{number:02}", str(number)] in [line.split() for line in lines]
    assert " ".join(" ".join(lines).split()).count("the pool is shallow") == 60


def test_a_list_in_a_pipe_keeps_each_row_on_one_line() -> None:
    columns = ["run", *(f"number_{n:02}" for n in range(14)), "text"]
    rows: list[Row] = [(run, *range(14), "of the run " * n) for n, run in enumerate("abc", 1)]
    lines = printed(columns, rows)
    assert len(lines) == 2 + len(rows)
    assert lines[0].split() == columns
    assert [line.split() for line in lines[2:]] == [" ".join(map(str, row)).split() for row in rows]


def test_an_outlier_at_the_end_of_a_row_makes_no_other_row_longer() -> None:
    rows: list[Row] = [("a", "x" * 1000), ("b", "short")]
    lines = printed(["page", "title"], rows)
    assert [line.split() for line in lines[2:]] == [list(row) for row in rows]
    assert len(lines[3]) < WIDTH_OF_A_PIPE


def test_a_pipe_is_told_of_no_rows_in_a_wide_table() -> None:
    columns = [f"measurement_number_{n:02}" for n in range(20)]
    lines = shown(columns, [], is_piped=True)
    assert " ".join(lines) == f"{', '.join(columns)} no rows"


@pytest.mark.parametrize("width", [20, 40, 80])
@pytest.mark.parametrize(
    "rows",
    [
        [],
        [("x" * 300, 1.5)],
        [("x" * 300, 1.5), ("y" * 300, 2.5)],
        [("\u65e5\u672c" * 30, 10**30), ("a\nb", 2)],
    ],
)
def test_whatever_comes_fits(rows: list[Row], width: int) -> None:
    shown(["a_very_long_name_of_a_column", "x" * 50], rows, width=width)
    shown(["x" * 150, "a_very_long_name_of_a_column"], rows, is_piped=True)
