// The spans of a call on a time line, and its metrics.

import type { CallEvent } from "../dev-api";
import { h } from "../parts";
import { duration, number, table } from "../ui";

/** The most spans and metrics of a call. The oldest are dropped. */
const MOST = 200;

type Span = Extract<CallEvent, { type: "span" }>;

interface Metric {
  name: string;
  labels: string;
  value: number;
  count: number;
}

export class Telemetry {
  private readonly spans: Span[] = [];
  private readonly metrics = new Map<string, Metric>();
  private dropped = 0;
  private isDrawn = false;
  private drawing = 0;
  private readonly place = h("div", { class: "telemetry" });

  /** Drawn when it is shown. */
  get element(): HTMLElement {
    this.isDrawn = true;
    this.draw();
    return this.place;
  }

  on(event: CallEvent): void {
    if (event.type === "span") {
      this.spans.push(event);
      if (this.spans.length > MOST) (this.spans.shift(), (this.dropped += 1));
    } else if (event.type === "metric") {
      const labels = Object.entries(event.labels)
        .map(([name, value]) => `${name}=${value}`)
        .join(", ");
      const key = `${event.name} ${labels}`;
      const before = this.metrics.get(key);
      if (!before && this.metrics.size >= MOST) return;
      this.metrics.set(key, { name: event.name, labels, value: event.value, count: (before?.count ?? 0) + 1 });
    } else return;
    // All reports of one frame are one change of the page.
    if (!this.isDrawn || !this.place.isConnected || this.drawing !== 0) return;
    this.drawing = requestAnimationFrame(() => {
      this.drawing = 0;
      this.draw();
    });
  }

  private draw(): void {
    const metrics = [...this.metrics.values()];
    this.place.replaceChildren(
      this.spans.length > 0 ? this.timeline() : h("p", { class: "note" }, "No spans were reported."),
      metrics.length > 0
        ? table(
            "Metrics",
            ["Metric", "Labels", "Value", "Reports"],
            metrics.map(({ name, labels, value, count }) => [h("code", {}, name), labels, number(value), count]),
          )
        : h("p", { class: "note" }, "No metrics were reported."),
    );
  }

  /** Bars for the eyes, and the table that says the same. A span is reported when it ends. */
  private timeline(): HTMLElement {
    const start = Math.min(...this.spans.map(({ at, took }) => at - took));
    const length = Math.max(1, Math.max(...this.spans.map(({ at }) => at)) - start);
    const rows = this.spans.map(({ at, took, name, fields }) => {
      const bar = h("span", { class: "bar" });
      bar.style.left = `${(100 * (at - took - start)) / length}%`;
      bar.style.width = `${Math.max(0.5, (100 * took) / length)}%`;
      const told = Object.entries(fields)
        .map(([name, value]) => `${name}=${value}`)
        .join(", ");
      return [
        h("code", {}, name),
        h("span", { class: "track", "aria-hidden": "true" }, bar),
        `${duration(at - took - start)}`,
        duration(took),
        told,
      ];
    });
    return h(
      "div",
      { class: "timeline" },
      this.dropped > 0 && h("p", { class: "note" }, `${number(this.dropped)} earlier spans are not shown.`),
      table("Spans", ["Span", "Time line", "Begins after", "Took", "Fields"], rows),
    );
  }
}
