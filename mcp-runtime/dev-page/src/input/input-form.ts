// The input of an item: fields of its schema, or JSON.

import { h } from "../parts";
import { JsonField } from "./json";
import { type InputNode, node } from "./node";
import { isObject, type Schema } from "./shape";

export class InputForm {
  readonly element = h("div", { class: "input" });
  private fields: InputNode | undefined;
  private json: JsonField | undefined;
  private readonly note = h("p", { class: "note", role: "status" });
  private readonly place = h("div");
  private readonly modes = {
    fields: h("button", { type: "button", class: "small", onclick: () => this.showFields() }, "Fields"),
    json: h("button", { type: "button", class: "small", onclick: () => this.showJson(this.read()) }, "JSON"),
  };

  /** `build` draws the fields if they are not those of a schema. */
  constructor(
    private readonly schema: Schema,
    value: unknown,
    private readonly build: (value: unknown) => InputNode = (value) =>
      node({ name: "input", schema, root: schema, required: true, value, depth: 0 }),
  ) {
    const modes = h(
      "div",
      { class: "modes", role: "group", "aria-label": "How to write the input" },
      this.modes.fields,
      this.modes.json,
    );
    this.element.append(modes, this.note, this.place);
    this.write(value);
  }

  /** Whether the item has an input at all. */
  get isEmpty(): boolean {
    const { properties, additionalProperties } = this.schema;
    return isObject(properties) && Object.keys(properties).length === 0 && additionalProperties !== true;
  }

  read(): unknown {
    return (this.json ?? this.fields!).read();
  }

  /** Shows a value: in fields, if they can show all of it. */
  write(value: unknown): void {
    if (!this.tryFields(value)) this.showJson(value);
  }

  /** Shows what is wrong, and moves the keyboard there. Returns whether the input can be sent. */
  check(): boolean {
    if (this.json) {
      const isGood = this.json.check();
      if (!isGood) this.json.focus();
      return isGood;
    }
    const focus = this.fields!.check();
    focus?.();
    return focus === undefined;
  }

  focus(): void {
    (this.json ?? this.fields!).focus();
  }

  private showFields(): void {
    if (!this.json) return;
    if (!this.json.check()) return this.json.focus();
    const value = this.json.read();
    if (!this.tryFields(value)) {
      this.note.textContent = "The fields cannot show all of this input, so it stays JSON.";
      return;
    }
    this.element.dispatchEvent(new Event("input", { bubbles: true }));
  }

  private tryFields(value: unknown): boolean {
    const fields = this.build(value);
    if (value !== undefined && !isWithin(value, fields.read())) return false;
    this.fields = fields;
    this.json = undefined;
    this.show(fields.element, "fields");
    return true;
  }

  private showJson(value: unknown): void {
    this.json = new JsonField(
      "Input as JSON",
      "It is sent as it is, even if it does not fit the schema.",
      value ?? {},
      10,
    );
    this.show(this.json.element, "json");
  }

  private show(element: HTMLElement, mode: "fields" | "json"): void {
    this.note.textContent = "";
    this.place.replaceChildren(element);
    for (const [name, button] of Object.entries(this.modes)) button.setAttribute("aria-pressed", String(name === mode));
  }
}

/** Whether the second value has all of the first. It can have defaults beside it. */
export function isWithin(value: unknown, shown: unknown): boolean {
  if (Array.isArray(value)) {
    return (
      Array.isArray(shown) && value.length === shown.length && value.every((one, index) => isWithin(one, shown[index]))
    );
  }
  if (isObject(value)) {
    return (
      isObject(shown) &&
      Object.entries(value).every(
        ([name, one]) => isWithin(one, shown[name]) || (one === false && shown[name] === undefined),
      )
    );
  }
  return value === shown || (value === null && shown === undefined);
}
