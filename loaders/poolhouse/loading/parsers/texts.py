"""Texts of documents: JSON Lines, or the SGML of the TREC disks."""

import io
import json
import re
from collections.abc import Iterator

from poolhouse.errors import BadFileError
from poolhouse.loading.parsers.source import SourceFile

_WHITE_SPACE = b" \t\r\n"
# Names of the fields in files of TREC, ir_datasets, Pyserini and BEIR.
_IDS = ("docno", "doc_id", "docid", "id", "_id")
_TEXTS = ("title", "headline", "text", "contents", "body", "abstract")
_FIELDS = f"one of {', '.join(_IDS)}, and text in one or more of {', '.join(_TEXTS)}"

_DOCUMENT_TAG = re.compile(rb"<(/?)doc\s*>", re.IGNORECASE)
_DOCNO = re.compile(rb"<docno\s*>([^<>]*)</docno\s*>", re.IGNORECASE)
# A tag or an entity between two letters separates words: `AT&amp;T` is two words.
_MARKUP = re.compile(rb"<[/!?]?[A-Za-z][^<>]*>|<!--|-->|&#?[A-Za-z0-9]{1,12};")


def parse_texts(source: SourceFile) -> Iterator[tuple[str, str]]:
    """Yield the id and the text of every document of a file.

    A line of JSON Lines is an object with an id and fields of text. The text of a <DOC> is
    everything except the <DOCNO>, without tags and entities. A document may be repeated. Raise
    BadFileError, with the line, where a part is no document, and where the file has no document.
    """
    start = source.data.lstrip(_WHITE_SPACE)[:1]
    if start == b"{":
        documents = _from_json_lines(source)
    elif start == b"<":
        documents = _from_sgml(source)
    else:
        problem = "holds no texts (expected: JSON Lines, or <DOC> with <DOCNO>)"
        raise BadFileError(source.path, problem, 1 if start else None)
    return documents


def _from_json_lines(source: SourceFile) -> Iterator[tuple[str, str]]:
    for number, line in enumerate(io.BytesIO(source.data), start=1):
        if not line.strip():
            continue
        try:
            document = json.loads(line)
        except (ValueError, RecursionError) as error:
            reason = "nested too deeply" if isinstance(error, RecursionError) else error
            raise BadFileError(source.path, f"not a line of JSON: {reason}", number) from error
        if not isinstance(document, dict):
            raise BadFileError(source.path, f"not a JSON object (expected: {_FIELDS})", number)
        docno = next((document[name] for name in _IDS if name in document), None)
        # The id may be a number in JSON, and is a word in the qrels.
        if isinstance(docno, int) and not isinstance(docno, bool):
            docno = str(docno)
        texts = [document[name] for name in _TEXTS if document.get(name) is not None]
        if not isinstance(docno, str) or not docno.strip() or not texts:
            raise BadFileError(source.path, f"no id, or no text (expected: {_FIELDS})", number)
        if not all(isinstance(text, str) for text in texts):
            raise BadFileError(source.path, "a field of text does not hold text", number)
        yield docno.strip(), "\n".join(texts)


def _from_sgml(source: SourceFile) -> Iterator[tuple[str, str]]:
    data, begin, line, counted = source.data, -1, 1, 0
    is_empty = True
    for tag in _DOCUMENT_TAG.finditer(data):
        line += data.count(b"\n", counted, tag.start())
        counted = tag.start()
        if (begin >= 0) is not bool(tag[1]):
            problem = "a </DOC> without its <DOC>" if tag[1] else "a <DOC> before the last one ends"
            raise BadFileError(source.path, problem, line)
        if not tag[1]:
            begin, begins_at = tag.end(), line
            continue
        yield _document(source, data[begin : tag.start()], begins_at)
        begin, is_empty = -1, False
    if begin >= 0:
        raise BadFileError(source.path, "ends within its last <DOC>", begins_at)
    if is_empty:
        raise BadFileError(source.path, "holds no texts (expected: <DOC> with <DOCNO>)")


def _document(source: SourceFile, content: bytes, line: int) -> tuple[str, str]:
    names = _DOCNO.findall(content)
    docno = names[0].strip().decode() if names else ""
    if len(names) != 1 or not docno or len(docno.split()) > 1:
        raise BadFileError(
            source.path, "a <DOC> needs exactly one <DOCNO>, which holds one word", line
        )
    return docno, _MARKUP.sub(b" ", _DOCNO.sub(b" ", content)).decode()
