// The command lines that do what a call does.

import { h } from "../parts";
import { code, copyButton } from "../ui";

export interface CommandLines {
  cli: string;
  curl?: string;
}

/** `level` is that of the headings. */
export function commandLines({ cli, curl }: CommandLines, level: "h3" | "h4"): HTMLElement {
  const part = (name: string, text: string) =>
    h(
      "div",
      { class: "command" },
      h(
        "div",
        { class: "row" },
        h(level, {}, name),
        copyButton(`Copy ${name.toLowerCase()}`, () => text),
      ),
      code(text, name),
    );
  return h("div", {}, part("As a command", cli), curl !== undefined && part("As curl", curl));
}
