// The result of a call.

import { h } from "./dom";
import type { ToolResult } from "./plugins/plugin-client";

/** A longer text is folded. */
const LONG_LINES = 12;
const LONG_TEXT = 1200;

export function resultOf(result: ToolResult): HTMLElement {
  const texts = result.content.filter(({ type }) => type === "text").map(({ text }) => text ?? "");
  const [data, words] = split(texts);
  return h(
    "div",
    { class: result.isError ? "result error" : "result" },
    words !== "" && folded(words, "text"),
    data !== undefined && dataOf(data),
  );
}

/** Splits the texts into data, if the first one is JSON, and words. */
function split(texts: string[]): [unknown, string] {
  try {
    const data: unknown = JSON.parse(texts[0] ?? "");
    if (typeof data === "object" && data !== null) return [data, texts.slice(1).join("\n\n")];
  } catch {
    // No JSON: words.
  }
  return [undefined, texts.join("\n\n")];
}

function dataOf(data: unknown): HTMLElement {
  const text = JSON.stringify(data, null, 2);
  const lines = text.split("\n").length;
  return h(
    "details",
    { class: "data" },
    h("summary", {}, `Result (${lines} lines)`),
    h("pre", { tabindex: 0, "aria-label": "Result" }, text),
  );
}

/** Returns a text that is folded if it is long. */
export function folded(text: string, kind: string): HTMLElement {
  const isDrawn = text.split("\n").some((line) => /[-+|]{3}/.test(line));
  const body = h("div", { class: isDrawn ? `${kind} drawn` : kind }, text);
  if (text.length <= LONG_TEXT && text.split("\n").length <= LONG_LINES) return body;
  body.classList.add("folded");
  const button: HTMLButtonElement = h(
    "button",
    {
      type: "button",
      class: "quiet",
      "aria-expanded": "false",
      onclick: () => {
        const isFolded = body.classList.toggle("folded");
        button.textContent = isFolded ? "Show all" : "Show less";
        button.setAttribute("aria-expanded", String(!isFolded));
      },
    },
    "Show all",
  );
  return h("div", {}, body, button);
}
