// Tells users of screen readers what happens.

import { h } from "./dom";

const region = h("div", { class: "visually-hidden", role: "status", "aria-live": "polite" });
let waiting: string[] = [];

export function liveRegion(): HTMLElement {
  return region;
}

/** Reads a text aloud, behind the texts before it. */
export function announce(text: string): void {
  waiting.push(text);
  if (waiting.length > 1) return;
  // Several texts at once are one change of the region.
  setTimeout(() => {
    region.textContent = waiting.join(" ");
    waiting = [];
  }, 100);
}
