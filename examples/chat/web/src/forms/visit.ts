// A question that asks the user to open a page.

import { h } from "../dom";
import type { Answer, Question } from "../plugins/plugin-client";
import { type FormPlace, showForm } from "./form";

export function visit(place: FormPlace, request: { question: Question; signal: AbortSignal }): Promise<Answer> {
  const { question, signal } = request;
  const url = question.url ?? "";
  // Only pages: a link with another scheme could run a script.
  const isPage = /^https?:\/\//.test(url);
  const link = h("a", { href: isPage ? url : undefined, target: "_blank", rel: "noopener noreferrer" }, url);
  return showForm<Record<string, unknown>>(place, signal, {
    message: question.message,
    body: h("p", { class: "visit" }, link),
    submit: "I have opened it",
    decline: "Decline",
    read: () => ({}),
  });
}
