// The page: its parts, and what the address says about them.

import { type Address, parse, write } from "./address";
import { Lanes } from "./calls/lanes";
import type { Items } from "./dev-api";
import { type Entry, entriesOf } from "./items/entries";
import { ItemPanel } from "./items/item-panel";
import { ItemNav } from "./items/nav";
import { MessagesPanel } from "./messages/messages-panel";
import { h, liveRegion } from "./parts";
import { CheckPanel } from "./server/check-panel";
import { ServerPanel } from "./server/server-panel";
import type { Session } from "./session";
import { SetupBar } from "./setup-bar";
import { Stored } from "./stored";
import { type Panel, Tabs } from "./tabs";
import { TopBar } from "./top-bar";

export class Page {
  private readonly stored: Stored;
  private readonly nav = new ItemNav();
  private readonly place = h("div", { class: "item-place" });
  private readonly lanes: Lanes;
  private readonly messages: MessagesPanel;
  private readonly check: CheckPanel;
  private readonly tabs: Tabs;
  private entries: Entry[] = [];
  private panel: ItemPanel | undefined;
  /** What the panel of the item was drawn from. */
  private drawn = "";

  constructor(private readonly session: Session) {
    const { state } = session;
    this.stored = new Stored(state.program);
    const top = new TopBar(session);
    const setup = new SetupBar(session, this.stored);
    this.lanes = new Lanes(session, (address) => this.go({ panel: "messages", ...address }));
    this.messages = new MessagesPanel(session, (address) =>
      history.replaceState(null, "", write({ panel: "messages", ...address })),
    );
    this.check = new CheckPanel(session);
    const calls = h("div", { class: "calls" }, this.place, this.lanes.element);
    const panels: Panel[] = [
      { name: "calls", title: "Calls", element: calls },
      { name: "messages", title: "Messages", element: this.messages.element },
    ];
    if (state.source.kind === "program")
      panels.push({ name: "server", title: "Build and server", element: new ServerPanel(session).element });
    if (state.source.kind === "program") panels.push({ name: "check", title: "Check", element: this.check.element });
    this.tabs = new Tabs(panels, (name) => this.choose(name));
    const skip = h(
      "a",
      { class: "skip", href: "#main", onclick: (event: MouseEvent) => (event.preventDefault(), this.focusMain()) },
      "Skip to the calls",
    );
    document.body.append(
      skip,
      top.element,
      h(
        "div",
        { class: "frame" },
        this.nav.element,
        h("main", { id: "main", tabindex: -1 }, setup.element, this.tabs.list, this.tabs.panels),
      ),
      liveRegion(),
    );
    session.listen({ items: (items) => this.listed(items), noItems: (problem) => this.nav.fail(problem) });
    window.addEventListener("hashchange", () => this.show(parse(location.hash), true));
    this.show(parse(location.hash), false);
  }

  private focusMain(): void {
    document.querySelector("main")?.focus();
  }

  private choose(name: Address["panel"]): void {
    const item = name === "calls" ? this.panel?.address : undefined;
    history.pushState(null, "", write({ panel: name, ...(item && { item }) }));
    this.show(parse(location.hash), false);
  }

  private go(address: Address): void {
    history.pushState(null, "", write(address));
    this.show(address, false);
  }

  private listed(items: Items): void {
    this.entries = entriesOf(items);
    this.nav.show(this.entries);
    const address = parse(location.hash);
    if (address.panel === "calls") this.show(address, false);
  }

  private show(address: Address, isByLink: boolean): void {
    const isKnown =
      this.session.state.source.kind === "program" || address.panel === "calls" || address.panel === "messages";
    const panel = isKnown ? address.panel : "calls";
    this.tabs.show(panel);
    if (panel === "messages") this.messages.show(address);
    else this.messages.hide();
    if (panel === "check") this.check.show();
    if (panel === "calls") this.showItem(address, isByLink);
  }

  /** What the server says about itself. */
  private about(): HTMLElement[] {
    const { serverInfo, instructions } = this.session.items ?? {};
    if (!serverInfo) return [];
    return [
      h("h2", {}, serverInfo.title ?? serverInfo.name),
      h("p", { class: "meta" }, `${serverInfo.name} ${serverInfo.version}`),
      ...(instructions === undefined ? [] : [h("p", { class: "about" }, instructions)]),
    ];
  }

  private showItem({ item }: Address, isByLink: boolean): void {
    this.nav.mark(item);
    const entry = item && this.entries.find(({ kind, name }) => kind === item.kind && name === item.name);
    // A list that has come again must not remove what the user has written.
    const key = JSON.stringify([entry, item?.input, item?.answers]);
    const isSame = entry !== undefined && this.panel !== undefined && key === this.drawn;
    const isSameItem = entry !== undefined && this.drawn.startsWith(JSON.stringify([entry]).slice(0, -1));
    if (isSame || (isSameItem && !isByLink && this.panel)) return;
    const hadFocus = this.place.contains(document.activeElement);
    this.panel?.close();
    this.panel = undefined;
    this.drawn = key;
    if (!entry) {
      const text =
        item === undefined
          ? "Choose a tool, a prompt or a resource."
          : this.entries.length === 0
            ? "Listing…"
            : `The server has no ${item.kind} ${item.name}.`;
      this.place.replaceChildren(h("p", { class: "empty" }, text), ...this.about());
      return;
    }
    this.panel = new ItemPanel(this.session, this.stored, entry, item ?? {}, (id) => this.lanes.open(id));
    this.place.replaceChildren(this.panel.element);
    // The keyboard goes where the item is, and stays there when its form is drawn anew.
    if (isByLink || hadFocus) this.panel.focus();
  }
}
