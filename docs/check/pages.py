"""The pages of the book as the reader sees them: their order, and their blocks with all code included."""

import re
from dataclasses import dataclass
from pathlib import Path

DOCS = Path(__file__).resolve().parent.parent
SOURCE = DOCS / "src"

FENCE = re.compile(r"^(```+)(\S*)[^\n]*\n(.*?)^\1[ ]*$", re.MULTILINE | re.DOTALL)
# A whole file, the lines of an anchor (`file.rs:name`), one line (`file.jsonl:3`), or a range of lines (`file.jsonl:3:5`).
INCLUDE = re.compile(r"^\{\{#include ([^:}]+?)(?::([\w-]+)(?::(\d+))?)?\}\}$", re.MULTILINE)


@dataclass
class Block:
    """A fenced block: its language, its text with the code included, and the line of prose above it."""

    page: Path
    line: int
    language: str
    text: str
    above: str


def pages() -> list[Path]:
    """Returns the pages in the order of the menu."""
    menu = (SOURCE / "SUMMARY.md").read_text()
    return [SOURCE / link for link in re.findall(r"\]\(([^)]+\.md)\)", menu)]


def blocks(page: Path) -> list[Block]:
    """Returns the blocks of a page in order."""
    text = page.read_text()
    found = []
    for match in FENCE.finditer(text):
        before = text[: match.start()].rstrip()
        above = before.splitlines()[-1] if before else ""
        code = INCLUDE.sub(lambda include: included(page, *include.groups()), match[3])
        found.append(Block(page, text.count("\n", 0, match.start()) + 1, match[2], code, above))
    return found


def included(page: Path, file: str, part: str | None, last: str | None) -> str:
    """Returns the part of a file that mdBook puts in place of an `{{#include}}`: the lines from number `part` to number
    `last`, or the line with number `part` if there is no `last`, or the lines of the anchor `part`, or all lines."""
    lines = (page.parent / file).read_text().splitlines()
    if part is not None and part.isdecimal():
        first, end = int(part), int(last or part)
        if not 1 <= first <= end <= len(lines):
            raise SystemExit(f"{page}: {file} has {len(lines)} lines, and not {first} to {end}")
        lines = lines[first - 1 : end]
    elif part is not None:
        lines = between(lines, part, f"{page}: {file}")
    return "\n".join(line for line in lines if "ANCHOR: " not in line and "ANCHOR_END: " not in line)


def between(lines: list[str], anchor: str, place: str) -> list[str]:
    """Returns the lines between the comments `ANCHOR: anchor` and `ANCHOR_END: anchor`."""
    marks = [index for index, line in enumerate(lines) if re.search(rf"ANCHOR(_END)?: {re.escape(anchor)}$", line)]
    if len(marks) != 2:
        raise SystemExit(f"{place} has {len(marks)} marks of `{anchor}` instead of 2")
    return lines[marks[0] + 1 : marks[1]]
