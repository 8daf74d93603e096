// The list of what the server has, with a search.

import { type ItemAddress, ITEM_KINDS, writeItem } from "../address";
import { announce, h, uniqueId } from "../parts";
import { number } from "../ui";
import { type Entry, GROUPS } from "./entries";

/** The most items of a group in the document. The search finds the others. */
const MOST = 200;

export class ItemNav {
  private readonly search = h("input", {
    type: "search",
    id: uniqueId("search"),
    placeholder: "Search",
    autocomplete: "off",
    oninput: () => this.draw(true),
    onkeydown: (event: KeyboardEvent) => {
      const first = this.groups.querySelector("a");
      if (event.key === "ArrowDown" && first) (event.preventDefault(), first.focus());
      if (event.key === "Enter" && first) first.click();
    },
  });
  private readonly groups = h("div", { class: "groups", onkeydown: (event: KeyboardEvent) => this.move(event) });
  private readonly note = h("p", { class: "note" }, "Listing…");
  readonly element = h(
    "nav",
    { class: "items", "aria-label": "What the server has" },
    h("label", { class: "visually-hidden", for: this.search.id }, "Search tools, prompts, resources, skills and views"),
    this.search,
    this.note,
    this.groups,
  );
  private entries: Entry[] = [];
  private current: ItemAddress | undefined;

  show(entries: Entry[]): void {
    this.entries = entries;
    this.draw(false);
  }

  fail(problem: string): void {
    this.note.textContent = `The items cannot be listed: ${problem}`;
  }

  mark(item: ItemAddress | undefined): void {
    this.current = item;
    for (const link of this.groups.querySelectorAll("a")) this.markLink(link);
  }

  private draw(isSearch: boolean): void {
    const wanted = this.search.value.trim().toLowerCase();
    const fits = (entry: Entry) =>
      [entry.name, entry.title, entry.description ?? ""].some((text) => text.toLowerCase().includes(wanted));
    const found = this.entries.filter(fits);
    const focused = document.activeElement?.getAttribute("href");
    this.groups.replaceChildren(
      ...ITEM_KINDS.map((kind) => found.filter((entry) => entry.kind === kind))
        .filter((group) => group.length > 0)
        .map((group) => this.group(group)),
    );
    this.note.textContent =
      this.entries.length === 0 ? "The server has no items." : found.length === 0 ? "Nothing fits." : "";
    // A new list must not take the keyboard away.
    if (focused) [...this.groups.querySelectorAll("a")].find((link) => link.getAttribute("href") === focused)?.focus();
    if (isSearch) announce(found.length === 1 ? "1 item." : `${found.length} items.`);
  }

  private group(entries: Entry[]): HTMLElement {
    const heading = uniqueId("group");
    const rest = entries.length - MOST;
    return h(
      "section",
      { "aria-labelledby": heading },
      h("h2", { id: heading }, GROUPS[entries[0]!.kind], " ", h("span", { class: "count" }, number(entries.length))),
      h(
        "ul",
        {},
        ...entries.slice(0, MOST).map((entry) => {
          const link = h(
            "a",
            { href: writeItem({ kind: entry.kind, name: entry.name }) },
            h("span", { class: "name" }, entry.title),
            entry.title !== entry.name && h("code", {}, entry.name),
          );
          this.markLink(link);
          return h("li", {}, link);
        }),
      ),
      rest > 0 && h("p", { class: "note" }, `${number(rest)} more: search for them.`),
    );
  }

  private markLink(link: HTMLAnchorElement): void {
    const isCurrent =
      this.current !== undefined &&
      link.getAttribute("href") === writeItem({ kind: this.current.kind, name: this.current.name });
    if (isCurrent) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }

  /** Arrows move between the links, beside the tab key. */
  private move(event: KeyboardEvent): void {
    const links = [...this.groups.querySelectorAll("a")];
    const at = links.indexOf(document.activeElement as HTMLAnchorElement);
    const to = event.key === "ArrowDown" ? at + 1 : event.key === "ArrowUp" ? at - 1 : undefined;
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    if (to < 0) this.search.focus();
    else links[to]?.focus();
  }
}
