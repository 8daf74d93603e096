// The log of all messages in both directions: filters, the list, and one message in full.

import { told } from "../client";
import type { MessageSummary } from "../dev-api";
import { hueOf } from "../calls/hue";
import { announce, h } from "../parts";
import type { Session } from "../session";
import { bytes, labelled, number, problem, time } from "../ui";
import { LogList } from "./log-list";
import { MessageDetail } from "./message-detail";
import { type Filter, Pages } from "./pages";

const KINDS = [
  "tools/call",
  "tools/list",
  "prompts/get",
  "resources/read",
  "completion/complete",
  "initialize",
  "elicitation/create",
  "sampling/createMessage",
  "roots/list",
  "notifications/message",
  "notifications/progress",
  "notifications/cancelled",
  "result",
  "error",
  "stderr",
];
const WAIT_MS = 200;

export class MessagesPanel {
  private readonly text = h("input", {
    type: "search",
    placeholder: "Text in the message",
    oninput: () => this.later(),
    autocomplete: "off",
  });
  private readonly direction = h(
    "select",
    { onchange: () => this.filter() },
    option("", "Both"),
    option("sent", "Sent"),
    option("received", "Received"),
  );
  private readonly kind = h(
    "select",
    { onchange: () => this.filter() },
    option("", "All"),
    ...KINDS.map((kind) => option(kind, kind)),
  );
  private readonly call = h(
    "select",
    { onchange: () => this.filter(), onfocus: () => this.drawCalls() },
    option("", "All"),
  );
  private readonly follow = h("input", { type: "checkbox", onchange: () => this.list.follow(this.follow.checked) });
  private readonly count = h("p", { class: "count", role: "status" });
  private readonly wrong = h("div");
  private readonly pages: Pages;
  private readonly list: LogList;
  private readonly detail: MessageDetail;
  readonly element: HTMLElement;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private refreshing: ReturnType<typeof setTimeout> | undefined;
  private isShown = false;
  /** A row that was chosen before its message was here. */
  private chosen: number | undefined;

  constructor(
    private readonly session: Session,
    private readonly onAddress: (address: { call?: string; message?: number }) => void,
  ) {
    this.follow.checked = true;
    this.pages = new Pages(
      session.client,
      () => this.draw(),
      (error) => this.wrong.replaceChildren(problem(told(error))),
    );
    this.list = new LogList({
      label: "Messages",
      count: () => this.pages.matching,
      fill: (row, position) => this.fill(row, position),
      choose: (position) => this.choose(position),
      followed: (isAtEnd) => (this.follow.checked = isAtEnd),
    });
    this.detail = new MessageDetail(session, () => this.list.element.focus());
    const end = h(
      "button",
      { type: "button", class: "small", onclick: () => this.list.follow((this.follow.checked = true)) },
      "Jump to the end",
    );
    this.element = h(
      "div",
      { class: "messages" },
      h(
        "form",
        {
          class: "filters",
          role: "search",
          "aria-label": "Filter the messages",
          onsubmit: (event: SubmitEvent) => (event.preventDefault(), this.filter()),
        },
        labelled("Text", this.text),
        labelled("Direction", this.direction),
        labelled("Kind", this.kind),
        labelled("Call", this.call),
        h("label", { class: "choice" }, this.follow, h("span", {}, "Follow")),
        end,
        this.count,
      ),
      this.wrong,
      h("div", { class: "split" }, this.list.element, this.detail.element),
    );
    session.listen({ messages: () => this.changed(), resumed: () => this.changed() });
  }

  /** Shows the messages of a call, or around a message. */
  show(address: { call?: string; message?: number }): void {
    const wasShown = this.isShown;
    this.isShown = true;
    this.drawCalls(address.call);
    const isOther = this.call.value !== (address.call ?? "");
    // A link to a call shows all of its messages.
    if (isOther && address.call !== undefined) {
      this.text.value = this.direction.value = this.kind.value = "";
      this.call.value = address.call;
    }
    if (!wasShown || isOther) this.filter(false);
    else this.changed();
    this.list.draw();
    if (address.message !== undefined) void this.open(address.message);
  }

  hide(): void {
    this.isShown = false;
    this.chosen = undefined;
  }

  /** Opens a message, also one that the filter hides. */
  async open(n: number): Promise<void> {
    this.chosen = undefined;
    void this.detail.show(n);
    try {
      let position = await this.pages.find(n);
      if (position === undefined && Object.values(this.values()).some(Boolean)) {
        this.text.value = this.direction.value = this.kind.value = this.call.value = "";
        this.pages.use({});
        announce("The filter is removed, because it hides this message.");
        position = await this.pages.find(n);
      }
      if (position !== undefined) this.list.show(position);
      this.draw();
    } catch {
      // Another filter was chosen in the meantime.
    }
  }

  private choose(position: number): void {
    const message = this.pages.at(position);
    this.chosen = message ? undefined : position;
    if (!message) return;
    void this.detail.show(message.n, true);
    this.onAddress({ ...(this.call.value !== "" && { call: this.call.value }), message: message.n });
  }

  private values(): Filter {
    const { text, direction, kind, call } = this;
    return {
      ...(text.value !== "" && { text: text.value }),
      ...(direction.value !== "" && { direction: direction.value as "sent" | "received" }),
      ...(kind.value !== "" && { method: kind.value }),
      ...(call.value !== "" && { call: call.value }),
    };
  }

  private later(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.filter(), WAIT_MS);
  }

  private filter(isByUser = true): void {
    clearTimeout(this.timer);
    this.wrong.replaceChildren();
    this.chosen = undefined;
    this.pages.use(this.values());
    this.list.reset();
    void this.pages
      .refresh(this.session.dropped)
      .then(() => isByUser && announce(`${number(this.pages.matching)} messages.`));
    if (isByUser) this.onAddress(this.call.value === "" ? {} : { call: this.call.value });
  }

  /** Messages come in bursts: the list is drawn some times in a second. */
  private changed(): void {
    if (!this.isShown) return;
    this.refreshing ??= setTimeout(() => {
      this.refreshing = undefined;
      void this.pages.refresh(this.session.dropped);
    }, WAIT_MS);
  }

  private draw(): void {
    const { total, dropped } = this.session;
    const all = Math.max(total, this.pages.matching);
    const kept = `${number(this.pages.matching)} of ${number(all)}`;
    this.count.textContent = dropped > 0 ? `${kept}, ${number(dropped)} dropped` : kept;
    this.list.draw();
    if (this.chosen !== undefined) this.choose(this.chosen);
  }

  private drawCalls(wanted = this.call.value): void {
    const calls = [...this.session.calls.values()].reverse().slice(0, 200);
    const names = calls.map(({ id }) => option(id, `${this.session.nameOf(id)} · ${id.slice(0, 12)}`));
    if (wanted !== "" && !calls.some(({ id }) => id === wanted)) names.push(option(wanted, wanted));
    const chosen = this.call.value;
    this.call.replaceChildren(option("", "All"), ...names);
    this.call.value = chosen;
  }

  private fill(row: HTMLElement, position: number): string | undefined {
    const message = this.pages.at(position);
    const key = message ? `${message.n}` : "";
    if (message && row.dataset.n === key) return row.getAttribute("aria-label") ?? "";
    row.dataset.n = key;
    row.className = message?.call === undefined ? "log-row" : `log-row ${hueOf(message.call)}`;
    if (!message) {
      row.replaceChildren(h("span", { class: "n" }, String(position + 1)), h("span", {}, "…"));
      return undefined;
    }
    row.classList.add(message.direction);
    if (message.kind === "error" || message.kind === "stderr") row.classList.add("wrong");
    const name = message.call === undefined ? (message.host ?? "") : this.session.nameOf(message.call);
    const cell = (kind: string, text: string) => h("span", { class: kind }, text);
    row.replaceChildren(
      cell("n", String(message.n)),
      cell("at", time(message.at)),
      cell("way", message.direction === "sent" ? "→" : "←"),
      cell("what", message.kind + (message.request === undefined ? "" : ` ${message.request}`)),
      cell("of", name === "" ? "" : `${name}${message.round === undefined ? "" : ` · ${message.round}`}`),
      cell("size", bytes(message.length)),
      cell("preview", message.preview.slice(0, 300)),
    );
    return spoken(message, name);
  }
}

function option(value: string, name: string): HTMLOptionElement {
  return h("option", { value }, name);
}

function spoken({ n, direction, kind, request, round, preview }: MessageSummary, name: string): string {
  const parts = [
    `${n}`,
    direction,
    kind,
    request && `request ${request}`,
    name && `of ${name}`,
    round !== undefined && `round ${round}`,
    preview.slice(0, 120),
  ];
  return parts.filter(Boolean).join(", ");
}
