// The command lines of an input that was not called yet. They follow the input while they are shown.

import { commandLines } from "../calls/command-lines";
import { told } from "../client";
import type { CallRequest, PreparedAnswer } from "../dev-api";
import { h } from "../parts";
import type { Session } from "../session";
import { problem } from "../ui";

/** A pause in writing after which the commands are asked for again. */
const PAUSE = 250;

export class InputCommands {
  private readonly place = h("div", { class: "disclosed" });
  readonly element = h("details", {}, h("summary", {}, "As a command"), this.place);
  private readonly closing = new AbortController();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private shown = "";
  private reading = 0;

  /** `read` returns what would be called, or why nothing can be. */
  constructor(
    private readonly session: Session,
    private readonly read: () => { request: CallRequest; answers: PreparedAnswer[] } | string,
  ) {
    this.element.addEventListener("toggle", () => void this.show());
    // Another client, or a server that was started again at another port.
    session.listen({ items: () => this.changed(), state: () => this.changed() }, this.closing.signal);
  }

  changed(): void {
    if (!this.element.open) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.show(), PAUSE);
  }

  close(): void {
    this.closing.abort();
    clearTimeout(this.timer);
  }

  private async show(): Promise<void> {
    if (!this.element.open) return;
    this.reading += 1;
    const reading = this.reading;
    const input = this.read();
    let content: HTMLElement;
    let text = "";
    if (typeof input === "string") content = problem(input);
    else {
      try {
        const lines = await this.session.client.commandsOf(input.request, this.session.setup, input.answers);
        text = JSON.stringify(lines);
        content = commandLines(lines, "h3");
      } catch (error) {
        content = problem(told(error));
      }
    }
    // What is read or copied does not move while it stays the same.
    if (reading !== this.reading || (text !== "" && text === this.shown)) return;
    this.shown = text;
    this.place.replaceChildren(content);
  }
}
