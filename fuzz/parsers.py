"""Fuzz the parsers, guided by coverage, with atheris, which is no dependency of the project.

    uv run --with atheris python fuzz/parsers.py -max_total_time=300 fuzz/corpus

The script tests the same properties as tests/python/test_fuzz.py. The parsers raise no exception
but BadFileError. They account for every line. The fast way and the tolerant way of reading give
the same result.
"""

import sys
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["poolhouse", "csv"]):
    from poolhouse.errors import BadFileError
    from poolhouse.loading.parsers import (
        SourceFile,
        lines,
        parse_descriptions,
        parse_qrels,
        parse_run,
        parse_topics,
        qrels,
        runs,
    )

_OF_LINES = ((parse_run, runs), (parse_qrels, qrels))


def try_one(data: bytes) -> None:
    """Choose a parser by the first byte, and let it parse the other bytes."""
    choice, content = data[0] % 8 if data else 0, data[1:]
    source = SourceFile(Path("file.gz" if choice & 4 else "file"), content)
    try:
        if choice & 3 == 0:
            parse_descriptions(source)
        elif choice & 3 == 1:
            parse_topics(source)
        else:
            parse, format_ = _OF_LINES[choice & 1]
            found = parse(source)
            account = found.rows.height + found.n_blank + found.rejected.height
            assert found.n_lines == account, "the account does not balance"
            text = lines._with_single_blanks(source.data)
            fast = lines._read_uniform(text, format_._SCHEMA, found.n_lines)
            if fast is not None:
                slow = format_._check(text)
                assert fast.equals(slow.select(fast.columns)), "the two ways differ"
    except BadFileError:
        pass


if __name__ == "__main__":
    atheris.Setup(sys.argv, try_one)
    atheris.Fuzz()
