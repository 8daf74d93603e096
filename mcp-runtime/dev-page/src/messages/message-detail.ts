// One message in full: pretty or raw, with its headers.

import { told } from "../client";
import type { WireMessage } from "../dev-api";
import { h, icon } from "../parts";
import type { Session } from "../session";
import { bytes, code, copyButton, facts, pretty, problem, table, time } from "../ui";

export class MessageDetail {
  readonly element = h("section", { class: "detail", "aria-label": "Message", tabindex: -1, hidden: true });
  private isRaw = false;
  private shown: WireMessage | undefined;
  private asked = 0;

  constructor(
    private readonly session: Session,
    private readonly onClose: () => void,
  ) {
    this.element.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.close();
    });
  }

  /** Shows a message, and moves the keyboard to it if the user has chosen it. */
  async show(n: number, isChosen = false): Promise<void> {
    this.asked += 1;
    const asked = this.asked;
    try {
      const message = await this.session.client.message(n);
      if (asked !== this.asked) return;
      this.shown = message;
      this.draw();
    } catch (error) {
      if (asked !== this.asked) return;
      this.element.replaceChildren(problem(told(error)), this.closeButton());
    }
    this.element.hidden = false;
    if (isChosen) this.element.focus();
  }

  private close(): void {
    this.element.hidden = true;
    this.element.replaceChildren();
    this.shown = undefined;
    this.onClose();
  }

  private closeButton(): HTMLElement {
    return h(
      "button",
      { type: "button", class: "quiet small", "aria-label": "Close the message", onclick: () => this.close() },
      icon("cross"),
    );
  }

  private draw(): void {
    const message = this.shown;
    if (!message) return;
    const { n, direction, kind, instance, transport, request, call, host, round, text, headers = [] } = message;
    const mode = (isRaw: boolean, label: string) =>
      h(
        "button",
        {
          type: "button",
          class: "small",
          "aria-pressed": String(this.isRaw === isRaw),
          onclick: () => {
            this.isRaw = isRaw;
            this.draw();
            this.element.querySelector<HTMLElement>(`[aria-pressed="true"]`)?.focus();
          },
        },
        label,
      );
    this.element.replaceChildren(
      h("header", {}, h("h2", {}, `Message ${n}: ${kind}`), this.closeButton()),
      facts([
        ["Direction", direction],
        ["Time", time(message.at)],
        ["Size", bytes(message.length)],
        ["Over", `${transport}, ${instance} instance`],
        ["Request", request],
        [
          "Call",
          call === undefined
            ? undefined
            : `${this.session.nameOf(call)}${round === undefined ? "" : `, round ${round}`}`,
        ],
        ["Host", host],
        ["Address", message.url],
        ["Status", message.status === undefined ? undefined : String(message.status)],
      ]),
      h(
        "div",
        { class: "modes", role: "group", "aria-label": "How to show the message" },
        mode(false, "Pretty"),
        mode(true, "Raw"),
        ...(text === undefined ? [] : [copyButton("Copy", () => this.text(text))]),
      ),
      text === undefined
        ? h("p", { class: "note" }, "The message was too long to keep.")
        : code(this.text(text), "Text of the message"),
      headers.length > 0
        ? table(
            "Headers",
            ["Header", "Value"],
            headers.map(([name, value]) => [h("code", {}, name), value]),
          )
        : "",
    );
  }

  private text(text: string): string {
    if (this.isRaw) return text;
    try {
      return pretty(JSON.parse(text));
    } catch {
      return text;
    }
  }
}
