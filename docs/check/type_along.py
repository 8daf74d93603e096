"""Types the tutorial along: does in an empty folder what its pages say, and compares the result with each chapter.

The pages change files in two ways, which the line above a block says:

- ``File `src/main.rs`:`` the block is the whole file,
- ``At the end of `src/desk.rs`:`` the block is appended after an empty line.

Each block `console` is run, and its output is compared (`console.py`). After each chapter, the project must be equal to
`docs/tutorial/N-CHAPTER`, formatted, and without warnings. The command `cargo add --git …` of the reader gets the files
of this clone: git reads a snapshot of them in place of GitHub.

Usage: type_along.py [CHAPTERS]    types all chapters, or the first ones
"""

import difflib
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import console
from pages import DOCS, SOURCE, Block, blocks, pages

ROOT = DOCS.parent
REPOSITORY = "https://github.com/mcp-runtime/mcp-runtime"
FILE = re.compile(r"^File `([^`]+)`:$")
END_OF_FILE = re.compile(r"^At the end of `([^`]+)`:$")
ADDRESS = re.compile(r"^\$ export MCP_HTTP_ADDR=[\d.]+:(\d+)$", re.MULTILINE)

# Who made the commit of the snapshot, and when: always the same, so that its hash is.
IDENTITY = {"NAME": "tutorial", "EMAIL": "tutorial@example.org", "DATE": "2026-07-28T00:00:00Z"}

# What the chapters' folders do not have: what cargo and the server write, and the versions of this repository.
NOT_TYPED = re.compile(r"(target|\.git|\.gitignore|Cargo\.lock|rust-toolchain\.toml|.*\.db(-\w+)?)(/|$)")


class Typing:
    """The project that grows from page to page."""

    def __init__(self, folder: Path, clone: Path) -> None:
        self.start = folder
        self.folder = folder
        self.typed: dict[str, Block] = {}
        self.environment = dict(
            os.environ,
            NO_COLOR="1",
            CARGO_TERM_COLOR="never",
            CARGO_TARGET_DIR=os.path.realpath(os.environ.get("CARGO_TARGET_DIR") or ROOT / "target"),
            CARGO_NET_GIT_FETCH_WITH_CLI="true",
            GIT_CONFIG_COUNT="1",
            GIT_CONFIG_KEY_0=f"url.file://{clone}.insteadOf",
            GIT_CONFIG_VALUE_0=REPOSITORY,
        )
        # The server of a page is here: no proxy is asked for it. Programs read one of the two names.
        without_proxy = self.environment.get("no_proxy") or self.environment.get("NO_PROXY")
        for name in ("NO_PROXY", "no_proxy"):
            self.environment[name] = ",".join(filter(None, [without_proxy, "localhost,127.0.0.1"]))
        # What the pages leave to their reader is not taken from the shell that runs this.
        for name in [name for name in self.environment if name.startswith(("MCP_", "LIBRARY_DESK_"))]:
            del self.environment[name]

    def page(self, page: Path) -> None:
        """Does what the page says. If that fails, shows the output of the page's server, and ends it."""
        try:
            self.type(page)
        finally:
            self.end_server()

    def type(self, page: Path) -> None:
        for block in blocks(page):
            if block.language == "console":
                self.folder = console.run(block, self.folder, self.environment)
                self.pin_versions()
            elif whole := FILE.match(block.above):
                self.write(whole[1], block, block.text)
            elif end := END_OF_FILE.match(block.above):
                self.write(end[1], block, f"{(self.folder / end[1]).read_text()}\n{block.text}")

    def end_server(self) -> None:
        """Ends the server that a page has started but not ended. Both files are on the page, which removes them."""
        log, process = self.folder / "http.log", self.folder / "http.pid"
        if log.exists():
            print(f"The output of the server:\n{log.read_text()}", file=sys.stderr, flush=True)
        if process.exists():
            try:
                os.kill(int(process.read_text()), signal.SIGTERM)
            except (ValueError, ProcessLookupError):
                pass  # It has not started, or has ended.

    def write(self, name: str, block: Block, text: str) -> None:
        print(f"{block.page.relative_to(ROOT)}:{block.line}: {name}", flush=True)
        (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / name).write_text(text)
        self.typed[name] = block

    def pin_versions(self) -> None:
        """Gives a new project the versions of this repository, as `.ci/template` does."""
        if self.folder != self.start and not (self.folder / "rust-toolchain.toml").exists():
            shutil.copy(ROOT / "Cargo.lock", self.folder)
            shutil.copy(ROOT / "rust-toolchain.toml", self.folder)

    def compare(self, page: Path, chapter: Path) -> None:
        """Fails if the project differs from the folder of the chapter."""
        typed, wanted = files(self.folder), files(chapter)
        name_of = chapter.relative_to(ROOT)
        problems = [f"{name_of}/{name} is not on the pages" for name in sorted(wanted.keys() - typed.keys())]
        problems += [f"{name_of}/{name} is missing" for name in sorted(typed.keys() - wanted.keys())]
        for name in sorted(typed.keys() & wanted.keys()):
            if typed[name] != wanted[name]:
                block = self.typed.get(name)
                place = f"{block.page.relative_to(ROOT)}:{block.line}" if block else page.relative_to(ROOT)
                lines = (text.splitlines(keepends=True) for text in (typed[name], wanted[name]))
                named = f"{name}, as the pages say", f"{name_of}/{name}"
                problems.append(f"{place}: {name} differs:\n" + "".join(difflib.unified_diff(*lines, *named)))
        if problems:
            raise SystemExit("\n".join(problems))

    def check_format(self, page: Path) -> None:
        done = subprocess.run(
            ["cargo", "fmt", "--check"], cwd=self.folder, env=self.environment,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )
        if done.returncode != 0:
            raise SystemExit(f"{page.relative_to(ROOT)}: the code is not formatted:\n{done.stdout}")


def check_port(page: Path) -> None:
    """Fails if another program listens where the server of the page will."""
    for block in blocks(page):
        for address in ADDRESS.finditer(block.text):
            try:
                socket.create_connection(("localhost", int(address[1])), timeout=5).close()
            except OSError:
                continue
            raise SystemExit(
                f"{page.relative_to(ROOT)}:{block.line}: another program listens at port {address[1]}, where the server of the "
                "page will; end that program first"
            )


def snapshot(folder: Path) -> None:
    """Makes a repository whose only commit has the files of this clone.

    It is the same commit as long as the files are the same, and the pages are not in it: a changed page builds nothing
    again. A clone itself cannot be read by cargo if it is shallow.
    """
    fixed = {f"GIT_{who}_{what}": value for who in ("AUTHOR", "COMMITTER") for what, value in IDENTITY.items()}
    git = ["git", f"--git-dir={folder}", f"--work-tree={ROOT}", "-c", "commit.gpgsign=false"]
    for arguments in (
        ["init", "--quiet", "--initial-branch=main"],
        ["add", "--all", "--", ".", ":!docs/src", ":!docs/tutorial", ":!docs/check"],
        ["commit", "--quiet", "--no-verify", "--message=the files of this clone"],
    ):
        subprocess.run([*git, *arguments], cwd=ROOT, env=dict(os.environ, **fixed), check=True)


def files(folder: Path) -> dict[str, str]:
    """Returns the files of a project that are typed, without the lines of anchors."""
    names = (path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    return {name: without_anchors((folder / name).read_text()) for name in names if not NOT_TYPED.match(name)}


def without_anchors(text: str) -> str:
    lines = text.splitlines(keepends=True)
    return "".join(line for line in lines if "ANCHOR: " not in line and "ANCHOR_END: " not in line)


def chapter_of(page: Path) -> Path:
    """Returns the folder with the project as it is after this page."""
    found = list((DOCS / "tutorial").glob(f"[0-9]*-{page.stem}"))
    if len(found) != 1:
        raise SystemExit(f"{page.relative_to(ROOT)}: there is no folder docs/tutorial/N-{page.stem}")
    return found[0]


def main() -> None:
    tutorial = [page for page in pages() if page.parent == SOURCE / "tutorial"]
    if len(sys.argv) > 1:
        tutorial = tutorial[: 1 + int(sys.argv[1])]
    for page in tutorial:
        check_port(page)
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as clone:
        snapshot(Path(clone))
        typing = Typing(Path(folder).resolve(), Path(clone).resolve())
        for page in tutorial:
            began = time.monotonic()
            typing.page(page)
            if page.stem != "index":
                typing.check_format(page)
                typing.compare(page, chapter_of(page))
            print(f"== {page.relative_to(ROOT)}: {time.monotonic() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main()
