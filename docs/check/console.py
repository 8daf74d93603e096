"""Runs the `console` blocks of pages, and compares what the commands print with what the pages say.

A line `$ command` is run; a line that ends with `\\` goes on in the next one. The lines below it are the output: a line `…`
stands for any lines, and `[..]` for any text in a line. A command without such lines may print anything.

Usage: console.py FOLDER [PAGE...]    runs the blocks in this folder, of all pages outside of the tutorial by default
"""

import os
import re
import subprocess
import sys
from pathlib import Path

from pages import SOURCE, Block, blocks, pages

# No command of the book waits longer, with the build that it begins.
LONGEST = 900

COMPILER_WARNING = re.compile(r"^warning: ", re.MULTILINE)


def commands(block: Block) -> list[tuple[str, list[str]]]:
    """Returns the commands of a block, each with the lines that it prints."""
    found: list[tuple[str, list[str]]] = []
    lines = iter(block.text.splitlines())
    for line in lines:
        if line.startswith("$ "):
            command = line[2:]
            while command.endswith("\\"):
                command += "\n" + next(lines)
            found.append((command, []))
        elif found:
            found[-1][1].append(line)
        else:
            raise SystemExit(f"{block.page}:{block.line}: a console block begins with `$ `")
    return found


def run(block: Block, folder: Path, environment: dict[str, str]) -> Path:
    """Runs the commands of a block in this folder. Returns the folder of the last `cd`."""
    for command, wanted in commands(block):
        print(f"$ {command}", flush=True)
        if command.startswith("cd "):
            folder = folder / command[3:]
            continue
        if command.startswith("export "):
            name, _, value = command[7:].partition("=")
            environment[name] = value.strip("\"'")
            continue
        done = subprocess.run(
            ["bash", "-c", command], cwd=folder, env=environment, timeout=LONGEST,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )
        # A command whose status is told may fail.
        if done.returncode != 0 and "exit" not in command and "||" not in command:
            raise SystemExit(f"{block.page}:{block.line}: `{command}` ends with {done.returncode}:\n{done.stdout}")
        if COMPILER_WARNING.search(done.stdout) and not COMPILER_WARNING.search("\n".join(wanted)):
            raise SystemExit(f"{block.page}:{block.line}: `{command}` has warnings:\n{done.stdout}")
        if wanted and not prints(done.stdout, wanted):
            raise SystemExit(f"{block.page}:{block.line}: `{command}` prints\n{done.stdout}\ninstead of\n" + "\n".join(wanted))
    return folder


def prints(printed: str, wanted: list[str]) -> bool:
    """Whether the printed text is what the page says."""
    # Cargo tells its progress on the same stream, and differs with what is built.
    progress = re.compile(r"^\s*(Compiling|Finished|Running|Updating|Locking|Adding|Blocking|Downloading|Downloaded|Checking|Fresh) .*\n", re.MULTILINE)
    pattern = "".join(
        r"(?:.*\n)*?" if line.strip() == "…" else ".*".join(map(re.escape, line.rstrip().split("[..]"))) + r"[ ]*\n" for line in wanted
    )
    return re.fullmatch(pattern + r"\n*", re.sub(progress, "", printed.rstrip() + "\n")) is not None


def main() -> None:
    folder = Path(sys.argv[1]).resolve()
    chosen = [Path(page).resolve() for page in sys.argv[2:]] or [page for page in pages() if page.parent != SOURCE / "tutorial"]
    environment = dict(os.environ, NO_COLOR="1", CARGO_TERM_COLOR="never")
    count = 0
    for page in chosen:
        place = folder
        for block in blocks(page):
            if block.language == "console":
                place = run(block, place, environment)
                count += 1
    print(f"{count} blocks of {len(chosen)} pages print what the pages say")


if __name__ == "__main__":
    main()
