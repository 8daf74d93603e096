// The view of a call: the input of the tool, and its result.

import { h } from "./dom";
import type { Tool, ToolResult } from "./plugins/plugin-client";
import { HostedView, type ViewClient, viewOf } from "./plugins/view-host";

/** What the page does for a view. */
export interface ViewActions {
  /** Proposes a message to the user. */
  propose(text: string): void;
}

/** The call that a view shows. */
export interface ViewedCall {
  tool: string;
  arguments: unknown;
}

/** The most views on the page. Each is a document of its own, so the oldest is folded. */
const MOST = 8;
const unfolded: CallView[] = [];

export class CallView {
  readonly element = h("div", { class: "view-place", hidden: true });
  private readonly note = h("p", { class: "note visit", role: "status" });
  private shown: Promise<HostedView | undefined> | undefined;
  private result: ToolResult | undefined;

  constructor(
    private readonly client: ViewClient,
    private readonly call: ViewedCall,
    private readonly tool: Pick<Tool, "title" | "forms" | "_meta"> | undefined,
    private readonly actions: ViewActions,
    private readonly signal: AbortSignal,
  ) {
    signal.addEventListener("abort", () => this.remove());
  }

  /** Shows the view while the tool works. A tool that asks has its forms first. */
  begin(): void {
    if (this.tool?.forms.length === 0) void this.show();
  }

  /** Shows the result. */
  async finish(result: ToolResult): Promise<void> {
    if (result.isError) return this.end("the tool has failed");
    this.result = result;
    (await this.show())?.showResult(result);
  }

  /** Ends the view, because there is no result. */
  async end(reason: string): Promise<void> {
    const view = await this.shown;
    view?.showCancelled(reason);
    await view?.close();
    this.element.hidden = true;
  }

  /** Removes the view at once. */
  remove(): void {
    void this.shown?.then((view) => view?.remove());
    this.element.remove();
    this.forget();
  }

  private show(): Promise<HostedView | undefined> {
    const uri = this.tool && viewOf(this.tool);
    if (uri === undefined || this.signal.aborted) return Promise.resolve(undefined);
    if (!this.shown) {
      this.shown = this.open(uri);
      unfolded.push(this);
      if (unfolded.length > MOST) void unfolded[0]?.fold();
    }
    return this.shown;
  }

  private async open(uri: string): Promise<HostedView | undefined> {
    const title = this.tool?.title ?? this.call.tool;
    const frame = h("div");
    this.element.replaceChildren(frame, this.note);
    this.element.hidden = false;
    try {
      const view = await HostedView.show({
        client: this.client,
        uri,
        title,
        place: frame,
        onMessage: (text) => this.actions.propose(text),
        onLink: (url) => this.offerLink(url),
      });
      view.showInput(this.call.arguments);
      return view;
    } catch {
      // The text of the result says the same.
      this.element.hidden = true;
      return undefined;
    }
  }

  /** Replaces the view with a button that shows it again. */
  private async fold(): Promise<void> {
    this.forget();
    const view = await this.shown;
    await view?.close();
    this.shown = undefined;
    const again = () => this.result && void this.finish(this.result);
    this.element.replaceChildren(h("button", { type: "button", class: "quiet", onclick: again }, "Show the view"));
  }

  private forget(): void {
    const index = unfolded.indexOf(this);
    if (index >= 0) unfolded.splice(index, 1);
  }

  /** Shows a link that the user can follow. A view cannot open a page by itself. */
  private offerLink(url: string): void {
    this.note.replaceChildren(
      "The view links to ",
      h("a", { href: url, target: "_blank", rel: "noopener noreferrer" }, url),
    );
  }
}
