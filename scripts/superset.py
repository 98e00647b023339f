"""Open the demo's dashboard in Superset, test its charts, and redraw the picture of the docs.

    uv run --group dev python scripts/superset.py .superset

The folder keeps the environment of Superset, its settings and the export, so that a second call is
quick. Superset listens on the loopback address only, and ends with the script. The script needs a
Chromium on the machine, such as Debian's package `chromium`.
"""

import os
import secrets
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import (
    APIRequestContext,
    APIResponse,
    Error,
    FilePayload,
    Page,
    expect,
)

from look_at_report import browser
from screenshots import poolhouse

PICTURE = Path(__file__).parents[1] / "docs" / "images" / "superset.png"

# Superset 6.1 does not start with what its package installs without these limits (2026-11).
_PACKAGES = (
    "apache-superset==6.1.*",
    *("cachelib<0.14", "Flask-Caching<2.3.2", "rich", "cachetools", "duckdb-engine"),
)
_PYTHON = "3.11"
_SETTINGS = """
import os
SECRET_KEY = os.environ["SUPERSET_SECRET"]
SQLALCHEMY_DATABASE_URI = "sqlite:///" + os.environ["SUPERSET_HOME"] + "/superset.db"
WTF_CSRF_ENABLED = False  # the script has no form
TALISMAN_ENABLED = False  # loopback has no https
"""
_USER = "admin"
_COLLECTION = "shallow-pool"
_WIDTH, _HEIGHT = 1400, 1720
_START_SECONDS = 300
_LOAD_MILLISECONDS = 120_000


def main() -> None:
    """Install, start, import twice, test each chart, and take the picture."""
    folder = Path(sys.argv[1]).absolute()
    folder.mkdir(parents=True, exist_ok=True)
    password = secrets.token_urlsafe()
    settings = _installed(folder, password)
    bundle = _exported(folder)
    with _served(folder, settings) as address, browser() as chromium:
        page = chromium.new_page(viewport={"width": _WIDTH, "height": _HEIGHT}, base_url=address)
        _log_in(page, password)
        api = _Api(page.request, password)
        for _ in range(2):
            api.load(bundle)
        problems = api.problems()
        _photograph(page)
        page.close()
    print("\n".join(problems) or "every chart has rows")
    sys.exit(bool(problems))


def _installed(folder: Path, password: str) -> dict[str, str]:
    """Install Superset, make its database with one user, and return the environment variables."""
    python = folder / "venv" / "bin" / "python"
    superset = python.with_name("superset")
    if not superset.exists():
        _run("uv", "venv", "--quiet", "--clear", "--python", _PYTHON, str(folder / "venv"))
        _run("uv", "pip", "install", "--no-config", "--quiet", "--python", str(python), *_PACKAGES)
    configuration = folder / "superset_config.py"
    configuration.write_text(_SETTINGS, encoding="utf-8")
    settings = os.environ | {
        "SUPERSET_HOME": str(folder),
        "SUPERSET_CONFIG_PATH": str(configuration),
        "SUPERSET_SECRET": secrets.token_urlsafe(42),
        "FLASK_APP": "superset",
        "SCARF_ANALYTICS": "false",  # otherwise its pages ask for a picture on the internet
    }
    if not (folder / "superset.db").exists():
        _run(str(superset), "db", "upgrade", env=settings)
        _run(str(superset), "init", env=settings)
    names = ("--firstname", "Pool", "--lastname", "House", "--email", "nobody@localhost")
    user = ("--username", _USER, "--password", password)
    if _USER in _run(str(superset), "fab", "list-users", env=settings):
        _run(str(superset), "fab", "reset-password", *user, env=settings)
    else:
        _run(str(superset), "fab", "create-admin", *names, *user, env=settings)
    return settings


def _exported(folder: Path) -> Path:
    """Build the demo once, export it, and return the file that Superset imports."""
    warehouse = folder / "poolhouse-demo.duckdb"
    if not warehouse.exists():
        poolhouse("demo", "--db", str(warehouse))
    export = folder / "export"
    start = time.monotonic()
    poolhouse("export", str(export), "--format", "superset", "--replace", "--db", str(warehouse))
    print(f"export: {time.monotonic() - start:.1f} s")
    return export / "superset.zip"


@contextmanager
def _served(folder: Path, settings: Mapping[str, str]) -> Iterator[str]:
    """Start Superset on a free port of the loopback address, and end this process."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [str(folder / "venv" / "bin" / "superset"), "run", "--with-threads", "-p", str(port)]
    with (folder / "superset.log").open("w") as log:
        process = subprocess.Popen(command, env=settings, stdout=log, stderr=log)  # noqa: S603
        try:
            _wait_for(port, process)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait()


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    start = time.monotonic()
    while time.monotonic() - start < _START_SECONDS and process.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.5)
    sys.exit("Superset does not start; superset.log in the folder says why")


class _Api:
    """Superset's interface for programs."""

    def __init__(self, requests: APIRequestContext, password: str) -> None:
        self._requests = requests
        account = {"username": _USER, "password": password, "provider": "db"}
        token = self._answer(requests.post("/api/v1/security/login", data=account))["access_token"]
        self._headers = {"Authorization": f"Bearer {token}"}

    def load(self, bundle: Path) -> None:
        """Import a file of a dashboard, as the page of dashboards does."""
        content: FilePayload = {
            "name": bundle.name,
            "mimeType": "application/zip",
            "buffer": bundle.read_bytes(),
        }
        self._answer(
            self._requests.post(
                "/api/v1/dashboard/import/",
                headers=self._headers,
                multipart={"formData": content, "overwrite": "true"},
                timeout=_LOAD_MILLISECONDS,
            )
        )

    def problems(self) -> list[str]:
        """List the charts without rows, and what there is twice."""
        charts = self._get("/api/v1/chart/?q=(page_size:100)")["result"]
        names = [chart["slice_name"] for chart in charts]
        twice = [f"{name}: is there twice" for name in set(names) if names.count(name) > 1]
        for kind in ("database", "dashboard"):
            if (count := self._get(f"/api/v1/{kind}/")["count"]) != 1:
                twice.append(f"{kind}: {count} of them")
        return twice + [
            f"{chart['slice_name']}: {result['error'] or 'no rows'}"
            for chart in charts
            for result in self._get(f"/api/v1/chart/{chart['id']}/data/")["result"]
            if result["error"] or not result["rowcount"]
        ]

    def _get(self, path: str) -> dict[str, Any]:
        return self._answer(
            self._requests.get(path, headers=self._headers, timeout=_LOAD_MILLISECONDS)
        )

    @staticmethod
    def _answer(response: APIResponse) -> dict[str, Any]:
        if not response.ok:
            raise Error(f"{response.url}: {response.status} {response.text()}")
        content: dict[str, Any] = response.json()
        return content


def _log_in(page: Page, password: str) -> None:
    page.goto("/login/", timeout=_LOAD_MILLISECONDS)
    page.fill("#username", _USER)
    page.fill("input[type=password]", password)
    page.keyboard.press("Enter")
    page.wait_for_url("**/superset/welcome/**", timeout=_LOAD_MILLISECONDS)


def _photograph(page: Page) -> None:
    """Open the dashboard, choose another collection, and take a picture of all charts."""
    page.goto("/superset/dashboard/poolhouse/", timeout=_LOAD_MILLISECONDS)
    _wait_for_charts(page)
    page.locator(".ant-select", has_text="deep-pool").first.click()
    page.locator(".ant-select-item", has_text=_COLLECTION).first.click()
    page.get_by_role("button", name="Apply filters").click()
    _wait_for_charts(page)
    expect(page.locator(".dashboard-component-chart-holder [role=alert]")).to_have_count(0)
    page.screenshot(path=PICTURE)


def _wait_for_charts(page: Page) -> None:
    page.wait_for_selector(".dashboard-component-chart-holder", timeout=_LOAD_MILLISECONDS)
    page.wait_for_timeout(5_000)  # until each chart has asked for its rows
    loading = page.locator(".dashboard-component-chart-holder .loading")
    expect(loading).to_have_count(0, timeout=_LOAD_MILLISECONDS)
    page.wait_for_timeout(3_000)  # bars grow


def _run(*command: str, env: Mapping[str, str] | None = None) -> str:
    """Run a command, and return its output; on failure, show what it wrote."""
    if shutil.which(command[0]) is None:
        sys.exit(f"{command[0]}: not found")
    done = subprocess.run(  # noqa: S603
        command, env=env, check=False, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    if done.returncode:
        sys.exit(f"{' '.join(command[:2])}: {done.stdout}")
    return done.stdout


if __name__ == "__main__":
    main()
