// The rounds of a call, as steps one below the other.

import type { AnyAnswer, CallEvent, OpenQuestion } from "../dev-api";
import { isObject } from "../input/shape";
import { CallLog, h, icon, words } from "../parts";
import { bytes, code, disclosure, duration, pretty, prose, time } from "../ui";
import { FAULTS } from "./fault-words";

/** An event that can name a message of the log. */
type MessageEvent = Exclude<CallEvent, { type: "progress" }>;

/** The most rounds in the document, and the most lines of one. */
const MOST_ROUNDS = 40;
const MOST_LINES = 60;

/** More of an answer is in its message. */
const LONGEST_ANSWER = 2000;

interface Step {
  round: number;
  element: HTMLElement;
  head: HTMLElement;
  lines: HTMLElement;
  log: CallLog;
  ran: Map<string, number>;
  ranLine: HTMLElement;
  progress: { element: HTMLElement; bar: HTMLProgressElement; text: HTMLElement };
}

export class Rounds {
  private readonly list = h("ol", { class: "rounds" });
  private readonly note = h("p", { class: "note", hidden: true });
  readonly element = h("div", {}, this.note, this.list);
  private step: Step | undefined;
  private questions = new Map<number, OpenQuestion>();
  private removed = 0;

  constructor(
    private readonly onMessage: (n: number) => void,
    private readonly startAgain: () => void,
  ) {}

  on(event: CallEvent): void {
    switch (event.type) {
      case "started":
        if (event.request.kind !== "resource" && Object.keys(event.request.arguments).length > 0) {
          const { arguments: input } = event.request;
          this.element.prepend(disclosure("Arguments", () => code(pretty(input), "Arguments")));
        }
        return;
      case "round":
        this.step = this.begin(event);
        return;
      case "log":
        return this.current(event).log.add(
          event.level,
          event.logger ? `${event.logger}: ${textOf(event.data)}` : event.data,
        );
      case "progress":
        return this.progress(this.current(event), event);
      case "asked":
        this.questions.set(event.question.seq, event.question);
        return this.line(event, "asked", "asks", asked(event.question));
      case "answered":
        return this.line(
          event,
          "answered",
          `answered ${BY[event.by] ?? `by ${event.by}`}`,
          said(event.answer, this.questions.get(event.seq)).slice(0, LONGEST_ANSWER),
        );
      case "changed":
        return this.changed(event);
      case "round_ended":
        return this.end(event);
      case "fault":
        return this.line(event, "fault", `Fault: ${FAULTS[event.fault]?.name ?? event.fault}:`, prose(event.told));
      case "ran":
        return this.ran(this.current(event), event);
      case "finding":
        return this.finding(event);
      default:
        return;
    }
  }

  private begin({ round, instance, again, at, message }: CallEvent & { type: "round" }): Step {
    const head = h("span", { class: "meta" }, [`${instance} instance`, time(at)].join(" · "));
    const lines = h("ul", { class: "lines" });
    const log = new CallLog();
    const title = h("h4", {}, `Round ${round}`, again && " again");
    const [bar, text, ranLine] = [
      h("progress", { max: 1, "aria-label": "Progress" }),
      h("span"),
      h("p", { class: "ran", hidden: true }),
    ];
    const progress = { element: h("div", { class: "progress", hidden: true }, bar, text), bar, text };
    const links = this.link(message, "request");
    const element = h(
      "li",
      { class: "round" },
      h("div", { class: "round-head" }, title, head, links),
      log.element,
      progress.element,
      lines,
      ranLine,
    );
    this.list.append(element);
    if (this.list.childElementCount > MOST_ROUNDS) {
      this.list.firstElementChild!.remove();
      this.removed += 1;
      this.note.hidden = false;
      this.note.textContent = `${this.removed} earlier rounds are not shown. Their messages are in the log.`;
    }
    return { round, element, head, lines, log, ran: new Map(), ranLine, progress };
  }

  private current(event: CallEvent): Step {
    this.step ??= this.begin({
      id: event.id,
      at: event.at,
      round: event.round,
      type: "round",
      instance: "first",
      again: false,
    });
    return this.step;
  }

  private line(event: MessageEvent, kind: string, label: string, ...content: (Node | string | undefined)[]): void {
    const { lines } = this.current(event);
    const shapes: Record<string, "check" | "cross" | "send" | "tool" | "search"> = {
      asked: "search",
      answered: "send",
      fault: "cross",
      ok: "check",
      problem: "cross",
      changed: "tool",
    };
    const given = content.filter((one): one is Node | string => one !== undefined);
    lines.append(
      h(
        "li",
        { class: `line ${kind}` },
        icon(shapes[kind] ?? "tool"),
        h("div", {}, h("b", {}, label), " ", ...given, " ", this.link(event.message, "message")),
      ),
    );
    while (lines.childElementCount > MOST_LINES) lines.firstElementChild!.remove();
  }

  private link(message: number | undefined, what: string): HTMLElement | undefined {
    if (message === undefined) return undefined;
    return h("button", { type: "button", class: "link", onclick: () => this.onMessage(message) }, `${what} ${message}`);
  }

  private progress(step: Step, event: CallEvent & { type: "progress" }): void {
    const { element, bar, text } = step.progress;
    element.hidden = false;
    const { progress, total } = event;
    if (typeof total === "number" && total > 0) {
      bar.max = total;
      bar.value = progress;
    } else bar.removeAttribute("value");
    text.textContent = [event.message ?? "", total === undefined ? String(progress) : `${progress} of ${total}`]
      .filter(Boolean)
      .join(" · ");
  }

  private ran(step: Step, { name, times }: CallEvent & { type: "ran" }): void {
    if (step.ran.size >= 100 && !step.ran.has(name)) return;
    step.ran.set(name, times);
    step.ranLine.hidden = false;
    const told = [...step.ran].map(([name, times]) => `${name} ${times === 1 ? "once" : `${times} times`}`);
    step.ranLine.textContent = `Ran so far: ${told.join(", ")}`;
  }

  private changed(event: CallEvent & { type: "changed" }): void {
    const side = (label: string, question: OpenQuestion) =>
      h("div", {}, h("p", { class: "label" }, label), asked(question));
    this.line(
      event,
      "changed",
      "The question has changed",
      h("div", { class: "sides" }, side("It was", event.before), side("It is now", event.after)),
      h("button", { type: "button", class: "small", onclick: () => this.startAgain() }, "Start the call again"),
    );
  }

  private finding(event: CallEvent & { type: "finding" }): void {
    const name = FAULTS[event.fault]?.name ?? event.fault;
    this.line(
      event,
      event.ok ? "ok" : "problem",
      event.ok ? `As promised (${name}):` : `Not as promised (${name}):`,
      prose(event.told),
    );
  }

  private end(event: CallEvent & { type: "round_ended" }): void {
    const step = this.current(event);
    step.head.textContent += ` · ${duration(event.took)}`;
    if (event.state) step.head.textContent += ` · state of ${bytes(event.state.length)}`;
    // What was reported stays. Nothing moves any more.
    step.progress.bar.hidden = true;
    const link = this.link(event.message, "reply");
    if (link) step.head.parentElement?.append(link);
  }
}

const BY: Record<string, string> = {
  hand: "by hand",
  prepared: "as prepared",
  script: "by a script",
  model: "by the model",
};

/** A question, in short. Its form is below while it is open. */
function asked(question: OpenQuestion): HTMLElement {
  switch (question.kind) {
    case "sampling": {
      const messages = Array.isArray(question.params?.messages) ? question.params.messages.length : 0;
      return h("span", {}, `the model to reply to ${messages === 1 ? "1 message" : `${messages} messages`}`);
    }
    case "roots":
      return h("span", {}, "for the roots of the client");
    case "url":
      return h("span", {}, h("q", {}, question.message), ` at ${question.url ?? ""}`);
    default:
      return h("span", {}, h("q", {}, question.message));
  }
}

function said(answer: AnyAnswer, question: OpenQuestion | undefined): string {
  if (answer.action === "reply") return "text" in answer ? answer.text : JSON.stringify(answer.result);
  if (answer.action === "model") return "";
  if (answer.action === "roots") return answer.roots.map(({ uri }) => uri).join(", ") || "no roots";
  if (answer.action !== "accept") return answer.action === "decline" ? "declined" : "closed without an answer";
  const properties = question && "schema" in question ? question.schema?.properties : undefined;
  const titles = isObject(properties) ? (properties as Record<string, { title?: string } | undefined>) : {};
  return (
    Object.entries(answer.content ?? {})
      .map(([name, value]) => `${titles[name]?.title ?? words(name)}: ${textOf(value)}`)
      .join(" · ") || "accepted"
  );
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
