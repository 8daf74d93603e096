// What is behind a call: its state and record, its spans and metrics, its messages, its commands and its test.

import { told } from "../client";
import type { CallEvent } from "../dev-api";
import { h, icon, uniqueId } from "../parts";
import type { Session } from "../session";
import { code, copyButton, problem } from "../ui";
import { commandLines } from "./command-lines";
import { recordOf } from "./record";
import { Telemetry } from "./telemetry";

export class LaneTools {
  private readonly bar = h("div", { class: "lane-tools", role: "group", "aria-label": "More about the call" });
  private readonly place = h("div", { id: uniqueId("panel") });
  readonly element = h("div", {}, this.bar, this.place);
  private readonly telemetry = new Telemetry();
  private shown: { name: string; draw(): Promise<Node>; button: HTMLButtonElement } | undefined;
  private drawing = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly session: Session,
    private readonly id: string,
    showMessages: () => void,
    signal: AbortSignal,
  ) {
    const { abilities } = session.state;
    if (abilities.records) this.tab("State and record", () => this.record(), true);
    this.tab("Spans and metrics", async () => this.telemetry.element);
    this.tab("Commands", () => this.commands());
    this.tab("Make this a test", () => this.test());
    this.bar.append(h("button", { type: "button", class: "small", onclick: showMessages }, "Messages", icon("search")));
    signal.addEventListener("abort", () => clearTimeout(this.timer));
  }

  on(event: CallEvent): void {
    this.telemetry.on(event);
    const changesRecord =
      event.type === "round_ended" || event.type === "asked" || event.type === "finished" || event.type === "ran";
    if (!changesRecord || this.shown?.name !== "State and record" || this.timer !== undefined) return;
    // Several events at once are one reading.
    this.timer = setTimeout(() => {
      this.timer = undefined;
      void this.draw();
    }, 300);
  }

  private tab(name: string, draw: () => Promise<Node>, isFirst = false): void {
    const button: HTMLButtonElement = h(
      "button",
      {
        type: "button",
        class: "small",
        "aria-expanded": "false",
        "aria-controls": this.place.id,
        onclick: () => {
          const isShown = this.shown?.button === button;
          this.shown?.button.setAttribute("aria-expanded", "false");
          this.shown = isShown ? undefined : { name, draw, button };
          button.setAttribute("aria-expanded", String(!isShown));
          this.place.replaceChildren();
          void this.draw();
        },
      },
      name,
    );
    if (isFirst) this.bar.prepend(button);
    else this.bar.append(button);
  }

  private async draw(): Promise<void> {
    const { shown } = this;
    if (!shown) return;
    this.drawing += 1;
    const drawing = this.drawing;
    const content = await shown.draw().catch((error: unknown) => problem(told(error)));
    if (drawing !== this.drawing || shown !== this.shown) return;
    const open = [...this.place.querySelectorAll("details")].map((details) => details.open);
    const focused = [...this.place.querySelectorAll("*")].indexOf(document.activeElement as HTMLElement);
    this.place.replaceChildren(h("div", { class: "lane-panel", role: "group", "aria-label": shown.name }, content));
    // What was open stays open, and the keyboard stays where it was.
    this.place.querySelectorAll("details").forEach((details, index) => open[index] && (details.open = true));
    if (focused >= 0) (this.place.querySelectorAll("*")[focused] as HTMLElement | undefined)?.focus();
  }

  private async record(): Promise<Node> {
    const clock = this.session.state.server.clock * 1000;
    return recordOf(await this.session.client.record(this.id), () => Date.now() + clock);
  }

  private async commands(): Promise<Node> {
    return commandLines(await this.session.client.commands(this.id), "h4");
  }

  private async test(): Promise<Node> {
    const { path, source } = await this.session.client.asTest(this.id);
    return h(
      "div",
      {},
      h(
        "div",
        { class: "row" },
        h("code", {}, path),
        copyButton("Copy the test", () => source),
      ),
      code(source, "Source of the test"),
    );
  }
}
