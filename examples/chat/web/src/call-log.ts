// The messages that a tool has logged. Thousands of them must not slow the page down.

import { h } from "./dom";
import type { LogLevel } from "./plugins/plugin-client";

/** The most lines on the page. The oldest are removed. */
const MOST = 200;

export class CallLog {
  private readonly summary = h("summary");
  private readonly lines = h("ol", { class: "log-lines", tabindex: 0, "aria-label": "Log" });
  readonly element = h("details", { class: "log", hidden: true }, this.summary, this.lines);
  private waiting: HTMLElement[] = [];
  private count = 0;

  add(level: LogLevel, data: unknown): void {
    const text = typeof data === "string" ? data : JSON.stringify(data);
    this.waiting.push(h("li", { class: `level-${level}` }, h("span", { class: "level" }, level), text));
    this.count += 1;
    // All messages of one frame are one change of the page.
    if (this.waiting.length === 1) requestAnimationFrame(() => this.draw());
  }

  private draw(): void {
    this.element.hidden = false;
    this.summary.textContent = this.count === 1 ? "1 message" : `${this.count} messages`;
    this.lines.append(...this.waiting.slice(-MOST));
    this.waiting = [];
    while (this.lines.childElementCount > MOST) this.lines.firstElementChild!.remove();
  }
}
