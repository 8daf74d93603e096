// A field for a text that the server can complete: the combobox pattern with a list box.

import { announce, h, uniqueId } from "../parts";
import type { InputNode } from "./node";

export interface CompletingOptions {
  name: string;
  title: string;
  description: string | undefined;
  required: boolean;
  value: string;
  /** Asks the server. */
  complete(value: string): Promise<string[]>;
}

/** The most suggestions that are shown. The protocol allows as many. */
const MOST = 100;
const WAIT_MS = 150;

export function completingNode(options: CompletingOptions): InputNode & { read(): string | undefined } {
  const { title, required, description } = options;
  const list = h("ul", {
    id: uniqueId("suggestions"),
    role: "listbox",
    "aria-label": `Suggestions for ${title}`,
    hidden: true,
  });
  const note = h("p", { class: "description", id: uniqueId("description") }, description ?? "");
  const wrong = h("p", { class: "problem", id: uniqueId("problem") });
  const input = h("input", {
    type: "text",
    id: uniqueId("field"),
    name: options.name,
    role: "combobox",
    autocomplete: "off",
    spellcheck: "false",
    "aria-autocomplete": "list",
    "aria-expanded": "false",
    "aria-controls": list.id,
    "aria-describedby": `${note.id} ${wrong.id}`,
    "aria-required": required ? "true" : undefined,
  });
  input.value = options.value;
  let active = -1;
  let asked = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const mark = (index: number) => {
    active = index;
    [...list.children].forEach((option, at) => option.setAttribute("aria-selected", String(at === index)));
    const option = list.children[index];
    if (option) {
      input.setAttribute("aria-activedescendant", option.id);
      option.scrollIntoView({ block: "nearest" });
    } else input.removeAttribute("aria-activedescendant");
  };
  const open = (values: string[]) => {
    list.replaceChildren(
      ...values.slice(0, MOST).map((value) =>
        h(
          "li",
          {
            id: uniqueId("suggestion"),
            role: "option",
            "aria-selected": "false",
            // Before the field loses the keyboard.
            onmousedown: (event: MouseEvent) => (event.preventDefault(), take(value)),
          },
          value,
        ),
      ),
    );
    list.hidden = values.length === 0;
    input.setAttribute("aria-expanded", String(values.length > 0));
    mark(-1);
    if (values.length > 0) announce(values.length === 1 ? "1 suggestion." : `${values.length} suggestions.`);
  };
  const close = () => {
    clearTimeout(timer);
    asked += 1;
    if (!list.hidden) open([]);
  };
  const take = (value: string) => {
    input.value = value;
    close();
    input.dispatchEvent(new Event("change", { bubbles: true }));
  };
  const ask = async () => {
    asked += 1;
    const mine = asked;
    const values = await options.complete(input.value).catch(() => []);
    if (mine === asked && document.activeElement === input) open(values);
  };
  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => void ask(), WAIT_MS);
  });
  input.addEventListener("blur", close);
  input.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    const count = list.children.length;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (list.hidden) return void ask();
      if (event.key === "ArrowDown") mark(active + 1 < count ? active + 1 : 0);
      else mark(active > 0 ? active - 1 : count - 1);
    } else if (event.key === "Enter" && !list.hidden && active >= 0) {
      event.preventDefault();
      take(list.children[active]!.textContent ?? "");
    } else if (event.key === "Escape" && !list.hidden) {
      event.preventDefault();
      event.stopPropagation();
      close();
    }
  });
  const label = h("label", { for: input.id }, title, !required && h("span", { class: "optional" }, "optional"));
  return {
    element: h("div", { class: "field" }, label, note, h("div", { class: "combobox" }, input, list), wrong),
    read: () => (input.value === "" ? undefined : input.value),
    check() {
      const isMissing = required && input.value === "";
      wrong.textContent = isMissing ? "Fill this in." : "";
      if (isMissing) input.setAttribute("aria-invalid", "true");
      else input.removeAttribute("aria-invalid");
      return isMissing ? () => input.focus() : undefined;
    },
    focus: () => input.focus(),
  };
}
