// A view by itself, without a call.

import { told } from "../client";
import { isObject } from "../input/shape";
import { announce, h, HostedView } from "../parts";
import type { Session } from "../session";
import { problem } from "../ui";
import { type Entry, viewUri } from "./entries";
import { viewClient } from "./view-client";

export class ViewPreview {
  private readonly place = h("div", { class: "view-place" });
  private readonly note = h("p", { class: "note", role: "status" });
  readonly element: HTMLElement;
  private view: HostedView | undefined;

  constructor(
    private readonly session: Session,
    private readonly entry: Entry,
  ) {
    const tools = (session.items?.tools ?? []).filter((tool) => viewUri(tool) === entry.name);
    this.element = h(
      "div",
      { class: "preview" },
      h(
        "p",
        {},
        tools.length > 0
          ? `Shows the calls of ${tools.map(({ name }) => name).join(", ")}.`
          : "No tool names this view.",
      ),
      session.canCall &&
        h(
          "div",
          { class: "buttons" },
          h("button", { type: "button", class: "primary", onclick: () => void this.open() }, "Show the view"),
          ...tools
            .filter(({ example }) => isObject(example))
            .map(({ name, example }) =>
              h(
                "button",
                { type: "button", onclick: () => void this.open(example) },
                `Show it with the example of ${name}`,
              ),
            ),
        ),
      this.note,
      this.place,
    );
  }

  close(): void {
    this.view?.remove();
  }

  private async open(input?: unknown): Promise<void> {
    this.close();
    this.place.replaceChildren();
    this.note.textContent = "Connecting…";
    try {
      this.view = await HostedView.show({
        client: viewClient(this.session, this.session.setup),
        uri: this.entry.name,
        title: this.entry.title,
        place: this.place,
        onLink: (url) => void (this.note.textContent = `The view wants to open ${url}`),
        onMessage: (text) => void (this.note.textContent = `The view proposes a message: ${text}`),
      });
      if (input !== undefined) this.view.showInput(input);
      this.note.textContent = "";
      announce("The view has connected.");
    } catch (error) {
      this.note.textContent = "";
      this.place.replaceChildren(problem(told(error)));
    }
  }
}
