// Writes text of a model as HTML.

import DOMPurify from "dompurify";
import { marked } from "marked";

import { h } from "./dom";

/** Returns the text as HTML without scripts, styles, forms and images. Links open in a new tab. */
export function markdown(text: string): HTMLElement {
  const html = marked.parse(text, { async: false, breaks: true });
  const fragment = DOMPurify.sanitize(html, {
    RETURN_DOM_FRAGMENT: true,
    FORBID_TAGS: ["img", "style", "form", "input", "button", "svg", "math", "iframe"],
    FORBID_ATTR: ["style", "class", "id"],
  });
  for (const link of fragment.querySelectorAll("a")) {
    link.target = "_blank";
    link.rel = "noopener noreferrer";
  }
  for (const table of fragment.querySelectorAll("table")) {
    // A wide table scrolls by itself, also with the keyboard.
    const scroller = h("div", { class: "scroller", tabindex: 0, role: "region", "aria-label": "Table" });
    table.replaceWith(scroller);
    scroller.append(table);
  }
  for (const code of fragment.querySelectorAll("pre")) code.tabIndex = 0;
  const body = h("div", { class: "markdown" });
  body.append(fragment);
  return body;
}
