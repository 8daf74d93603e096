// One field of a form that is drawn from its schema.

import { h, uniqueId } from "../dom";
import type { FieldChoice, FieldSchema } from "../plugins/plugin-client";

export type FieldValue = string | number | boolean | string[];

export interface Field {
  name: string;
  element: HTMLElement;
  /** Returns the value, or undefined if the field is empty. */
  read(): FieldValue | undefined;
  /** Shows what is wrong with the value, or removes it. */
  show(problem: string | undefined): void;
  focus(): void;
}

/** A text of more characters than this gets several lines. */
const LONG = 120;
/** More choices than this are a list to open. */
const MANY = 6;

export function field(name: string, schema: FieldSchema, required: boolean, value: unknown): Field {
  const label = schema.title ?? words(name);
  if (schema.type === "boolean") return checkbox(name, label, schema, value);
  if (schema.type === "array") return choiceGroup(name, label, schema, required, value, choices(schema.items ?? {}), true);
  const offered = choices(schema);
  if (offered.length > MANY) return control(name, label, schema, required, select(offered, required), value);
  if (offered.length > 0) return choiceGroup(name, label, schema, required, value, offered, false);
  return control(name, label, schema, required, input(schema), value);
}

/** Returns the choices of a field. */
export function choices(schema: { enum?: string[]; oneOf?: FieldChoice[]; anyOf?: FieldChoice[] }): FieldChoice[] {
  return schema.oneOf ?? schema.anyOf ?? schema.enum?.map((value) => ({ const: value })) ?? [];
}

/** Returns a name as words: `flight_id` as `Flight id`. */
export function words(name: string): string {
  const text = name.replaceAll(/[_-]+/g, " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Returns what is wrong with a value, or undefined. */
export function problemOf(schema: FieldSchema, required: boolean, value: FieldValue | undefined): string | undefined {
  if (value === undefined) return required ? "Fill this in." : undefined;
  if (typeof value === "number") {
    if (Number.isNaN(value)) return "Write a number.";
    if (schema.type === "integer" && !Number.isInteger(value)) return "Write a whole number.";
    const { minimum = -Infinity, maximum = Infinity } = schema;
    if (value < minimum) return `Must be at least ${minimum}.`;
    if (value > maximum) return `Must be at most ${maximum}.`;
  }
  if (typeof value === "string") {
    const length = [...value].length;
    const { minLength = 0, maxLength = Infinity } = schema;
    if (length < minLength) return `Write at least ${minLength} characters.`;
    if (length > maxLength) return `Write at most ${maxLength} characters; these are ${length}.`;
    if (schema.format === "email" && !/^[^@\s]+@[^@\s]+$/.test(value)) return "Write an email address.";
    if (schema.format === "uri" && !URL.canParse(value)) return "Write a complete address, such as https://example.com.";
  }
  if (Array.isArray(value)) {
    const { minItems = 0, maxItems = Infinity } = schema;
    if (value.length < minItems) return `Choose at least ${minItems}.`;
    if (value.length > maxItems) return `Choose at most ${maxItems}.`;
  }
  return undefined;
}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

function input(schema: FieldSchema): Control {
  if (schema.type !== "string") {
    return h("input", { type: "text", inputmode: schema.type === "integer" ? "numeric" : "decimal" });
  }
  const types: Record<string, string> = { email: "email", uri: "url", date: "date", "date-time": "datetime-local" };
  const type = types[schema.format ?? ""];
  if (!type && (schema.maxLength ?? 0) > LONG) return h("textarea", { rows: 4 });
  return h("input", { type: type ?? "text" });
}

function select(offered: FieldChoice[], required: boolean): Control {
  const empty = h("option", { value: "" }, required ? "Choose…" : "No choice");
  return h("select", {}, empty, ...offered.map((choice) => h("option", { value: choice.const }, choice.title ?? choice.const)));
}

function control(
  name: string,
  label: string,
  schema: FieldSchema,
  required: boolean,
  element: Control,
  value: unknown,
): Field {
  element.id = uniqueId("field");
  element.name = name;
  if (required) element.setAttribute("aria-required", "true");
  const initial = value ?? schema.default;
  if (initial !== undefined) element.value = schema.format === "date-time" ? local(String(initial)) : String(initial);
  const notes = new Notes(element, schema.description);
  return {
    name,
    element: h(
      "div",
      { class: "field" },
      h("label", { for: element.id }, label, !required && h("span", { class: "optional" }, "optional")),
      notes.description,
      element,
      notes.problem,
    ),
    read() {
      const text = element.value.trim();
      if (text === "") return undefined;
      if (schema.type === "number" || schema.type === "integer") return Number(text.replace(",", "."));
      return schema.format === "date-time" ? new Date(text).toISOString() : text;
    },
    show: (problem) => notes.show(problem),
    focus: () => element.focus(),
  };
}

function checkbox(name: string, label: string, schema: FieldSchema, value: unknown): Field {
  const box = h("input", { type: "checkbox", id: uniqueId("field"), name });
  box.checked = (value ?? schema.default) === true;
  const notes = new Notes(box, schema.description);
  return {
    name,
    element: h(
      "div",
      { class: "field" },
      h("label", { class: "choice", for: box.id }, box, h("span", {}, label)),
      notes.description,
      notes.problem,
    ),
    read: () => box.checked,
    show: (problem) => notes.show(problem),
    focus: () => box.focus(),
  };
}

function choiceGroup(
  name: string,
  label: string,
  schema: FieldSchema,
  required: boolean,
  value: unknown,
  offered: FieldChoice[],
  several: boolean,
): Field {
  const group = uniqueId("field");
  const chosen = [value ?? schema.default ?? []].flat();
  const boxes = offered.map((choice) => {
    const box = h("input", { type: several ? "checkbox" : "radio", name: group, value: choice.const });
    box.checked = chosen.includes(choice.const);
    return { box, element: h("label", { class: "choice" }, box, h("span", {}, choice.title ?? choice.const)) };
  });
  const fieldset = h("fieldset", { class: "field" });
  const notes = new Notes(fieldset, schema.description);
  fieldset.append(
    h("legend", {}, label, !required && h("span", { class: "optional" }, "optional")),
    notes.description,
    h("div", { class: "choices" }, ...boxes.map(({ element }) => element)),
    notes.problem,
  );
  return {
    name,
    element: fieldset,
    read() {
      const values = boxes.filter(({ box }) => box.checked).map(({ box }) => box.value);
      if (several) return values.length > 0 || required ? values : undefined;
      return values[0];
    },
    show: (problem) => notes.show(problem),
    focus: () => (boxes.find(({ box }) => box.checked) ?? boxes[0])?.box.focus(),
  };
}

/** The description and the problem of a control, which a screen reader reads with it. */
class Notes {
  readonly description: HTMLElement;
  readonly problem: HTMLElement;

  constructor(
    private readonly described: HTMLElement,
    description: string | undefined,
  ) {
    this.description = h("p", { class: "description", id: uniqueId("description") }, description ?? "");
    this.problem = h("p", { class: "problem", id: uniqueId("problem") });
    described.setAttribute("aria-describedby", `${this.description.id} ${this.problem.id}`);
  }

  show(problem: string | undefined): void {
    this.problem.textContent = problem ?? "";
    if (problem === undefined) this.described.removeAttribute("aria-invalid");
    else this.described.setAttribute("aria-invalid", "true");
  }
}

/** Returns a moment as a local time, as the browser's control has it. */
function local(moment: string): string {
  const date = new Date(moment);
  return Number.isNaN(date.getTime())
    ? ""
    : new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
