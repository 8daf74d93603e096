// How a call has ended: its result, its error, and its view.

import type { Call, CallEvent } from "../dev-api";
import { isObject } from "../input/shape";
import { viewClient } from "../items/view-client";
import { CallView, h, resultOf, type Tool } from "../parts";
import type { Session } from "../session";
import { code, disclosure, pretty, prose } from "../ui";
import { blocks, messages, resource } from "./content";

type End = Extract<CallEvent, { type: "finished" | "failed" | "cancelled" }>;

export class LaneResult {
  private readonly viewPlace = h("div");
  private readonly note = h("p", { class: "note", role: "status" });
  private readonly end = h("div", { class: "end-of-call" });
  readonly element = h("div", { class: "lane-result" }, this.viewPlace, this.note, this.end);
  private readonly view: CallView | undefined;

  constructor(session: Session, call: Call, signal: AbortSignal) {
    const { request, setup } = call;
    if (request.kind !== "tool" || !setup.capabilities.views || !session.canCall) return;
    const listed = session.items?.tools.find(({ name }) => name === request.name);
    if (!listed) return;
    const tool = { ...listed, forms: [] } as unknown as Tool;
    const actions = {
      propose: (text: string) => void (this.note.textContent = `The view proposes a message: ${text}`),
    };
    this.view = new CallView(
      viewClient(session, setup),
      { tool: request.name, arguments: request.arguments },
      tool,
      actions,
      signal,
    );
    this.viewPlace.append(this.view.element);
  }

  show(event: End): void {
    switch (event.type) {
      case "finished":
        this.end.replaceChildren(
          h("h4", {}, event.result.isError ? "The tool has failed" : "Result"),
          finished(event.result),
        );
        return void this.view?.finish(event.result);
      case "failed": {
        const data =
          event.data === undefined
            ? undefined
            : disclosure("Data of the error", () => code(pretty(event.data), "Data of the error"));
        this.end.replaceChildren(
          h("h4", {}, event.code === undefined ? "The call has failed" : `Error ${event.code}`),
          h("p", { class: "problem" }, prose(event.told)),
          ...(data ? [data] : []),
        );
        return void this.view?.end(event.told);
      }
      case "cancelled":
        this.end.replaceChildren(h("p", { class: "note" }, "The call was cancelled."));
        return void this.view?.end("the call was cancelled");
    }
  }
}

/** A result of a tool, a prompt or a resource. */
function finished(result: Record<string, unknown>): HTMLElement {
  const element = h("div", { class: result.isError === true ? "result error" : "result" });
  if (Array.isArray(result.messages)) element.append(messages(result.messages));
  if (Array.isArray(result.contents))
    element.append(...result.contents.slice(0, 50).map((one) => resource(isObject(one) ? one : {})));
  if (Array.isArray(result.content)) {
    const texts = result.content.filter((one) => isObject(one) && one.type === "text");
    // A text that only repeats the structured content is shown once.
    const repeats =
      result.structuredContent !== undefined && texts.length === 1 && isSame(texts[0].text, result.structuredContent);
    if (texts.length > 0 && !repeats)
      element.append(resultOf({ content: texts, ...(result.isError === true && { isError: true }) }));
    const others = result.content.filter((one) => !texts.includes(one));
    if (others.length > 0) element.append(blocks(others));
  }
  if (result.structuredContent !== undefined) {
    element.append(
      disclosure("Structured content", () => code(pretty(result.structuredContent), "Structured content"), true),
    );
  }
  element.append(disclosure("The whole result", () => code(pretty(result), "The whole result")));
  return element;
}

function isSame(text: unknown, value: unknown): boolean {
  try {
    return JSON.stringify(JSON.parse(String(text))) === JSON.stringify(value);
  } catch {
    return false;
  }
}
