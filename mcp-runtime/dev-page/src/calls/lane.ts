// One call: a lane with its rounds, its open questions, its result and its tools.

import { told } from "../client";
import type { Call, CallEvent } from "../dev-api";
import { announce, h, icon, uniqueId } from "../parts";
import { isOver, type Session } from "../session";
import { duration, problem, time } from "../ui";
import { FaultBar } from "./fault-bar";
import { FAULTS, STATUS } from "./fault-words";
import { hueOf } from "./hue";
import { LaneResult } from "./lane-result";
import { LaneTools } from "./lane-tools";
import { OpenQuestions } from "./open-questions";
import { Rounds } from "./rounds";

export class Lane {
  private readonly status = h("span", { class: "state" });
  private readonly armed = h("span", { class: "armed", hidden: true });
  private readonly meta = h("span", { class: "meta" });
  private readonly fact = h("span");
  private readonly cancel = h(
    "button",
    { type: "button", class: "quiet small", onclick: () => void this.cancelCall() },
    icon("stop"),
    "Cancel",
  );
  private readonly toggle: HTMLButtonElement;
  private readonly body = h("div", { class: "lane-body", hidden: true });
  private readonly wrong = h("div");
  readonly element: HTMLElement;
  private content:
    { rounds: Rounds; questions: OpenQuestions; result: LaneResult; faults: FaultBar; tools: LaneTools } | undefined;
  private closing = new AbortController();
  private loading = false;
  private waiting: CallEvent[] = [];
  private last = 0;
  /** The id of the last event when the call was last read. */
  private lastRead = 0;
  /** The call could not be read, so events are missing. */
  private isIncomplete = false;

  constructor(
    private readonly session: Session,
    public call: Call,
    private readonly onMessage: (message: { message?: number; call?: string }) => void,
    private readonly onOpen: () => void,
  ) {
    const heading = uniqueId("lane");
    const name = session.nameOf(call.id);
    this.toggle = h(
      "button",
      {
        type: "button",
        class: "quiet toggle",
        "aria-expanded": "false",
        onclick: () => (this.isOpen ? this.fold() : this.unfold()),
      },
      name,
    );
    // Calls of one tool have the same name, so the id is part of it.
    const id = h("span", { class: "visually-hidden", id: uniqueId("call") }, call.id);
    this.element = h(
      "article",
      { class: `lane ${hueOf(call.id)}`, "aria-labelledby": `${heading} ${id.id}`, tabindex: -1 },
      h(
        "header",
        {},
        h("h3", { id: heading }, this.toggle),
        id,
        this.status,
        this.armed,
        h("span", { class: "meta" }, this.fact),
        this.meta,
        this.cancel,
      ),
      this.wrong,
      this.body,
    );
    this.changed(call);
  }

  get isOpen(): boolean {
    return !this.body.hidden;
  }

  focus(): void {
    this.element.focus({ preventScroll: true });
    this.element.scrollIntoView({ block: "nearest" });
  }

  /** Shows what has happened. It is read from the command, because the page does not keep it. */
  unfold(): void {
    if (this.isOpen) return;
    this.body.hidden = false;
    this.toggle.setAttribute("aria-expanded", "true");
    this.build();
    void this.load();
    this.onOpen();
  }

  fold(): void {
    this.body.hidden = true;
    this.toggle.setAttribute("aria-expanded", "false");
    this.closing.abort();
    this.body.replaceChildren();
    this.content = undefined;
    this.waiting = [];
    this.last = 0;
    this.isIncomplete = false;
  }

  remove(): void {
    this.closing.abort();
    this.element.remove();
  }

  changed(call: Call): void {
    // The call that was read can be newer than this event of the stream.
    if (call.lastEvent < this.lastRead) return;
    const before = this.call.status;
    this.call = call;
    const { revision, transport, principal, otherInstance } = call.setup;
    this.status.textContent = STATUS[call.status] ?? call.status;
    this.element.dataset.state = call.status;
    this.armed.hidden = call.armed === undefined;
    this.armed.textContent = call.armed ? `Armed: ${FAULTS[call.armed]?.name ?? call.armed}` : "";
    this.fact.textContent = [
      call.request.kind,
      revision,
      transport,
      principal && `as ${principal.name}`,
      otherInstance && "second instance",
    ]
      .filter(Boolean)
      .join(" · ");
    const rounds = call.rounds === 1 ? "1 round" : `${call.rounds} rounds`;
    this.meta.textContent = [rounds, call.took !== undefined && duration(call.took), time(call.startedAt).slice(0, 8)]
      .filter(Boolean)
      .join(" · ");
    this.cancel.hidden = isOver(call) || !this.session.canCall;
    this.content?.questions.reconcile(call.questions);
    this.content?.faults.changed(call);
    if (before !== call.status && isOver(call)) announce(`${this.session.nameOf(call.id)}: ${this.status.textContent}`);
  }

  event(event: CallEvent): void {
    if (!this.content) return;
    if (this.loading) this.waiting.push(event);
    else this.show(event);
  }

  /** Reads what was missed while the connection was lost. */
  async catchUp(): Promise<void> {
    if (!this.content) return;
    if (!this.isIncomplete) return this.load();
    this.fold();
    this.unfold();
  }

  private build(): void {
    this.closing = new AbortController();
    const { session, call } = this;
    const rounds = new Rounds(
      (message) => this.onMessage({ message }),
      () => void this.startAgain(),
    );
    const questions = new OpenQuestions(session, call, this.closing.signal);
    const result = new LaneResult(session, call, this.closing.signal);
    const faults = new FaultBar(session, call);
    const tools = new LaneTools(session, call.id, () => this.onMessage({ call: call.id }), this.closing.signal);
    this.content = { rounds, questions, result, faults, tools };
    this.body.replaceChildren(rounds.element, questions.element, result.element, faults.element, tools.element);
  }

  private async load(): Promise<void> {
    const { content, call: known } = this;
    this.loading = true;
    try {
      const call = await this.session.client.call(this.call.id);
      // Folded in the meantime.
      if (content !== this.content) return;
      this.wrong.replaceChildren();
      for (const event of call.events ?? []) this.show(event);
      const isNewer = call.lastEvent > this.call.lastEvent;
      if (isNewer || (call.lastEvent === this.call.lastEvent && this.call === known)) {
        this.lastRead = call.lastEvent;
        this.changed(call);
      } else this.content?.questions.reconcile(this.call.questions);
    } catch (error) {
      if (content !== this.content) return;
      this.isIncomplete = true;
      this.wrong.replaceChildren(problem(`The call cannot be read: ${told(error)}`));
    } finally {
      if (content === this.content) {
        this.loading = false;
        for (const event of this.waiting.splice(0)) this.show(event);
      }
    }
  }

  private show(event: CallEvent): void {
    if (!this.content || event.id <= this.last) return;
    this.last = event.id;
    const { rounds, questions, result, faults, tools } = this.content;
    rounds.on(event);
    faults.on(event);
    tools.on(event);
    if (!this.loading) {
      questions.on(event);
      if (event.type === "finding") announce(`${event.ok ? "As promised" : "Not as promised"}: ${event.told}`);
    }
    if (event.type === "finished" || event.type === "failed" || event.type === "cancelled") result.show(event);
  }

  private async startAgain(): Promise<void> {
    const { request, setup } = this.call;
    try {
      this.session.begun(await this.session.client.start(request, setup));
    } catch (error) {
      this.wrong.replaceChildren(problem(told(error)));
    }
  }

  private async cancelCall(): Promise<void> {
    this.cancel.disabled = true;
    await this.session.client
      .cancel(this.call.id)
      .catch((error: unknown) => this.wrong.replaceChildren(problem(told(error))));
    this.cancel.disabled = false;
  }
}
