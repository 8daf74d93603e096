// Small parts that several panels use.

import { announce, h, icon, uniqueId } from "./parts";

/** A button that copies a text. */
export function copyButton(label: string, text: () => string): HTMLButtonElement {
  return h(
    "button",
    {
      type: "button",
      class: "small",
      onclick: () =>
        void navigator.clipboard.writeText(text()).then(
          () => announce("Copied."),
          () => announce("The browser does not allow to copy."),
        ),
    },
    label,
  );
}

/** A text as it is, to read and copy. A long one is cut until the user wants all. */
export function code(text: string, label: string): HTMLElement {
  const most = 65_536;
  const pre = h("pre", { tabindex: 0, role: "group", "aria-label": label }, text.slice(0, most));
  if (text.length <= most) return pre;
  const all = h(
    "button",
    { type: "button", class: "quiet small", onclick: () => void ((pre.textContent = text), all.remove()) },
    `Show all ${number(text.length)} characters`,
  );
  return h("div", {}, pre, all);
}

/** A value as JSON. */
export function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? "";
}

/** Something that is shown when the user wants it. Its content is built then. */
export function disclosure(summary: string | Node, build: () => Node | string, isOpen = false): HTMLDetailsElement {
  const body = h("div", { class: "disclosed" });
  const element = h("details", { open: isOpen }, h("summary", {}, summary), body);
  const fill = () => element.open && !body.hasChildNodes() && body.append(build());
  element.addEventListener("toggle", fill);
  fill();
  return element;
}

/** A table with a caption that screen readers say. */
export function table(caption: string, head: string[], rows: (string | Node | number)[][]): HTMLElement {
  const cell = (content: string | Node | number) => (typeof content === "number" ? number(content) : content);
  return h(
    "div",
    { class: "scroller", tabindex: 0, role: "group", "aria-label": caption },
    h(
      "table",
      {},
      h("caption", { class: "visually-hidden" }, caption),
      h("thead", {}, h("tr", {}, ...head.map((name) => h("th", { scope: "col" }, name)))),
      h(
        "tbody",
        {},
        ...rows.map((row) =>
          h(
            "tr",
            {},
            ...row.map((content) => h("td", typeof content === "number" ? { class: "number" } : {}, cell(content))),
          ),
        ),
      ),
    ),
  );
}

/** A labelled control in one line. */
export function labelled(label: string, control: HTMLElement): HTMLElement {
  control.id ||= uniqueId("control");
  return h("div", { class: "labelled" }, h("label", { for: control.id }, label), control);
}

/** Values with their names. */
export function facts(entries: [string, string | Node | undefined][]): HTMLElement {
  const given = entries.filter((entry): entry is [string, string | Node] => entry[1] !== undefined);
  return h(
    "dl",
    { class: "facts" },
    ...given.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))),
  );
}

export function problem(text: string): HTMLElement {
  return h("p", { class: "problem", role: "alert" }, icon("cross"), prose(text));
}

/** A longer sentence is cut. */
const LONGEST = 10_000;

/** A sentence, in which names are between backticks, as the messages of the runtime have them. */
export function prose(text: string): HTMLElement {
  const shown = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  const parts = shown.split(/`([^`\n]+)`/);
  return h("span", {}, ...parts.map((part, index) => (index % 2 === 1 ? h("code", {}, part) : part)));
}

export function number(value: number): string {
  return value.toLocaleString("en-GB");
}

/** Returns milliseconds as `12 ms`, `1.2 s` or `3 min 5 s`. */
export function duration(ms: number): string {
  if (ms < 1) return `${ms.toFixed(2)} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
  return `${Math.floor(seconds / 86_400)} d ${Math.floor((seconds % 86_400) / 3600)} h`;
}

export function bytes(length: number): string {
  if (length < 1024) return `${length} B`;
  if (length < 1024 * 1024) return `${(length / 1024).toFixed(1)} KiB`;
  return `${(length / 1024 / 1024).toFixed(1)} MiB`;
}

/** Returns a moment as `14:03:22.120`. */
export function time(at: number): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return "";
  return `${date.toLocaleTimeString("en-GB")}.${String(date.getMilliseconds()).padStart(3, "0")}`;
}

/** The time until a moment, which counts down as long as it is on the page. */
export function countdown(until: number, over: string, now: () => number = Date.now): HTMLElement {
  const element = h("time", { datetime: isoOf(until) });
  const show = () => {
    const left = until - now();
    element.textContent = left > 0 ? `in ${duration(Math.ceil(left / 1000) * 1000)}` : over;
    return left > 0;
  };
  if (show()) {
    const timer = setInterval(() => {
      if (!element.isConnected || !show()) clearInterval(timer);
    }, 1000);
  }
  return element;
}

function isoOf(at: number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? "" : date.toISOString();
}
