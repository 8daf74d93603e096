// All calls, the newest first. Old ones are folded, and the oldest are not in the document.

import type { Call } from "../dev-api";
import { h } from "../parts";
import { isOver, type Session } from "../session";
import { number } from "../ui";
import { Lane } from "./lane";

/** The most lanes that are open at once, and that are in the document. */
const MOST_OPEN = 8;
const MOST_OPEN_AT_FIRST = 3;
const MOST = 60;

export class Lanes {
  private readonly list = h("div", { class: "lanes" });
  private readonly empty = h("p", { class: "empty" }, "No calls yet. Choose a tool, prompt or resource, and call it.");
  private readonly older = h("p", { class: "note", hidden: true });
  readonly element = h("section", { class: "lane-list", "aria-label": "Calls" }, this.empty, this.list, this.older);
  private readonly lanes = new Map<string, Lane>();
  private removed = 0;
  private isLoaded = false;

  constructor(
    private readonly session: Session,
    private readonly onMessage: (message: { message?: number; call?: string }) => void,
  ) {
    session.listen({
      call: (call) => this.changed(call),
      event: (call, event) => this.lanes.get(call)?.event(event),
      loaded: () => this.loaded(),
      resumed: () => this.lanes.forEach((lane) => void lane.catchUp()),
    });
    if (!session.canCall) this.empty.textContent = "This recording has no calls.";
  }

  /** Opens a lane, and moves the keyboard to it. */
  open(id: string): void {
    const lane = this.lanes.get(id);
    lane?.unfold();
    lane?.focus();
  }

  private changed(call: Call): void {
    const lane = this.lanes.get(call.id);
    if (lane) return lane.changed(call);
    this.add(call);
  }

  private add(call: Call): void {
    this.empty.hidden = true;
    const lane = new Lane(this.session, call, this.onMessage, () => this.foldOthers(lane));
    // Lanes are in the order of their calls, whatever order they come in.
    const next = [...this.lanes.values()]
      .filter((other) => other.call.startedAt <= call.startedAt)
      .sort((one, two) => two.call.startedAt - one.call.startedAt)[0];
    this.lanes.set(call.id, lane);
    this.list.insertBefore(lane.element, next?.element ?? null);
    if (this.isLoaded && this.list.firstElementChild === lane.element) lane.unfold();
    this.dropOldest();
  }

  /** Of the calls before this page, those are open that ask, and the newest ones. */
  private loaded(): void {
    this.isLoaded = true;
    const lanes = this.inOrder();
    const asking = lanes.filter(({ call }) => call.status === "input_required").slice(0, MOST_OPEN);
    for (const lane of new Set([...lanes.slice(0, MOST_OPEN_AT_FIRST), ...asking])) lane.unfold();
  }

  /** Folds the oldest lanes that do not wait for the user. */
  private foldOthers(opened: Lane): void {
    const open = this.inOrder().filter((lane) => lane.isOpen);
    for (const lane of open.slice(MOST_OPEN)) if (lane !== opened && isOver(lane.call)) lane.fold();
  }

  private dropOldest(): void {
    const lanes = this.inOrder();
    if (lanes.length <= MOST) return;
    const lane = lanes.reverse().find(({ call }) => isOver(call));
    if (!lane) return;
    lane.remove();
    this.lanes.delete(lane.call.id);
    this.removed += 1;
    this.older.hidden = false;
    this.older.textContent = `${number(this.removed)} older calls are not shown. Their messages are in the log.`;
  }

  private inOrder(): Lane[] {
    return [...this.lanes.values()].sort((one, two) => two.call.startedAt - one.call.startedAt);
  }
}
