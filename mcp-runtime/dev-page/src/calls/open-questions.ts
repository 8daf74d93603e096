// The questions of a call that wait for an answer, as a user would see them.

import type { AnyAnswer, Call, CallEvent, OpenQuestion } from "../dev-api";
import { JsonField } from "../input/json";
import { isObject } from "../input/shape";
import { viewClient } from "../items/view-client";
import {
  type Answer,
  type AnyRequest,
  type FormPlace,
  genericForm,
  h,
  questionForm,
  Refusal,
  type RejectedAnswer,
  viewOrForm,
  visit,
} from "../parts";
import type { Session } from "../session";
import { told } from "../client";
import { problem } from "../ui";
import { rootsForm } from "./roots-form";
import { samplingForm } from "./sampling-form";

export class OpenQuestions {
  readonly element = h("div", { class: "questions" });
  private readonly open = new Map<number, { key: string; close: AbortController }>();

  constructor(
    private readonly session: Session,
    private readonly call: Call,
    signal: AbortSignal,
  ) {
    signal.addEventListener("abort", () => this.reconcile([]));
  }

  /** Shows these questions, and no others. */
  reconcile(questions: OpenQuestion[]): void {
    const wanted = new Set(questions.map(({ seq }) => seq));
    for (const seq of [...this.open.keys()]) if (!wanted.has(seq)) this.close(seq);
    for (const question of questions) this.add(question);
  }

  on(event: CallEvent): void {
    if (event.type === "asked") this.add(event.question);
    if (event.type === "answered") this.close(event.seq);
    if (event.type === "changed") {
      for (const [seq, { key }] of this.open) if (key === event.key && seq !== event.after.seq) this.close(seq);
      this.add(event.after);
    }
    if (event.type === "finished" || event.type === "failed" || event.type === "cancelled") this.reconcile([]);
  }

  private add(question: OpenQuestion): void {
    if (this.open.has(question.seq) || !this.session.canCall) return;
    const close = new AbortController();
    this.open.set(question.seq, { key: question.key, close });
    const element = h("div", { class: "place", tabindex: -1 });
    const wrong = h("div");
    const section = h(
      "div",
      { class: "question", role: "group", "aria-label": `Question ${question.key}` },
      element,
      wrong,
    );
    this.element.append(section);
    close.signal.addEventListener("abort", () => {
      // The keyboard stays near, where the next question appears.
      if (section.contains(document.activeElement))
        this.element.closest<HTMLElement>("article")?.focus({ preventScroll: true });
      section.remove();
    });
    void this.ask(question, { element }, wrong, close.signal);
  }

  private close(seq: number): void {
    this.open.get(seq)?.close.abort();
    this.open.delete(seq);
  }

  /** Asks until an answer is accepted, or until the question is over. */
  private async ask(question: OpenQuestion, place: FormPlace, wrong: HTMLElement, signal: AbortSignal): Promise<void> {
    let rejected: RejectedAnswer | undefined;
    while (!signal.aborted) {
      const answering = this.show(question, place, signal, rejected);
      this.label(place);
      const answer = await answering;
      if (signal.aborted) return;
      wrong.replaceChildren();
      try {
        await this.session.client.answer(this.call.id, question.seq, answer);
        place.element.replaceChildren(h("p", { class: "note" }, "The answer is on its way."));
        return;
      } catch (error) {
        if (signal.aborted) return;
        const problems = error instanceof Refusal ? error.problems : [];
        rejected = { answer: answer as Answer<unknown>, problems };
        if (problems.length === 0) wrong.replaceChildren(problem(told(error)));
        // The lane knows better: its events say whether the question is still open.
        if (error instanceof Refusal && error.status === 409) await new Promise((resolve) => setTimeout(resolve, 1000));
      }
    }
  }

  /** Several calls can ask the same: the name of a form also has that of its call. */
  private label({ element }: FormPlace): void {
    const form = element.querySelector("form");
    const names = [form?.getAttribute("aria-labelledby"), element.closest("article")?.getAttribute("aria-labelledby")];
    form?.setAttribute("aria-labelledby", names.join(" "));
  }

  private show(
    question: OpenQuestion,
    place: FormPlace,
    signal: AbortSignal,
    rejected?: RejectedAnswer,
  ): Promise<AnyAnswer> {
    switch (question.kind) {
      case "sampling":
        return samplingForm(place, question, this.session.state.abilities.model, signal);
      case "roots":
        return rootsForm(place, signal);
      case "url":
        return visit(place, { question, signal });
      default: {
        if (!isFlat(question.schema)) return jsonForm(place, question.message, question.schema, signal);
        const request = { question, signal, ...(rejected && { rejected }) } as AnyRequest;
        const form = () => formOrJson(place, request, signal);
        return viewOrForm(place, request, viewClient(this.session, this.call.setup), form);
      }
    }
  }
}

/** The form of the question, with a button to write the answer as JSON instead: a form sends only what fits. */
function formOrJson(place: FormPlace, request: AnyRequest, signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve) => {
    void genericForm<Record<string, unknown>>(place, request).then(resolve);
    const instead = () =>
      void jsonForm(place, request.question.message, undefined, signal).then((answer) => resolve(answer as Answer));
    place.element
      .querySelector(".buttons")
      ?.append(h("button", { type: "button", class: "quiet", onclick: instead }, "Answer in JSON"));
  });
}

/** An answer that is written as JSON, and sent as it is. */
function jsonForm(place: FormPlace, message: string, schema: unknown, signal: AbortSignal): Promise<AnyAnswer> {
  return new Promise((resolve) => {
    const note =
      schema === undefined
        ? "The content is sent as it is, even if it does not fit the form."
        : "This form is not flat, so its content is written as JSON.";
    const json = new JsonField("Content", note, {}, 6);
    const submit = () => {
      const content = json.read();
      if (!json.check(true)) return json.focus();
      resolve({ action: "accept", content: content as Record<string, unknown> });
    };
    const form = questionForm(
      message,
      submit,
      json.element,
      h(
        "div",
        { class: "buttons" },
        h("button", { type: "submit", class: "primary" }, "Send"),
        h("button", { type: "button", onclick: () => resolve({ action: "decline" }) }, "Decline"),
        h("button", { type: "button", class: "quiet", onclick: () => resolve({ action: "cancel" }) }, "Close"),
      ),
    );
    place.element.replaceChildren(form);
    json.focus();
    signal.addEventListener("abort", () => form.remove());
  });
}

/** Whether the form of the chat can show the schema. Servers of others can send anything. */
function isFlat(schema: unknown): boolean {
  if (!isObject(schema) || !isObject(schema.properties)) return false;
  const types = ["string", "number", "integer", "boolean", "array"];
  return Object.values(schema.properties).every((field) => isObject(field) && types.includes(String(field.type)));
}
