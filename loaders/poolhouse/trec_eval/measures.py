"""The measures of trec_eval on judgements: names, nicknames, order and default parameters.

Source: `measures.c`, and the file `m_*.c` of each measure, of trec_eval 9.0.8 and 10.0.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeVar

from poolhouse.errors import PoolhouseError
from poolhouse.option_values import OFFICIAL

RUNID, NUM_Q, RELSTRING = "runid", "num_q", "relstring"

_N = TypeVar("_N", int, Decimal)
_NUMBER = re.compile(r"[+-]?([0-9]{1,9}[.]?[0-9]{0,18}|[.][0-9]{1,18})(e[+-]?[0-9])?")
_CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)


@dataclass(frozen=True)
class Printed:
    """A value that trec_eval prints.

    `name` is trec_eval's name, or else the measure's own. `measure` is the measure in Poolhouse's
    notation, which runid, num_q and relstring do not have. `length` is the length of relstring.
    `parts` are the measures whose mean the value is, where no measure of Poolhouse is this mean.
    """

    name: str
    measure: str = ""
    length: int = 0
    is_of_trec_eval: bool = True
    parts: tuple[str, ...] = ()

    @classmethod
    def of(cls, measure: str, trec_eval_name: str | None) -> "Printed":
        """Return the value of a measure that is named by its notation.

        `P_10 with -l 2` is an option, and not a name.
        """
        if trec_eval_name and " " not in trec_eval_name:
            return cls(trec_eval_name, measure)
        return cls(measure, measure, is_of_trec_eval=False)


@dataclass(frozen=True)
class _Measure:
    """A measure of trec_eval, and the values that it prints for the parameters after its dot."""

    name: str
    values: Callable[[str, str], list[Printed]]
    """The values for a name and a text of parameters, which is empty for the defaults. Raise
    ValueError where the text is not possible."""


def _plain(name: str, notation: str = "") -> _Measure:
    def values(name: str, text: str) -> list[Printed]:
        if text:
            raise ValueError(text)
        return [Printed(name, notation)]

    return _Measure(name, values)


def _at_ranks(name: str, notation: str, defaults: Sequence[int] = _CUTOFFS) -> _Measure:
    def values(name: str, text: str) -> list[Printed]:
        ranks = sorted(_distinct(map(_whole, text.split(",")))) if text else defaults
        return [Printed(f"{name}_{rank}", f"{notation}@{rank}") for rank in ranks]

    return _Measure(name, values)


def _at_shares(name: str, notation: str, tenths: Sequence[int]) -> _Measure:
    defaults = [Decimal(tenth) / 10 for tenth in tenths]

    def values(name: str, text: str) -> list[Printed]:
        shares = sorted(_distinct(map(_number, text.split(",")))) if text else defaults
        return [Printed(f"{name}_{share:3.2f}", f"{notation}@{share:f}") for share in shares]

    return _Measure(name, values)


def _mean_at_shares(name: str, notation: str, at_share: str) -> _Measure:
    """Make a measure that is a mean over shares, whose printed name repeats their text.

    `notation` is the measure for the default shares, and `at_share` for one share.
    """

    def values(name: str, text: str) -> list[Printed]:
        if not text:
            return [Printed(name, notation)]
        shares = sorted(_distinct(map(_number, text.split(","))))
        if shares[0].is_signed() or shares[-1] > 1:
            raise ValueError(text)
        parts = tuple(f"{at_share}@{share:f}" for share in shares)
        return [Printed(f"{name}_{text}", f"mean of {', '.join(parts)}", parts=parts)]

    return _Measure(name, values)


def _with_text(
    name: str, notation: str, written: Callable[[str], str], default: str = ""
) -> _Measure:
    """Make a measure whose printed name repeats the text of its parameters.

    `written` gives the parameters in Poolhouse's notation.
    """

    def values(name: str, text: str) -> list[Printed]:
        parameters = written(text) if text else default
        measure = f"{notation}({parameters})" if parameters else notation
        return [Printed(f"{name}_{text}" if text else name, measure)]

    return _Measure(name, values)


def _with_gains(name: str, notation: str) -> _Measure:
    return _with_text(name, notation, _gains)


def _gains(text: str) -> str:
    levels, gains = zip(*(pair.split("=") for pair in text.split(",")), strict=True)
    pairs = zip(_distinct(map(_whole, levels)), map(_number, gains), strict=True)
    return f"gains={{{','.join(f'{level}:{gain:f}' for level, gain in pairs)}}}"


def _persistence(text: str) -> str:
    name, persistence = text.split("=")
    if name != "p":
        raise ValueError(text)
    return f"p={_number(persistence):f}"


def _coefficients(text: str) -> str:
    numbers = map(_number, text.split(","))
    pairs = zip(("p1", "p2", "p3", "p4"), numbers, strict=True)
    return ",".join(f"{name}={number:f}" for name, number in pairs)


def _relstring(name: str, text: str) -> list[Printed]:
    length = _whole(text) if text else 10
    if length == 0:
        raise ValueError(text)
    return [Printed(f"{name}_{text}" if text else name, length=length)]


def _whole(text: str) -> int:
    if not re.fullmatch("[0-9]{1,9}", text):
        raise ValueError(text)
    return int(text)


def _number(text: str) -> Decimal:
    """Read a number with all of its digits; a float would be written with other ones."""
    if not _NUMBER.fullmatch(text):
        raise ValueError(text)
    return Decimal(text)


def _distinct(numbers: Iterable[_N]) -> list[_N]:
    found = list(numbers)
    if len(set(found)) < len(found):
        raise ValueError(found)
    return found


# In the order in which trec_eval prints them.
_MEASURES = (
    _plain(RUNID),
    _plain(NUM_Q),
    _plain("num_ret", "NumRet"),
    _plain("num_rel", "NumRel"),
    _plain("num_rel_ret", "NumRelRet"),
    _plain("map", "AP"),
    _plain("gm_map", "GMAP"),
    _plain("Rprec", "Rprec"),
    _plain("bpref", "Bpref"),
    _plain("recip_rank", "RR"),
    _at_shares("iprec_at_recall", "IPrec", range(11)),
    _at_ranks("P", "P"),
    _Measure(RELSTRING, _relstring),
    _at_ranks("recall", "R"),
    _plain("infAP", "infAP"),
    _plain("gm_bpref", "GMBpref"),
    _at_shares("Rprec_mult", "RprecMult", range(2, 21, 2)),
    _with_text("utility", "Utility", _coefficients),
    _mean_at_shares("11pt_avg", "IPrecAvg", "IPrec"),
    _plain("binG", "BinG"),
    _with_gains("G", "G"),
    _with_gains("dcg", "DCG"),
    _with_gains("ideal_dcg", "IdealDCG"),
    _with_gains("ndcg", "nDCG"),
    _with_gains("ndcg_rel", "nDCGRel"),
    _with_gains("Rndcg", "RnDCG"),
    _at_ranks("ndcg_cut", "nDCG"),
    _at_ranks("map_cut", "AP"),
    _at_ranks("relative_P", "RelP"),
    _at_ranks("success", "Success", (1, 5, 10)),
    _plain("set_P", "SetP"),
    _plain("set_relative_P", "SetP(relative=true)"),
    _plain("set_recall", "SetR"),
    _plain("set_map", "SetAP"),
    _with_text("set_F", "SetF", lambda text: f"beta={_number(text):f}"),
    _plain("num_nonrel_judged_ret", "NumNonRelRet"),
    _plain("yaap", "YAAP"),
    _with_text("rbp", "GradedRBP", _persistence),
    _with_text("rbp_resid", "RBPResidual", _persistence, "p=0.9"),
    _at_ranks("unj", "Unj", (5, 10, 20)),
)
_BY_NAME = {each.name: each for each in _MEASURES}
_FIRST_WITH = {"unj": 10, "rbp": 10, "rbp_resid": 10}
_NICKNAMES = {
    OFFICIAL: list(_BY_NAME)[:12],
    "set": [
        *(RUNID, NUM_Q, "num_ret", "num_rel", "num_rel_ret", "utility"),
        *("set_P", "set_recall", "set_relative_P", "set_map", "set_F"),
    ],
    "all_trec": [name for name in _BY_NAME if name not in {"dcg", "ideal_dcg", "yaap"}],
}
_WITHOUT_QRELS = re.compile(r"(all_)?prefs(_.*)?|qrels_jg|.*_avgjg")


def values_of(asked: Sequence[str], version: int, other: Callable[[str], Printed]) -> list[Printed]:
    """Return the values that arguments of trec_eval's option -m name, each once.

    An argument is a nickname, or a name with its parameters after a dot. As in trec_eval,
    parameters count for the nickname too. `other` gives the value for an argument of another form,
    such as `P_10`, `ap` or `ERR@20`. Raise PoolhouseError for parameters that the measure does not
    have, and for a measure of preferences or judgement groups.
    """
    named: dict[str, list[str] | Printed] = {}
    for each in asked:
        name, dot, text = each.partition(".")
        if _WITHOUT_QRELS.fullmatch(name):
            raise PoolhouseError(
                f"{each} needs preferences or judgement groups, and not qrels: of preferences that "
                "are loaded (load --preferences), preference_measures(collection) has the measures"
            )
        if dot and (name in _NICKNAMES or (name in _BY_NAME and not text)):
            raise PoolhouseError(f"{each} is not written as in trec_eval: write {name}")
        if each in _NICKNAMES:
            for member in _NICKNAMES[each]:
                if version >= _FIRST_WITH.get(member, 0):
                    named.setdefault(member, [])
        elif name in _BY_NAME:
            texts = named.setdefault(name, [])
            if text and isinstance(texts, list):
                texts.append(text)
        else:
            named[each] = other(each)
    found: dict[Printed, None] = {}
    for name, given in named.items():
        values = [given] if isinstance(given, Printed) else _values(_BY_NAME[name], given)
        found |= dict.fromkeys(values)
    return list(found)


def in_printed_order(values: Sequence[Printed]) -> list[Printed]:
    """Return values in the order in which trec_eval prints them, and other measures after them."""
    return sorted(values, key=lambda value: _place(value.name))


def _place(name: str) -> int:
    """Return the place of the measure with the longest name that begins the name of a value."""
    while name and name not in _BY_NAME:
        name = name.rpartition("_")[0]
    return list(_BY_NAME).index(name) if name else len(_BY_NAME)


def _values(measure: _Measure, texts: list[str]) -> list[Printed]:
    try:
        return [value for text in texts or [""] for value in measure.values(measure.name, text)]
    except ValueError as error:
        usual = ", ".join(value.name for value in measure.values(measure.name, "")[:3])
        raise PoolhouseError(
            f"{measure.name}.{','.join(texts)} has parameters that {measure.name} does not take; "
            f"without any it prints {usual}"
        ) from error
