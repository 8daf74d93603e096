"""Writes the book for models: `llms.txt`, a list of the pages with what each is about, and `llms-full.txt`, all pages in one
text. Each page is also written as Markdown beside its HTML, so that the links of `llms.txt` lead to text.

Usage: llms.py MARKDOWN HTML    the folders that mdBook has written; the files go into the second one
"""

import re
import shutil
import sys
import tomllib
from pathlib import Path

from pages import DOCS, SOURCE, pages


def main() -> None:
    markdown, html = map(Path, sys.argv[1:3])
    book = tomllib.loads((DOCS / "book.toml").read_text())["book"]
    index = [f"# {book['title']}", "", f"> {book['description']}", ""]
    whole = []
    for page, part in zip(pages(), parts(), strict=True):
        name = page.relative_to(SOURCE)
        text = (markdown / name).read_text()
        if part is not None:
            index += [f"## {part}", ""] if f"## {part}" not in index else []
            index.append(f"- [{title(text, name)}]({name}): {about(text, name)}")
        whole.append(text.strip())
        (html / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(markdown / name, html / name)
    (html / "llms.txt").write_text(separated(index))
    (html / "llms-full.txt").write_text("\n\n".join(whole) + "\n")
    print(f"llms.txt lists {len(whole)} pages; llms-full.txt has {(html / 'llms-full.txt').stat().st_size} bytes")


def parts() -> list[str | None]:
    """Returns the part of the menu that each page belongs to, in the order of the pages."""
    found: list[str | None] = []
    part = None
    for line in (SOURCE / "SUMMARY.md").read_text().splitlines():
        if line.startswith("# ") and line != "# Summary":
            part = line[2:]
        elif re.search(r"\]\([^)]+\.md\)", line):
            found.append(part)
    return found


def title(text: str, name: Path) -> str:
    found = re.match(r"# (.+)\n", text)
    if found is None:
        raise SystemExit(f"{name} does not begin with its title")
    return found[1].replace("`", "")


def about(text: str, name: Path) -> str:
    """Returns the first sentence of the first paragraph."""
    paragraphs = (part.strip() for part in text.split("\n\n")[1:])
    paragraph = next((part for part in paragraphs if part and part[0] not in "#`|<-"), None)
    if paragraph is None:
        raise SystemExit(f"{name} has no paragraph that says what it is about")
    plain = re.sub(r"\[([^\]]*)\](\([^)]*\)|\[[^\]]*\])", r"\1", " ".join(paragraph.split()))
    return re.split(r"(?<=[.?:])\s", plain)[0]


def separated(lines: list[str]) -> str:
    """Joins the lines, with an empty one before each heading."""
    return re.sub(r"\n{2,}", "\n\n", "\n".join(lines).replace("\n## ", "\n\n## ")) + "\n"


if __name__ == "__main__":
    main()
