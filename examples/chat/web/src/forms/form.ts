// What every form in the conversation shares: its frame, its buttons, and its end.

import { announce } from "../announce";
import { h, icon, uniqueId } from "../dom";
import type { Answer, AnswerProblem, FormSchema, Question, RejectedAnswer } from "../plugins/plugin-client";

/** What a form gets. */
export interface AnyRequest {
  question: Question & { schema: FormSchema };
  rejected?: RejectedAnswer;
  signal: AbortSignal;
}

/** The place in a call's card where its open form is drawn. */
export interface FormPlace {
  element: HTMLElement;
}

export interface FormFrame<C> {
  message: string;
  body: HTMLElement;
  submit: string;
  decline: string;
  /** Returns the content, or undefined if something is missing. Then the form has shown what. */
  read(): C | undefined;
}

/** Shows a form until the user has answered, or until the question is over. */
export function showForm<C>(place: FormPlace, signal: AbortSignal, frame: FormFrame<C>): Promise<Answer<C>> {
  return new Promise((resolve) => {
    const finish = (answer: Answer<C>) => {
      form.setAttribute("aria-busy", "true");
      keepFocus(place);
      for (const control of form.elements) (control as HTMLButtonElement).disabled = true;
      resolve(answer);
    };
    const submit = () => {
      const content = frame.read();
      if (content !== undefined) finish({ action: "accept", content });
    };
    const form = questionForm(
      frame.message,
      submit,
      frame.body,
      h(
        "div",
        { class: "buttons" },
        h("button", { type: "submit", class: "primary" }, frame.submit),
        h("button", { type: "button", onclick: () => finish({ action: "decline" }) }, frame.decline),
        h(
          "button",
          {
            type: "button",
            class: "quiet",
            title: "Close the question without an answer (Escape)",
            "aria-keyshortcuts": "Escape",
            onclick: () => finish({ action: "cancel" }),
          },
          "Close",
        ),
      ),
    );
    const first = frame.body.querySelector<HTMLElement>("input, textarea, select");
    draw(place, form, first, signal, () => finish({ action: "cancel" }));
    announce(`Question: ${frame.message}`);
  });
}

/** Creates a form whose name is its question. */
export function questionForm(question: string, submit: () => void, ...parts: HTMLElement[]): HTMLFormElement {
  const heading = uniqueId("question");
  const onsubmit = (event: SubmitEvent) => {
    event.preventDefault();
    submit();
  };
  const props = { class: "form", novalidate: true, "aria-labelledby": heading, onsubmit };
  return h("form", props, message(question, heading), ...parts);
}

/**
 * Draws a form until its question is over. A user whose keyboard was on the form before it is on this one. Escape closes
 * the form.
 */
export function draw(
  place: FormPlace,
  form: HTMLElement,
  first: HTMLElement | null,
  signal: AbortSignal,
  close: () => void,
): void {
  const hadFocus = place.element.contains(document.activeElement);
  place.element.replaceChildren(form);
  if (hadFocus) first?.focus();
  form.addEventListener("keydown", (event) => {
    // While text is composed, Escape ends the composition.
    if (event.key === "Escape" && !event.isComposing) close();
  });
  signal.addEventListener("abort", () => {
    if (!form.isConnected) return;
    keepFocus(place);
    form.remove();
  });
}

/** Keeps the keyboard at the place of a form whose controls go away. */
export function keepFocus(place: FormPlace): void {
  if (place.element.contains(document.activeElement)) place.element.focus({ preventScroll: true });
}

/** Returns the message of a question. Lines that draw something keep their form. */
export function message(text: string, id: string): HTMLElement {
  const drawn = text.split("\n").some((line) => /[-+|]{3}/.test(line));
  return h("p", { id, class: drawn ? "message drawn" : "message" }, text);
}

/** Returns the problems of the last answer that belong to no field of the form. */
export function problemsOfNoField(problems: AnswerProblem[], names: string[]): HTMLElement | undefined {
  const own = problems.filter(({ field }) => field === null || !names.includes(field));
  if (own.length === 0) return undefined;
  return h("p", { class: "problem", role: "alert" }, icon("cross"), own.map(({ message }) => message).join(" "));
}
