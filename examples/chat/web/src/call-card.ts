// One call in the conversation: what happens in it, its open question, and its result.

import { announce } from "./announce";
import { CallLog } from "./call-log";
import { resultOf } from "./call-result";
import { CallView, type ViewActions } from "./call-view";
import { h, icon, type Shape } from "./dom";
import { choices, words } from "./forms/field";
import { handlersIn } from "./forms/handlers";
import type { AnyRequest } from "./forms/form";
import { viewOrForm } from "./forms/view";
import { visit } from "./forms/visit";
import {
  type Answer,
  answerWith,
  type Call,
  type FieldSchema,
  type Handlers,
  isEnd,
  type PluginClient,
  PluginError,
  type Question,
  type TimelineEvent,
} from "./plugins/plugin-client";

const SYMBOLS: Record<string, Shape> = {
  book_flight: "plane",
  choose_seat: "plane",
  seat_map: "plane",
  play_ttt: "grid",
  code_search: "search",
};

const ACTIONS = { accept: "", decline: "Declined", cancel: "Closed without an answer" };

export class CallCard {
  private readonly state = h("span", { class: "state" });
  private readonly cancel = h(
    "button",
    {
      type: "button",
      class: "quiet small",
      "aria-label": "Cancel the call",
      hidden: true,
      onclick: () => void this.cancelCall(),
    },
    icon("stop"),
    h("span", { class: "wide" }, "Cancel"),
  );
  private readonly progress = h("div", { class: "progress", hidden: true });
  private readonly bar = h("progress", { max: 1, "aria-label": "Progress" });
  private readonly work = h("span");
  private readonly answers = h("ul", { class: "answers" });
  private readonly form = h("div", { class: "place", tabindex: -1 });
  private readonly log = new CallLog();
  private readonly end = h("div", { class: "end-of-call" });
  private readonly viewPlace = h("div");
  private view: CallView | undefined;
  private readonly heading: HTMLElement;
  readonly element: HTMLElement;
  private readonly stopping = new AbortController();
  /** The question that was answered on this page. */
  private answeredHere = 0;
  private history = 0;
  private readonly questions = new Map<number, Question>();

  constructor(
    private readonly client: PluginClient,
    private readonly id: string,
    tool: string,
    title: string | undefined,
    private readonly onConnection: (connected: boolean) => void,
    private readonly onState: () => void,
    private readonly viewActions: ViewActions,
  ) {
    this.heading = h("h2", {}, icon(SYMBOLS[tool] ?? "tool"), title ?? words(tool));
    this.progress.append(this.bar, this.work);
    this.element = h(
      "article",
      { class: "call", "aria-label": title ?? words(tool) },
      h("header", {}, this.heading, this.state, this.cancel),
      this.progress,
      this.answers,
      this.form,
      this.viewPlace,
      this.end,
      this.log.element,
    );
    this.show("working");
  }

  /** Follows the call to its end. */
  async follow(): Promise<void> {
    try {
      const call = await this.client.call(this.id);
      this.history = call.lastEvent;
      await this.prepareView(call);
      await answerWith(this.client, call, this.handlers(call), (request) => this.noted(request, visit(this.place, request)), {
        signal: this.stopping.signal,
        onEvent: (event) => this.on(event),
        onConnection: this.onConnection,
      });
    } catch (error) {
      if (!(error instanceof PluginError)) {
        // The server is away: the card begins again when it is back.
        if (this.stopping.signal.aborted) return;
        this.onConnection(false);
        await new Promise((resolve) => setTimeout(resolve, 1000));
        return this.follow();
      }
      this.show("gone");
      const note = error.status === 404 ? "This call is not kept any more." : error.message;
      this.end.replaceChildren(h("p", { class: "note" }, note));
    }
  }

  /** Whether the call waits for the user. */
  get isAsking(): boolean {
    return this.element.dataset.state === "input_required";
  }

  /** Stops following. */
  close(): void {
    this.stopping.abort();
  }

  private get place() {
    return { element: this.form };
  }

  /** Finds the view of the tool. A call that still works shows it at once. */
  private async prepareView(call: Call): Promise<void> {
    const tool = (await this.client.tools()).find(({ name }) => name === call.tool);
    this.view?.remove();
    this.view = new CallView(this.client, call, tool, this.viewActions, this.stopping.signal);
    this.viewPlace.replaceChildren(this.view.element);
    if (call.status === "working") this.view.begin();
  }

  /** The handlers of the page, which also note that the answer came from here. A view can show the question instead. */
  private handlers(_call: Call): Handlers {
    type AnyHandler = (request: AnyRequest) => Promise<Answer>;
    const handlers = handlersIn(this.place) as unknown as Record<string, Record<string, AnyHandler>>;
    for (const forms of Object.values(handlers)) {
      for (const [form, handler] of Object.entries(forms)) {
        forms[form] = (request) =>
          this.noted(request, viewOrForm(this.place, request, this.client, () => handler(request)));
      }
    }
    return handlers as unknown as Handlers;
  }

  private async noted<T>({ question }: { question: { seq: number } }, answer: Promise<T>): Promise<T> {
    const given = await answer;
    this.answeredHere = question.seq;
    return given;
  }

  private on(event: TimelineEvent): void {
    const isNew = event.id > this.history;
    switch (event.type) {
      case "log":
        return this.log.add(event.level, event.data);
      case "progress":
        return this.showProgress(event);
      case "elicit":
        this.questions.set(event.question.seq, event.question);
        return this.show("input_required");
      case "answered":
        this.answers.append(this.answer(event, isNew));
        return this.show("working");
      case "finished":
        this.end.replaceChildren(resultOf(event.result));
        void this.view?.finish(event.result);
        this.show(event.result.isError ? "failed" : "finished");
        break;
      case "failed":
        this.end.replaceChildren(h("p", { class: "problem" }, event.message));
        void this.view?.end(event.message);
        this.show("failed");
        break;
      case "cancelled":
        void this.view?.end("the call was cancelled");
        this.show("cancelled");
        break;
    }
    if (isEnd(event)) {
      this.progress.hidden = true;
      if (isNew) announce(`${this.heading.textContent}: ${this.state.textContent}`);
    }
  }

  private showProgress(event: { progress: number; total?: number; message?: string }): void {
    this.progress.hidden = false;
    if (event.total === undefined) this.bar.removeAttribute("value");
    else {
      this.bar.max = event.total;
      this.bar.value = event.progress;
    }
    this.work.textContent = event.message ?? "";
  }

  private answer(event: TimelineEvent & { type: "answered" }, isNew: boolean): HTMLElement {
    const elsewhere = isNew && event.seq !== this.answeredHere;
    const fields = this.questions.get(event.seq)?.schema?.properties ?? {};
    const content = Object.entries(event.content ?? {}).map(([name, value]) => {
      const field = fields[name];
      return `${field?.title ?? words(name)}: ${said(value, field)}`;
    });
    const text = ACTIONS[event.action] || content.join(" · ") || "Accepted";
    if (elsewhere) announce("The question was answered in another tab.");
    return h(
      "li",
      {},
      icon(event.action === "accept" ? "check" : "cross"),
      h("span", {}, text, elsewhere && h("span", { class: "note" }, " (in another tab)")),
    );
  }

  private show(state: string): void {
    const names: Record<string, string> = {
      working: "Working",
      input_required: "Your turn",
      finished: "Done",
      failed: "Failed",
      cancelled: "Cancelled",
      gone: "Over",
    };
    this.state.textContent = names[state] ?? state;
    this.element.dataset.state = state;
    this.cancel.hidden = state !== "working" && state !== "input_required";
    this.onState();
  }

  private async cancelCall(): Promise<void> {
    this.cancel.disabled = true;
    await this.client.cancel(this.id).catch((error: unknown) => announce(String(error)));
    this.cancel.disabled = false;
  }
}

/** Returns a value as the form has shown it. */
function said(value: unknown, field: FieldSchema | undefined): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  const offered = choices({ ...field?.items, ...field });
  const title = (item: unknown) => offered.find((choice) => choice.const === item)?.title ?? String(item);
  return [value].flat().map(title).join(", ");
}
