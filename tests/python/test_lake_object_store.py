"""Lakes in an object store, which runs on this machine, and what is said where it fails."""

import http.server
import os
import threading
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import poolhouse
from asking import invoke
from lake_archives import OTHER_QRELS, write_archive
from poolhouse.errors import PoolhouseError
from poolhouse.lake.addresses import MANIFEST
from poolhouse.lake.manifest import Entry
from poolhouse.lake.place import Place
from poolhouse.lake.publishing import Publisher
from serving import serving

HERE = Path(__file__).parent
NAMES = ["one", "two words"]
FOLDER_AND_NAME = "{}: cannot be read or written: {}"


@pytest.fixture(scope="module")
def store() -> Iterator[str]:
    """Run an object store with a bucket, and yield its address; it ends with its standard input."""
    pytest.importorskip("moto", reason="the group `dev` is not installed: uv sync --group dev")
    with serving("moto_server.py") as port:
        url = f"http://127.0.0.1:{port}"
        urllib.request.urlopen(urllib.request.Request(f"{url}/bucket", method="PUT")).close()  # noqa: S310 - ours
        yield url


@pytest.fixture
def bucket(store: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """Provide the address of the bucket, with the credentials in the environment."""
    set_environment(monkeypatch, store)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "key")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    return "s3://bucket"


def set_environment(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    for name in [each for each in os.environ if each.startswith("AWS_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_ENDPOINT_URL", url)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")  # a look-up in the network


def build(archive: Path, lake: str) -> str:
    done = invoke("lake", "build", str(archive), "--to", lake)
    assert done.exit_code == 0, done.output
    return done.stderr


def leaderboard(lake: str) -> pl.DataFrame:
    return poolhouse.open(lake).sql("from leaderboard order by all")


@pytest.mark.heavy
def test_a_lake_in_a_bucket_is_that_of_a_folder(bucket: str, store: str, tmp_path: Path) -> None:
    lake, local = f"{bucket}/a/lake", str(tmp_path / "lake")
    archive = write_archive(tmp_path / "archive", NAMES)
    assert "2 collections built, 0 unchanged" in build(archive, lake)
    assert "2 collections built, 0 unchanged" in build(archive, local)
    before = leaderboard(lake)
    assert_frame_equal(before, leaderboard(local))
    assert invoke("lake", "status", lake).output.count(" built ") == 2

    (archive.parent / "one" / "qrels.txt").write_text(OTHER_QRELS)
    assert invoke("lake", "status", lake, "--fail-on", "stale").exit_code == 1
    assert "1 collections built, 1 unchanged" in build(archive, lake)
    assert "1 collections built, 1 unchanged" in build(archive, local)
    after = leaderboard(lake)
    assert_frame_equal(after, leaderboard(local))
    is_other = pl.col("collection_id") == "two words"
    assert_frame_equal(after.filter(is_other), before.filter(is_other))
    assert not after.equals(before)

    # A build clears up what earlier ones left, and so both lakes have the same files.
    for each in (lake, local):
        assert "0 collections built, 2 unchanged" in build(archive, each)
    of_bucket, of_folder = (
        {path.partition("/")[2] for top in ("marts", "tables") for path in Place(each).paths(top)}
        for each in (lake, local)
    )
    assert {path.rpartition("/")[0] for path in of_bucket if "id=" in path} == {
        path.rpartition("/")[0] for path in of_folder if "id=" in path
    }
    assert len(of_bucket) == len(of_folder)

    # The address may have options of the store, in place of the environment.
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("AWS_ENDPOINT_URL")
        host = store.removeprefix("http://")
        told = f"{lake}?endpoint_override={host}&scheme=http"
        assert invoke("lake", "remove", told, "one").exit_code == 0
        rows = invoke("sql", "select distinct collection_id from leaderboard", "--lake", told)
    assert "two words" in rows.stdout
    assert "one" not in rows.stdout.replace("two words", "")


def test_an_address_of_a_file(tmp_path: Path) -> None:
    place = Place(f"file://{tmp_path}/a%20lake")
    assert place.address == str(tmp_path / "a lake")
    place.write(MANIFEST, b"x")
    assert (tmp_path / "a lake" / MANIFEST).read_bytes() == b"x"


def test_files_of_a_bucket(bucket: str, tmp_path: Path) -> None:
    place = Place(f"{bucket}/files")
    assert place.read("no") is None
    assert place.names("") == place.paths("no") == []
    (tmp_path / "local").write_bytes(b"2")
    place.write("a/b/1", b"1")
    place.upload(tmp_path / "local", "a/2")
    place.move("a/b/1", "c/d/1")
    place.move("a/b/no", "c/d/2")
    assert place.paths("c") == ["c/d/1"]
    assert place.paths("a") == ["a/2"]
    place.upload(tmp_path / "local", "a/3")
    place.move("a/3", "c/d/1")
    assert place.read("c/d/1") == b"2"
    place.remove("c")
    place.remove("no")
    place.remove("a/2")
    assert place.paths("") == []
    assert "c" not in place.names("")


def test_of_two_builds_the_one_that_began_last_goes_on(bucket: str) -> None:
    place = Place(f"{bucket}/two")
    first, second = Publisher(place, None), Publisher(place, None)
    with pytest.raises(PoolhouseError, match="changed by another build"):
        first.replace("x", Entry(failure="no file"))
    second.replace("x", Entry(failure="no file"))
    first.end()
    assert place.names("") == [".builder", MANIFEST]
    second.end()
    assert place.names("") == [MANIFEST]


# --------------------------------------------------------------------------------------- failures


def problem_of(lake: str) -> str:
    pytest.importorskip("pyarrow", reason="the group `dev` is not installed: uv sync --group dev")
    with pytest.raises(PoolhouseError) as raised:
        Place(lake).write(MANIFEST, b"")
    assert "\n" not in str(raised.value)
    return str(raised.value)


def test_a_missing_bucket(bucket: str, tmp_path: Path) -> None:
    lake = "s3://missing/lake"
    what = "there is no such bucket: create it, or correct the address"
    assert problem_of(lake) == FOLDER_AND_NAME.format(lake, what)
    built = invoke("lake", "build", str(write_archive(tmp_path, ["one"])), "--to", lake)
    assert built.stderr.splitlines() == [f"Error: {FOLDER_AND_NAME.format(lake, what)}"]
    read = invoke("lake", "status", lake)
    assert read.stderr == f"Error: {lake}: no lake here (poolhouse lake build --help)\n"


@pytest.mark.heavy
def test_no_server(bucket: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The client asks again for six seconds."""
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1")
    what = "no server answers: correct the address, or AWS_ENDPOINT_URL"
    assert problem_of(f"{bucket}/lake") == FOLDER_AND_NAME.format(f"{bucket}/lake", what)


class Refusing(http.server.BaseHTTPRequestHandler):
    """A store that refuses every request, as S3 does without credentials."""

    def do_POST(self) -> None:
        content = b"<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>"
        self.send_response(403)
        self.send_header("Content-Type", "application/xml")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def test_no_credentials(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))  # where others may lie
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Refusing) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        set_environment(monkeypatch, f"http://127.0.0.1:{server.server_port}")
        problem = problem_of("s3://bucket/lake")
        server.shutdown()
    what = "access is denied: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
    assert problem == FOLDER_AND_NAME.format("s3://bucket/lake", what)


def test_credentials_in_the_address_are_not_repeated() -> None:
    with pytest.raises(PoolhouseError, match="has no credentials: set AWS_ACCESS") as raised:
        Place("s3://key:secret@bucket/lake")
    assert "secret@" not in str(raised.value)


@pytest.mark.parametrize(
    ("address", "problem"),
    [
        ("s4://bucket/lake", "Unrecognized filesystem type in URI: s4://bucket/lake"),
        ("s3://bucket/lake?no=1", "Unexpected query parameter in S3 URI: 'no'"),
    ],
)
def test_an_address_that_is_none(address: str, problem: str) -> None:
    assert problem_of(address) == FOLDER_AND_NAME.format(address, problem)
