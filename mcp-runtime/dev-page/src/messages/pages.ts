// Parts of the log, as the page needs them. Few are kept.

import type { DevClient } from "../client";
import type { MessagePage, MessageQuery, MessageSummary } from "../dev-api";

export const PAGE = 100;
/** The most parts that are kept. */
const MOST = 20;

export type Filter = Omit<MessageQuery, "from" | "count" | "around">;

export class Pages {
  /** How many messages match the filter. */
  matching = 0;
  private readonly pages = new Map<number, MessageSummary[]>();
  private readonly loading = new Set<number>();
  private abort = new AbortController();
  private filter: Filter = {};
  private dropped = 0;
  private requests = 0;
  /** The number of the newest request whose response was counted. */
  private newest = 0;

  constructor(
    private readonly client: DevClient,
    private readonly onChange: () => void,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** Shows other messages from now on. */
  use(filter: Filter): void {
    this.filter = filter;
    this.matching = 0;
    this.forget();
  }

  /** Forgets what may have changed: the last part grows, and positions change when old messages are dropped. */
  async refresh(dropped: number): Promise<void> {
    if (dropped !== this.dropped) this.forget();
    this.dropped = dropped;
    const { signal } = this.abort;
    try {
      await this.request({ count: 1 }, signal);
      this.onChange();
    } catch (error) {
      if (!signal.aborted) this.onError(error);
    }
  }

  /** Returns the message at a position among those that match. If it is not here yet, it is loaded. */
  at(position: number): MessageSummary | undefined {
    const page = Math.floor(position / PAGE);
    const messages = this.pages.get(page);
    const message = messages?.[position % PAGE];
    if (message) {
      // The one that was used last is the last to be dropped.
      this.pages.delete(page);
      this.pages.set(page, messages!);
    } else if (position < this.matching) void this.load(page);
    return message;
  }

  /** Returns the position of a message, or undefined if it does not match or is not kept. */
  async find(n: number): Promise<number | undefined> {
    const { filter } = this;
    const { signal } = this.abort;
    try {
      const page = await this.request({ around: n, count: PAGE }, signal);
      // If messages were dropped since the request, the positions have changed.
      if (page.dropped !== this.dropped) return this.find(n);
      const index = page.messages.findIndex((message) => message.n === n);
      return index < 0 ? undefined : page.from + index;
    } catch (error) {
      if (!signal.aborted || filter !== this.filter) throw error;
      // Messages were dropped meanwhile.
      return this.find(n);
    }
  }

  private async load(page: number): Promise<void> {
    if (this.loading.has(page)) return;
    this.loading.add(page);
    const { signal } = this.abort;
    try {
      const loaded = await this.request({ from: page * PAGE, count: PAGE }, signal);
      // If messages were dropped since the request, the positions have changed.
      if (loaded.dropped === this.dropped) this.pages.set(page, loaded.messages);
      for (const old of this.pages.keys()) {
        if (this.pages.size <= MOST) break;
        this.pages.delete(old);
      }
      this.loading.delete(page);
      this.onChange();
    } catch (error) {
      this.loading.delete(page);
      if (!signal.aborted) this.onError(error);
    }
  }

  /**
   * Requests a part of the log, and counts the messages that match. Responses can overtake each other, so only the newest
   * request counts.
   */
  private async request(query: MessageQuery, signal: AbortSignal): Promise<MessagePage> {
    this.requests += 1;
    const request = this.requests;
    const page = await this.client.messages({ ...this.filter, ...query }, signal);
    if (request > this.newest) {
      this.newest = request;
      if (page.dropped !== this.dropped) this.pages.clear();
      this.dropped = page.dropped;
      this.matching = page.matching;
    }
    return page;
  }

  private forget(): void {
    this.abort.abort();
    this.abort = new AbortController();
    this.pages.clear();
    this.loading.clear();
  }
}
