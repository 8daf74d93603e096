// A form for any question, drawn from its schema.

import { h } from "../dom";
import type { Answer } from "../plugins/plugin-client";
import { field, problemOf, type FieldValue } from "./field";
import { type AnyRequest, type FormPlace, problemsOfNoField, showForm } from "./form";

export function genericForm<C>(place: FormPlace, request: AnyRequest): Promise<Answer<C>> {
  const { question, rejected, signal } = request;
  const { properties, required = [] } = question.schema;
  const before = rejected?.answer.action === "accept" ? (rejected.answer.content as Record<string, unknown>) : {};
  const fields = Object.entries(properties).map(([name, schema]) => ({
    schema,
    required: required.includes(name),
    ...field(name, schema, required.includes(name), before[name]),
  }));
  const names = fields.map(({ name }) => name);
  const problems = rejected?.problems ?? [];
  for (const { name, show } of fields) show(problems.find((problem) => problem.field === name)?.message);
  const body = h(
    "div",
    { class: "fields" },
    question.rejected && h("p", { class: "problem" }, question.rejected),
    problemsOfNoField(problems, names),
    ...fields.map(({ element }) => element),
  );
  const answered = showForm<C>(place, signal, {
    message: question.message,
    body,
    submit: "Submit",
    decline: "Decline",
    read() {
      const content: Record<string, FieldValue> = {};
      let first: (() => void) | undefined;
      for (const { name, schema, required, read, show, focus } of fields) {
        const value = read();
        const problem = problemOf(schema, required, value);
        show(problem);
        if (problem !== undefined) first ??= focus;
        else if (value !== undefined) content[name] = value;
      }
      first?.();
      return first ? undefined : (content as C);
    },
  });
  if (problems.length > 0) fields.find(({ name }) => problems.some(({ field }) => field === name))?.focus();
  return answered;
}
