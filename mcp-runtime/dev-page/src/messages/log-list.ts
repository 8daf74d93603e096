// A list of any length: only the rows that are seen are in the document.

import { announce, h, uniqueId } from "../parts";

export const ROW = 26;
/** Rows beyond the edges, so that scrolling shows no gaps. */
const BEYOND = 12;
/** Browsers limit the height of an element. A longer list moves faster than its scroll bar. */
const TALLEST = 8_000_000;

export interface LogListOptions {
  label: string;
  count(): number;
  /** Fills a row. Returns what a screen reader says, or undefined if the row is not loaded yet. */
  fill(row: HTMLElement, position: number): string | undefined;
  /** The keyboard or the mouse has chosen a row. */
  choose(position: number): void;
  /** The user has scrolled away from the end, or to it. */
  followed(isAtEnd: boolean): void;
}

export class LogList {
  private readonly rows = h("div", { class: "log-rows" });
  private readonly spacer = h("div", { class: "log-spacer", role: "presentation" }, this.rows);
  readonly element: HTMLElement;
  private readonly pool: HTMLElement[] = [];
  private active = -1;
  private drawing = 0;
  /** Whether the list stays at its end. */
  private isFollowing = true;

  constructor(private readonly options: LogListOptions) {
    this.rows.setAttribute("role", "presentation");
    this.element = h(
      "div",
      {
        class: "log-list",
        role: "listbox",
        tabindex: 0,
        "aria-label": options.label,
        onscroll: () => this.scrolled(),
        onkeydown: (event: KeyboardEvent) => this.key(event),
        onclick: (event: MouseEvent) => this.click(event),
      },
      this.spacer,
    );
    new ResizeObserver(() => this.draw()).observe(this.element);
  }

  /** Draws in the next frame. */
  draw(): void {
    this.drawing ||= requestAnimationFrame(() => {
      this.drawing = 0;
      this.drawNow();
    });
  }

  follow(isFollowing: boolean): void {
    this.isFollowing = isFollowing;
    this.draw();
  }

  /** Scrolls to a row and marks it. */
  show(position: number): void {
    this.isFollowing = false;
    this.options.followed(false);
    this.active = position;
    this.layOut();
    this.scrollTo(position - Math.floor(this.visible / 2));
    this.draw();
  }

  /** Shows the rows from the beginning, because they are others. */
  reset(): void {
    this.active = -1;
    this.draw();
  }

  private get visible(): number {
    return Math.max(1, Math.floor(this.element.clientHeight / ROW));
  }

  private get height(): number {
    return Math.min(this.options.count() * ROW, TALLEST);
  }

  /** The first row that is seen. */
  private get first(): number {
    const { scrollTop, clientHeight } = this.element;
    const count = this.options.count();
    if (count * ROW <= TALLEST) return Math.floor(scrollTop / ROW);
    const part = scrollTop / Math.max(1, this.height - clientHeight);
    return Math.round(part * Math.max(0, count - this.visible));
  }

  private scrollTo(position: number): void {
    const count = this.options.count();
    const first = Math.max(0, Math.min(position, count - this.visible));
    this.element.scrollTop =
      count * ROW <= TALLEST
        ? first * ROW
        : (first / Math.max(1, count - this.visible)) * (this.height - this.element.clientHeight);
  }

  private layOut(): void {
    const height = `${this.height}px`;
    if (this.spacer.style.height !== height) this.spacer.style.height = height;
  }

  private drawNow(): void {
    // Not on the page.
    if (this.element.clientHeight === 0) return;
    const count = this.options.count();
    this.layOut();
    if (this.isFollowing) this.element.scrollTop = this.element.scrollHeight;
    const from = Math.max(0, this.first - BEYOND);
    const to = Math.min(count, this.first + this.visible + 1 + BEYOND);
    const isWhole = count * ROW <= TALLEST;
    const top = isWhole ? from * ROW : this.element.scrollTop - (this.first - from) * ROW;
    this.rows.style.transform = `translateY(${Math.max(0, top)}px)`;
    for (let index = 0; index < to - from; index += 1) this.row(index, from + index, count);
    for (let index = Math.max(0, to - from); index < this.pool.length; index += 1) this.pool[index]!.remove();
    this.pool.length = Math.max(0, to - from);
    const marked = this.active >= from && this.active < to ? this.pool[this.active - from]?.id : undefined;
    if (marked === undefined) this.element.removeAttribute("aria-activedescendant");
    else this.element.setAttribute("aria-activedescendant", marked);
  }

  private row(index: number, position: number, count: number): void {
    let row = this.pool[index];
    if (!row) {
      row = h("div", { class: "log-row", role: "option", id: uniqueId("row") });
      this.pool[index] = row;
      this.rows.append(row);
    }
    row.dataset.position = String(position);
    row.setAttribute("aria-setsize", String(count));
    row.setAttribute("aria-posinset", String(position + 1));
    row.setAttribute("aria-selected", String(position === this.active));
    row.setAttribute("aria-label", this.options.fill(row, position) ?? "Loading");
  }

  private scrolled(): void {
    const { scrollTop, scrollHeight, clientHeight } = this.element;
    const isAtEnd = scrollTop + clientHeight >= scrollHeight - ROW;
    if (isAtEnd !== this.isFollowing) {
      this.isFollowing = isAtEnd;
      this.options.followed(isAtEnd);
    }
    this.draw();
  }

  private key(event: KeyboardEvent): void {
    const count = this.options.count();
    if (count === 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const at = this.active < 0 ? this.first + (event.key === "ArrowUp" ? this.visible : -1) : this.active;
    const moves: Record<string, number> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + this.visible,
      PageUp: at - this.visible,
      Home: 0,
      End: count - 1,
    };
    const to = moves[event.key];
    if (to !== undefined) {
      event.preventDefault();
      this.mark(Math.max(0, Math.min(to, count - 1)));
    } else if (event.key === "Enter" && this.active >= 0) {
      event.preventDefault();
      this.options.choose(this.active);
    }
  }

  private mark(position: number): void {
    this.active = position;
    const { first, visible } = this;
    this.isFollowing = false;
    if (position < first) this.scrollTo(position);
    else if (position >= first + visible) this.scrollTo(position - visible + 1);
    const isAtEnd = position === this.options.count() - 1;
    this.options.followed(isAtEnd);
    if (isAtEnd) announce("The last message.");
    this.draw();
  }

  private click(event: MouseEvent): void {
    const row = (event.target as HTMLElement).closest<HTMLElement>(".log-row");
    if (!row) return;
    this.active = Number(row.dataset.position);
    this.draw();
    this.options.choose(this.active);
  }
}
