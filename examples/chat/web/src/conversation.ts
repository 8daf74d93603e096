// The entries of the conversation.

import { announce } from "./announce";
import { CallCard } from "./call-card";
import type { ViewActions } from "./call-view";
import type { Item } from "./chat-client";
import { h, icon } from "./dom";
import { markdown } from "./markdown";
import type { PluginClient } from "./plugins/plugin-client";

/** How near to its end the page must be to stay there when it grows, in pixels. */
const NEAR = 120;

export class Conversation {
  private readonly typing = h(
    "div",
    { class: "typing", hidden: true },
    h("span"),
    h("span"),
    h("span"),
    h("span", { class: "visually-hidden" }, "The assistant is at work"),
  );
  private readonly entries = h("div", { class: "entries" });
  readonly element = h("section", { class: "conversation", "aria-label": "Conversation" }, this.entries, this.typing);
  private cards: CallCard[] = [];
  isEmpty = true;
  isBusy = false;

  constructor(
    private readonly client: PluginClient,
    private readonly onConnection: (connected: boolean) => void,
    private readonly scroller: HTMLElement,
    private readonly viewActions: ViewActions,
  ) {
    // Forms and results make the page grow. A user who reads at the end stays there.
    let height = 0;
    new ResizeObserver(() => {
      const end = this.scroller.scrollHeight - this.scroller.clientHeight;
      const grown = this.scroller.scrollHeight - height;
      if (end - this.scroller.scrollTop <= NEAR + Math.max(grown, 0)) this.scroller.scrollTop = end;
      height = this.scroller.scrollHeight;
    }).observe(this.element);
  }

  clear(): void {
    this.cards.forEach((card) => card.close());
    this.cards = [];
    this.entries.replaceChildren();
    this.isEmpty = true;
    this.setBusy(false);
  }

  add(item: Item): void {
    this.isEmpty = false;
    this.setBusy(item.type !== "done");
    const entry = this.entry(item);
    if (entry) this.entries.append(entry);
  }

  private entry(item: Item): HTMLElement | undefined {
    switch (item.type) {
      case "user":
        return h("div", { class: "user" }, h("span", { class: "visually-hidden" }, "You: "), item.text);
      case "assistant": {
        if (item.text === "") return undefined;
        // Entries of an earlier visit are not read aloud.
        if (Date.now() - item.at < 5000) announce(item.text);
        const body = markdown(item.text);
        body.classList.add("assistant");
        return body;
      }
      case "call": {
        const { client, onConnection, viewActions } = this;
        const card = new CallCard(client, item.call, item.tool, item.title, onConnection, () => this.showWork(), viewActions);
        this.cards.push(card);
        void card.follow();
        return card.element;
      }
      case "error":
        return h("p", { class: "failure", role: "alert" }, icon("cross"), h("span", {}, item.message));
      case "result":
      case "done":
        return undefined;
    }
  }

  private setBusy(isBusy: boolean): void {
    this.isBusy = isBusy;
    this.showWork();
  }

  /** Shows that the assistant is at work, unless it waits for the user. */
  private showWork(): void {
    this.typing.hidden = !this.isBusy || this.cards.some((card) => card.isAsking);
  }
}
