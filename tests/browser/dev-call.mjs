// A call of the mock: it runs a script, and tells the page what happens.

import { SCRIPTS } from "./dev-calls.mjs";

const TOLD = { lose_reply: "the reply is lost, and the client sends its request again" };

export class MockCall {
  events = [];
  call = this;
  questions = [];
  status = "working";
  rounds = 0;
  armed = undefined;
  #waiting = new Map();
  #seq = 0;
  #end;
  #cancelled = new Promise((_, reject) => (this.#end = reject));

  constructor(mock, id, request, setup, prepared) {
    Object.assign(this, { mock, id, request, setup, prepared: [...prepared], startedAt: Date.now() + mock.calls.length });
    this.#cancelled.catch(() => {});
  }

  summary() {
    const { id, request, setup, status, startedAt, took, rounds, questions, armed } = this;
    return { id, request, setup, status, startedAt, took, rounds, questions, armed, lastEvent: this.events.length };
  }

  event = (type, members) => {
    const event = { id: this.events.length + 1, at: Date.now(), round: Math.max(this.rounds, 1), type, ...members };
    this.events.push(event);
    this.mock.emit({ type: "event", call: this.id, event });
  };

  async run() {
    this.event("started", { request: this.request });
    this.tell();
    this.round();
    const { kind, name, uri } = this.request;
    try {
      const work =
        kind === "tool"
          ? SCRIPTS[name](this.request.arguments, this)
          : kind === "prompt"
            ? {
                messages: [
                  {
                    role: "user",
                    content: { type: "text", text: `Summarize ${JSON.stringify(this.request.arguments)}` },
                  },
                ],
              }
            : { contents: [{ uri, mimeType: "text/plain", text: `The text of ${uri}` }] };
      const result = await Promise.race([work, this.#cancelled]);
      this.over("finished", { result });
    } catch (error) {
      if (error === "cancelled") this.over("cancelled", {});
      else this.over("failed", { code: error.code, told: error.message, data: error.data });
    }
  }

  /** A request leaves. In a session there is only one. */
  round = () => {
    this.rounds += 1;
    const isStateless = this.setup.revision >= "2026-07-28";
    const message = this.mock.wire({
      direction: "sent",
      kind: isStateless || this.rounds === 1 ? "tools/call" : "result",
      request: String(this.rounds),
      call: this.id,
      round: this.rounds,
      body: { jsonrpc: "2.0", id: this.rounds, method: "tools/call", params: this.request },
    });
    this.event("round", { instance: this.setup.otherInstance ? "second" : "first", again: false, message });
  };

  endRound = () => {
    const message = this.mock.wire({
      direction: "received",
      kind: "result",
      request: String(this.rounds),
      call: this.id,
      round: this.rounds,
      status: 200,
      body: { jsonrpc: "2.0", id: this.rounds, result: {} },
    });
    const state = this.setup.revision >= "2026-07-28" && this.questions.length > 0 ? { state: { length: 812 } } : {};
    this.event("round_ended", { took: 12, message, ...state });
  };

  never = new Promise(() => {});

  ask = async (question, tell) => (await this.askAll([question], tell))[0];

  askAll = (questions, tell = (question) => this.event("asked", { question })) => {
    const answers = questions.map((question) => {
      this.#seq += 1;
      const asked = { ...question, seq: this.#seq };
      this.questions.push(asked);
      tell(asked);
      return new Promise((resolve) => this.#waiting.set(asked.seq, resolve));
    });
    this.status = "input_required";
    this.endRound();
    this.tell();
    for (const question of [...this.questions]) this.#answerPrepared(question);
    return Promise.all(answers);
  };

  /** Gives the first prepared answer that fits the question. */
  #answerPrepared({ seq, kind, key }) {
    const at = this.prepared.findIndex(
      (prepared) => (prepared.kind ?? kind) === kind && (prepared.key ?? key) === key,
    );
    if (at < 0) return;
    const [{ kind: _, key: __, ...answer }] = this.prepared.splice(at, 1);
    this.answer({ seq, ...answer }, "prepared");
  }

  answer({ seq, ...answer }, by = answer.action === "model" ? "model" : "hand") {
    const question = this.questions.find((question) => question.seq === seq);
    if (!question)
      throw Object.assign(new Error("the question is answered already"), { status: 409, code: "not_open" });
    if (answer.action === "accept" && question.schema) {
      const problems = (question.schema.required ?? [])
        .filter((name) => answer.content?.[name] === undefined)
        .map((name) => ({ field: name, message: `\`${name}\` is missing` }));
      if (answer.content?.reference === "bad")
        problems.push({ field: "reference", message: "`bad` is not a reference: use letters and digits" });
      if (problems.length > 0)
        throw Object.assign(new Error("the answer does not fit the form"), {
          status: 422,
          code: "invalid_answer",
          problems,
        });
    }
    this.questions = this.questions.filter((other) => other !== question);
    this.event("answered", { seq, key: question.key, by, answer });
    this.status = this.questions.length > 0 ? "input_required" : "working";
    this.happen();
    this.tell();
    this.#waiting.get(seq)(answer);
  }

  inject(fault) {
    if (!this.mock.state.abilities.faults.includes(fault))
      throw Object.assign(new Error(`\`${fault}\` is not possible here`), { status: 409, code: "impossible" });
    if (fault === "cancel") return this.cancel();
    if (/^(other_revision|without_)/.test(fault)) {
      const setup = structuredClone(this.setup);
      if (fault === "other_revision") setup.revision = setup.revision < "2026-07-28" ? "2026-07-28" : "2025-11-25";
      else setup.capabilities[fault.replace("without_", "")] = false;
      const call = this.mock.begin({ request: this.request, setup });
      return this.event("fault", { fault, told: `another client makes the same call: ${call.id}` });
    }
    this.armed = fault;
    if (fault === "kill" || fault === "clock_forward") this.happen();
    this.tell();
  }

  disarm() {
    if (!this.armed) throw Object.assign(new Error("no fault is armed"), { status: 409, code: "conflict" });
    this.armed = undefined;
    this.tell();
  }

  /** The armed fault happens. */
  happen() {
    const fault = this.armed;
    if (!fault) return;
    this.armed = undefined;
    this.event("fault", { fault, told: TOLD[fault] ?? `the fault ${fault} has happened` });
    if (fault === "lose_reply") this.event("round", { instance: "first", again: true });
    const ok = fault !== "send_twice";
    const told = ok
      ? "The server answered with the recorded reply. `before` ran once, `after` ran once."
      : "`transfer_money` ran twice.";
    this.event("finding", { fault, ok, told });
  }

  cancel() {
    this.#end("cancelled");
  }

  over(status, members) {
    this.questions = [];
    this.status = status;
    this.took = Date.now() - this.startedAt + 40;
    if (status === "finished") this.happen();
    this.event(status, members);
    this.tell();
  }

  tell() {
    this.mock.emit({ type: "call", call: this.summary() });
  }
}
