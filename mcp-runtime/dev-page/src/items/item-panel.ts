// One item: what it is, its input, and the buttons that call it.

import { type ItemAddress, writeItem } from "../address";
import { type CompletionRef, told } from "../client";
import type { CallRequest, Fault } from "../dev-api";
import { completingNode } from "../input/completing";
import { InputForm } from "../input/input-form";
import type { InputNode } from "../input/node";
import { isObject, textOf, titleOf } from "../input/shape";
import { expand } from "../input/template";
import { announce, h, uniqueId } from "../parts";
import type { Session } from "../session";
import type { Stored } from "../stored";
import { FAULTS } from "../calls/fault-words";
import { code, copyButton, disclosure, labelled, number, pretty, problem } from "../ui";
import { type Entry, GROUPS, viewUri } from "./entries";
import { ViewPreview } from "./view-preview";

export class ItemPanel {
  readonly element: HTMLElement;
  private readonly input: InputForm;
  private readonly wrong = h("div");
  private readonly fault: HTMLSelectElement;
  private readonly recent = h("select", { onchange: () => this.takeRecent() });
  private readonly recentRow: HTMLElement;
  private preview: ViewPreview | undefined;

  constructor(
    private readonly session: Session,
    private readonly stored: Stored,
    private readonly entry: Entry,
    input: unknown,
    private readonly onBegun: (id: string) => void,
  ) {
    const heading = uniqueId("item");
    const { schema, kind, title, description } = entry;
    const initial = input;
    this.input = isCompleted(kind)
      ? new InputForm(schema, initial, (value) => this.completed(value))
      : new InputForm(schema, initial);
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
    this.preview?.close();
  }

  /** The address that opens this item with its input. */
  get address(): ItemAddress {
    const { kind, name } = this.entry;
    return this.input.isEmpty ? { kind, name } : { kind, name, input: this.input.read() };
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
  }

  private drawRecent(): void {
    const inputs = this.stored.recent(this.key);
    this.recentRow.hidden = inputs.length === 0;
    const name = (input: unknown) => JSON.stringify(input).slice(0, 60);
    this.recent.replaceChildren(
      h("option", { value: "" }, "Choose…"),
      ...inputs.map((input, index) => h("option", { value: index }, name(input))),
    );
  }

  private takeRecent(): void {
    const input = this.stored.recent(this.key)[Number(this.recent.value)];
    if (this.recent.value === "" || input === undefined) return;
    this.input.write(input);
    this.changed();
    announce("The recent input is in the form.");
  }

  private async call(): Promise<void> {
    if (!this.session.canCall) return;
    this.wrong.replaceChildren();
    if (!this.input.isEmpty && !this.input.check()) return;
    const input = this.input.isEmpty ? {} : this.input.read();
    const request = this.request(input);
    if (typeof request === "string") return this.wrong.replaceChildren(problem(request));
    try {
      const fault = (this.fault.value || undefined) as Fault | undefined;
      const call = await this.session.client.start(request, this.session.setup, fault);
      this.fault.value = "";
      if (!this.input.isEmpty) this.stored.remember(this.key, input);
      this.drawRecent();
      this.session.begun(call);
      this.onBegun(call.id);
    } catch (error) {
      this.wrong.replaceChildren(problem(told(error)));
    }
  }

  /** Returns what is wrong if there is no request for the input. */
  private request(input: unknown): CallRequest | string {
    const { kind, name, listed } = this.entry;
    if (!isObject(input)) return "The input must be an object.";
    const texts = Object.fromEntries(
      Object.entries(input).map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)]),
    );
    switch (kind) {
      case "tool":
        return { kind: "tool", name, arguments: input };
      case "prompt":
        return { kind: "prompt", name, arguments: texts };
      case "template":
        return { kind: "resource", uri: expand(name, texts) };
      case "skill": {
        const uri = isObject(listed) ? textOf(listed.uri) : undefined;
        return uri === undefined ? "This skill has no URI to read." : { kind: "resource", uri };
      }
      default:
        return { kind: "resource", uri: name };
    }
  }

  /** Fields that the server completes. */
  private completed(value: unknown): InputNode {
    const { kind, name, schema } = this.entry;
    const ref: CompletionRef = kind === "prompt" ? { type: "ref/prompt", name } : { type: "ref/resource", uri: name };
    const given = isObject(value) ? value : {};
    const required = Array.isArray(schema.required) ? schema.required : [];
    const properties = Object.entries(isObject(schema.properties) ? schema.properties : {});
    const nodes = properties.map(([property, inner]) => ({
      property,
      node: completingNode({
        name: property,
        title: titleOf(isObject(inner) ? inner : undefined, property),
        description: isObject(inner) ? textOf(inner.description) : undefined,
        required: required.includes(property),
        value: textOf(given[property]) ?? "",
        complete: async (value) => {
          if (!this.session.canCall) return [];
          const { values } = await this.session.client.complete(
            this.session.setup,
            ref,
            { name: property, value },
            read(),
          );
          return values;
        },
      }),
    }));
    const read = () =>
      Object.fromEntries(
        nodes.map(({ property, node }) => [property, node.read()]).filter(([, value]) => value !== undefined),
      );
    return {
      element: h("div", { class: "fields" }, ...nodes.map(({ node }) => node.element)),
      read,
      check: () => nodes.map(({ node }) => node.check()).find((focus) => focus !== undefined),
      focus: () => nodes[0]?.node.focus(),
    };
  }
}

function isCompleted(kind: string): boolean {
  return kind === "prompt" || kind === "template";
}
