// The panels of the page, of which one is shown.

import type { PanelName } from "./address";
import { h } from "./parts";

export interface Panel {
  name: PanelName;
  title: string;
  element: HTMLElement;
}

/** Tabs as links would jump, so they are buttons: the pattern of ARIA, with arrows. */
export class Tabs {
  readonly list: HTMLElement;
  readonly panels: HTMLElement;
  private readonly tabs: HTMLButtonElement[];

  constructor(
    private readonly all: Panel[],
    private readonly onChoose: (name: PanelName) => void,
  ) {
    this.tabs = all.map(({ name, title }) =>
      h(
        "button",
        {
          type: "button",
          role: "tab",
          id: `tab-${name}`,
          "aria-controls": `panel-${name}`,
          onclick: () => onChoose(name),
        },
        title,
      ),
    );
    this.list = h(
      "div",
      { class: "tabs", role: "tablist", "aria-label": "Panels", onkeydown: (event: KeyboardEvent) => this.key(event) },
      ...this.tabs,
    );
    this.panels = h(
      "div",
      { class: "panels" },
      ...all.map(({ name, element }) =>
        h(
          "div",
          {
            class: `panel panel-${name}`,
            role: "tabpanel",
            id: `panel-${name}`,
            "aria-labelledby": `tab-${name}`,
            tabindex: -1,
          },
          element,
        ),
      ),
    );
  }

  show(name: PanelName): void {
    this.all.forEach((panel, index) => {
      const isShown = panel.name === name;
      const tab = this.tabs[index]!;
      tab.setAttribute("aria-selected", String(isShown));
      tab.tabIndex = isShown ? 0 : -1;
      (this.panels.children[index] as HTMLElement).hidden = !isShown;
    });
  }

  private key(event: KeyboardEvent): void {
    const at = this.tabs.indexOf(document.activeElement as HTMLButtonElement);
    const moves: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 };
    const to = moves[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    const tab = this.tabs.at(to === this.tabs.length ? 0 : to)!;
    tab.focus();
    this.onChoose(this.all[this.tabs.indexOf(tab)]!.name);
  }
}
