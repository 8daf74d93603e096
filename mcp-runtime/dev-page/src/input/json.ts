// A value that is written as JSON.

import { h, uniqueId } from "../parts";
import { brokenAt } from "./json-position";
import type { InputNode, NodeOptions } from "./node";
import { resolve, textOf, titleOf } from "./shape";

/** A field for JSON. Its text is sent as it is, so a server can also get what its schema forbids. */
export class JsonField {
  readonly element: HTMLElement;
  private readonly text: HTMLTextAreaElement;
  private readonly wrong = h("p", { class: "problem", id: uniqueId("problem") });

  /** `rule` says what else is wrong with a value. */
  constructor(
    label: string,
    description: string | undefined,
    value: unknown,
    rows = 8,
    private readonly rule: (value: unknown) => string | undefined = () => undefined,
  ) {
    const note = h("p", { class: "description", id: uniqueId("description") }, description ?? "");
    this.text = h("textarea", {
      id: uniqueId("json"),
      class: "code",
      rows,
      spellcheck: "false",
      autocomplete: "off",
      "aria-describedby": `${note.id} ${this.wrong.id}`,
      oninput: () => this.wrong.textContent !== "" && this.check(),
    });
    this.write(value);
    this.element = h("div", { class: "field" }, h("label", { for: this.text.id }, label), note, this.text, this.wrong);
  }

  write(value: unknown): void {
    this.text.value = value === undefined ? "" : JSON.stringify(value, null, 2);
  }

  /** Returns undefined if the text is empty, or is not JSON. */
  read(): unknown {
    try {
      return this.text.value.trim() === "" ? undefined : JSON.parse(this.text.value);
    } catch {
      return undefined;
    }
  }

  /** Shows what is wrong with the text. Returns whether nothing is. */
  check(required = false): boolean {
    const problem = this.problem(required);
    this.wrong.textContent = problem ?? "";
    if (problem === undefined) this.text.removeAttribute("aria-invalid");
    else this.text.setAttribute("aria-invalid", "true");
    return problem === undefined;
  }

  focus(): void {
    this.text.focus();
  }

  private problem(required: boolean): string | undefined {
    const text = this.text.value;
    if (text.trim() === "") return required ? "Write a value." : undefined;
    try {
      return this.rule(JSON.parse(text));
    } catch (error) {
      return `This is not JSON: ${placed(error instanceof Error ? error.message : String(error), text)}`;
    }
  }
}

export function jsonNode({ name, schema, root, required, value }: NodeOptions): InputNode {
  const resolved = resolve(schema, root);
  const title = titleOf(resolved, name) + (required ? "" : " (optional)");
  const description = [textOf(resolved?.description), "Written as JSON."].filter(Boolean).join(" ");
  const json = new JsonField(title, description, value ?? resolved?.default, 4);
  return {
    element: json.element,
    read: () => json.read(),
    check: () => (json.check(required) ? undefined : () => json.focus()),
    focus: () => json.focus(),
  };
}

/** Names the line and the column of the mistake. */
function placed(message: string, text: string): string {
  const position = brokenAt(text);
  if (position === undefined) return message;
  const before = text.slice(0, position).split("\n");
  const found =
    position < text.length ? `\`${text.slice(position, position + 12).split("\n")[0]}\`` : "the end of the text";
  return `line ${before.length}, column ${before.at(-1)!.length + 1} has ${found} where it cannot be`;
}
