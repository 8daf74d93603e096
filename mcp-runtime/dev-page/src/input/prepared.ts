// The answers that are prepared for a call: a list, written as JSON. A reply of a model needs no JSON.

import type { AnyAnswer, PreparedAnswer } from "../dev-api";
import { announce, h, uniqueId } from "../parts";
import { JsonField } from "./json";
import { isObject } from "./shape";

/** The most answers of a call. */
const MOST = 100;

/** What each kind of question is answered with. */
const ACTIONS: Record<NonNullable<PreparedAnswer["kind"]>, AnyAnswer["action"][]> = {
  form: ["accept", "decline", "cancel"],
  url: ["accept", "decline", "cancel"],
  sampling: ["reply", "model"],
  roots: ["roots"],
};

export class PreparedField {
  readonly element: HTMLDetailsElement;
  private readonly count = h("span", { class: "count" });
  private readonly list = h("ol", { class: "prepared" });
  private readonly json = new JsonField(
    "All answers as JSON",
    "Each has an action, and content, text, result or roots. A kind or a key says which question it is for.",
    undefined,
    6,
    problemOf,
  );
  private readonly reply: HTMLTextAreaElement;

  constructor(answers: unknown) {
    this.reply = h("textarea", { id: uniqueId("reply"), rows: 2 });
    const add = h("button", { type: "button", class: "small", onclick: () => this.add() }, "Add the reply");
    const note = "When the call asks, the first one that fits is given. What none of them fits waits for you.";
    this.element = h(
      "details",
      { class: "prepared-answers" },
      h("summary", {}, "Prepared answers", this.count),
      h("p", { class: "description" }, note),
      this.list,
      h("div", { class: "field" }, h("label", { for: this.reply.id }, "Reply of the model"), this.reply, add),
      this.json.element,
    );
    this.json.element.addEventListener("input", () => this.draw());
    this.write(answers);
  }

  /** Returns the answers. What is not a list of answers counts as none. */
  read(): PreparedAnswer[] {
    const value = this.json.read() ?? [];
    return problemOf(value) === undefined ? (value as PreparedAnswer[]) : [];
  }

  write(answers: unknown): void {
    const given = Array.isArray(answers) && answers.length > 0 ? answers : undefined;
    this.json.write(given);
    this.json.check();
    if (given) this.element.open = true;
    this.draw();
  }

  /** Shows what is wrong, and moves the keyboard there. Returns whether the answers can be sent. */
  check(): boolean {
    if (this.json.check()) return true;
    this.element.open = true;
    this.json.focus();
    return false;
  }

  private add(): void {
    if (!this.check()) return;
    if (this.reply.value === "") return this.reply.focus();
    this.change([...this.read(), { kind: "sampling", action: "reply", text: this.reply.value }]);
    this.reply.value = "";
    announce("The reply is prepared.");
  }

  private remove(index: number): void {
    this.change(this.read().filter((_, at) => at !== index));
    // The button is gone.
    this.element.querySelector("summary")!.focus();
    announce("The answer is removed.");
  }

  private change(answers: PreparedAnswer[]): void {
    this.json.write(answers.length > 0 ? answers : undefined);
    this.element.dispatchEvent(new Event("input", { bubbles: true }));
    this.draw();
  }

  private draw(): void {
    const answers = this.read();
    this.count.textContent = answers.length > 0 ? ` ${answers.length}` : "";
    this.list.replaceChildren(
      ...answers.map((answer, index) =>
        h(
          "li",
          {},
          h("span", {}, inWords(answer)),
          h(
            "button",
            {
              type: "button",
              class: "quiet small",
              "aria-label": `Remove answer ${index + 1}`,
              onclick: () => this.remove(index),
            },
            "Remove",
          ),
        ),
      ),
    );
  }
}

function inWords({ kind, key, ...answer }: PreparedAnswer): string {
  const place = key ?? kind;
  const { action, ...content } = answer as { action: string };
  const [value] = Object.values(content) as unknown[];
  const text = value === undefined ? "" : typeof value === "string" ? value : JSON.stringify(value);
  return `${place === undefined ? "" : `${place}: `}${action} ${text}`.trim().slice(0, 200);
}

/** Returns why a value is not a list of answers. The server knows whether they fit its questions. */
function problemOf(value: unknown): string | undefined {
  if (!Array.isArray(value)) return "This is not a list. It begins with [ and ends with ].";
  if (value.length > MOST) return `These are ${value.length} answers. At most ${MOST} can be prepared.`;
  const every = [...new Set(Object.values(ACTIONS).flat())];
  for (const [index, answer] of value.entries()) {
    const number = `Answer ${index + 1}`;
    if (!isObject(answer)) return `${number} is not an object.`;
    const { kind, action } = answer as { kind?: unknown; action?: unknown };
    const kinds = Object.keys(ACTIONS);
    if (kind !== undefined && !kinds.includes(String(kind))) return `${number} needs a kind of: ${kinds.join(", ")}.`;
    const actions = kind === undefined ? every : ACTIONS[kind as keyof typeof ACTIONS];
    if (!actions.includes(action as AnyAnswer["action"])) return `${number} needs an action of: ${actions.join(", ")}.`;
    if (action === "reply" && typeof answer.text !== "string" && !isObject(answer.result))
      return `${number} needs a text or a result.`;
    if (action === "roots" && !Array.isArray(answer.roots)) return `${number} needs a list of roots.`;
  }
  return undefined;
}
