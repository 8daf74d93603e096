// One item: what it is, its input, and the buttons that call it.

import { type ItemAddress, writeItem } from "../address";
import { told } from "../client";
import type { Fault } from "../dev-api";
import { InputForm } from "../input/input-form";
import { PreparedField } from "../input/prepared";
import { isObject, textOf } from "../input/shape";
import { announce, h, uniqueId } from "../parts";
import type { Session } from "../session";
import type { RecentInput, Stored } from "../stored";
import { FAULTS } from "../calls/fault-words";
import { code, copyButton, disclosure, labelled, number, pretty, problem } from "../ui";
import { completedFields, isCompleted } from "./completed-fields";
import { type Entry, GROUPS, viewUri } from "./entries";
import { InputCommands } from "./input-commands";
import { requestOf } from "./request";
import { ViewPreview } from "./view-preview";

export class ItemPanel {
  readonly element: HTMLElement;
  private readonly input: InputForm;
  private readonly prepared: PreparedField;
  private readonly commands: InputCommands;
  private readonly wrong = h("div");
  private readonly fault: HTMLSelectElement;
  private readonly recent = h("select", { onchange: () => this.takeRecent() });
  private readonly recentRow: HTMLElement;
  private preview: ViewPreview | undefined;

  constructor(
    private readonly session: Session,
    private readonly stored: Stored,
    private readonly entry: Entry,
    given: Partial<ItemAddress>,
    private readonly onBegun: (id: string) => void,
  ) {
    const heading = uniqueId("item");
    const { schema, kind, title, description } = entry;
    this.input = isCompleted(kind)
      ? new InputForm(schema, given.input, (value) => completedFields(session, entry, value))
      : new InputForm(schema, given.input);
    this.prepared = new PreparedField(given.answers);
    this.commands = new InputCommands(session, () => {
      const request = requestOf(entry, this.input.isEmpty ? {} : this.input.read());
      return typeof request === "string" ? request : { request, answers: this.prepared.read() };
    });
    this.fault = h(
      "select",
      {},
      h("option", { value: "" }, "No fault"),
      ...this.firstFaults().map((fault) => h("option", { value: fault }, FAULTS[fault].name)),
    );
    this.recentRow = h("div", { class: "recent" }, labelled("Recent inputs", this.recent));
    this.element = h(
      "section",
      { class: "item", "aria-labelledby": heading },
      h(
        "header",
        {},
        h("p", { class: "kind" }, GROUPS[kind].replace(/s$/, "")),
        h("h2", { id: heading, tabindex: -1 }, title),
        title !== entry.name && h("code", {}, entry.name),
      ),
      description !== undefined && h("p", { class: "about" }, description),
      this.badges(),
      this.body(kind),
      this.preview?.element,
      disclosure("As the server lists it", () => code(pretty(entry.listed), "The item as JSON")),
    );
    this.element.addEventListener("input", () => this.changed());
    this.element.addEventListener("change", () => this.changed());
    this.drawRecent();
  }

  focus(): void {
    this.element.querySelector("h2")?.focus({ preventScroll: true });
  }

  close(): void {
    this.commands.close();
    this.preview?.close();
  }

  /** The address that opens this item with its input. */
  get address(): ItemAddress {
    const { kind, name } = this.entry;
    const input = this.input.isEmpty ? {} : { input: this.input.read() };
    return { kind, name, ...input, answers: this.prepared.read() };
  }

  private get key(): string {
    return `${this.entry.kind}/${this.entry.name}`;
  }

  private body(kind: string): HTMLElement {
    if (kind === "view") {
      this.preview = new ViewPreview(this.session, this.entry);
      return h("div");
    }
    const { example } = this.entry;
    const useExample = () => {
      this.input.write(example);
      this.changed();
      announce("The example is in the form.");
    };
    const verbs: Record<string, string> = {
      tool: "Call",
      prompt: "Get the prompt",
      resource: "Read",
      template: "Read",
      skill: "Read",
    };
    return h(
      "form",
      {
        class: "call-form",
        novalidate: true,
        "aria-label": "Input",
        onsubmit: (event: SubmitEvent) => (event.preventDefault(), void this.call()),
        onkeydown: (event: KeyboardEvent) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) (event.preventDefault(), void this.call());
        },
      },
      !this.input.isEmpty &&
        h(
          "div",
          { class: "row" },
          this.recentRow,
          example !== undefined &&
            h("button", { type: "button", class: "small", onclick: useExample }, "Use the example"),
        ),
      !this.input.isEmpty && this.input.element,
      this.session.canCall &&
        h(
          "div",
          { class: "buttons" },
          h(
            "button",
            { type: "submit", class: "primary", title: "Ctrl+Enter", "aria-keyshortcuts": "Control+Enter" },
            verbs[kind] ?? "Call",
          ),
          copyButton("Copy link", () => new URL(writeItem(this.address), location.href).href),
          this.fault.options.length > 1 && labelled("With", this.fault),
        ),
      this.session.canCall && h("div", { class: "more" }, this.commands.element, this.prepared.element),
      this.wrong,
    );
  }

  private badges(): HTMLElement | undefined {
    const listed = isObject(this.entry.listed) ? this.entry.listed : {};
    const annotations = isObject(listed.annotations) ? listed.annotations : {};
    const names: [unknown, string][] = [
      [annotations.readOnlyHint === true, "read-only"],
      [annotations.destructiveHint === true, "destructive"],
      [annotations.idempotentHint === true, "idempotent"],
      [annotations.openWorldHint === true, "open world"],
      [viewUri(listed) !== undefined, "has a view"],
      [typeof listed.tokens === "number", `${number(Number(listed.tokens))} tokens`],
      [textOf(listed.mimeType) !== undefined, String(listed.mimeType)],
    ];
    const given = names.filter(([is]) => is === true).map(([, name]) => h("li", {}, name));
    return given.length > 0 ? h("ul", { class: "badges", "aria-label": "Properties" }, ...given) : undefined;
  }

  /** The faults that can happen to a first request. */
  private firstFaults(): Fault[] {
    const first: Fault[] = ["lose_reply", "send_twice", "close_connection"];
    return first.filter((fault) => this.session.state.abilities.faults.includes(fault));
  }

  private changed(): void {
    history.replaceState(null, "", writeItem(this.address));
    this.commands.changed();
  }

  private drawRecent(): void {
    const inputs = this.stored.recent(this.key);
    this.recentRow.hidden = inputs.length === 0;
    const name = ({ input, answers = [] }: RecentInput) =>
      JSON.stringify(input).slice(0, 60) + (answers.length > 0 ? ` · ${answers.length} prepared` : "");
    this.recent.replaceChildren(
      h("option", { value: "" }, "Choose…"),
      ...inputs.map((input, index) => h("option", { value: index }, name(input))),
    );
  }

  private takeRecent(): void {
    const recent = this.stored.recent(this.key)[Number(this.recent.value)];
    if (this.recent.value === "" || recent === undefined) return;
    this.input.write(recent.input);
    this.prepared.write(recent.answers);
    this.changed();
    announce("The recent input is in the form.");
  }

  private async call(): Promise<void> {
    if (!this.session.canCall) return;
    this.wrong.replaceChildren();
    if (!this.input.isEmpty && !this.input.check()) return;
    if (!this.prepared.check()) return;
    const answers = this.prepared.read();
    const input = this.input.isEmpty ? {} : this.input.read();
    const request = requestOf(this.entry, input);
    if (typeof request === "string") return this.wrong.replaceChildren(problem(request));
    try {
      const fault = (this.fault.value || undefined) as Fault | undefined;
      const call = await this.session.client.start(request, this.session.setup, {
        ...(fault && { fault }),
        ...(answers.length > 0 && { answers }),
      });
      this.fault.value = "";
      if (!this.input.isEmpty) this.stored.remember(this.key, { input, ...(answers.length > 0 && { answers }) });
      this.drawRecent();
      this.session.begun(call);
      this.onBegun(call.id);
    } catch (error) {
      this.wrong.replaceChildren(problem(told(error)));
    }
  }
}
