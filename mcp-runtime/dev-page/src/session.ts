// What the page knows of the program and its calls, and who follows it. Bounded: events are not kept here.

import type { DevClient } from "./client";
import { told } from "./client";
import type { Call, CallEvent, ClientSetup, DevEvent, DevState, Items } from "./dev-api";
import { Refusal } from "./parts";

export interface SessionListener {
  state?(state: DevState, before: DevState | undefined): void;
  items?(items: Items): void;
  /** The items cannot be listed. */
  noItems?(problem: string): void;
  call?(call: Call, isNew: boolean): void;
  event?(call: string, event: CallEvent): void;
  messages?(total: number, dropped: number): void;
  connection?(connected: boolean): void;
  /** The calls that began before this page are known. */
  loaded?(): void;
  /** Everything was read again, because the connection was lost. */
  resumed?(): void;
  /** The command has refused, and will not change its mind. */
  refused?(problem: string): void;
}

/** The first revision without sessions. */
const STATELESS = "2026-07-28";

/** The most calls that the page knows. The oldest ones that have ended are dropped. */
const MOST_CALLS = 300;

export class Session {
  state!: DevState;
  items: Items | undefined;
  setup!: ClientSetup;
  readonly calls = new Map<string, Call>();
  total = 0;
  dropped = 0;
  private readonly listeners = new Set<SessionListener>();
  /** How many events of these kinds the stream has delivered. */
  private readonly streamed = { state: 0, messages: 0 };
  private listing = 0;
  private isConnected = false;
  private wasConnected = false;
  private wasRead = false;

  constructor(readonly client: DevClient) {}

  /** Calls the functions of the listener until the signal is aborted. */
  listen(listener: SessionListener, signal?: AbortSignal): void {
    this.listeners.add(listener);
    signal?.addEventListener("abort", () => this.listeners.delete(listener));
  }

  /** Reads the state. Everything else needs it. */
  async load(): Promise<void> {
    this.state = await this.client.state();
  }

  /** Follows the command for ever. */
  async follow(): Promise<void> {
    try {
      for await (const event of this.client.events((connected) => this.connection(connected))) this.on(event);
    } catch (error) {
      this.tell("refused", told(error));
    }
  }

  /** Calls as another client from now on. */
  use(setup: ClientSetup): void {
    this.setup = setup;
    void this.list();
  }

  /** Lists the items again. */
  async list(): Promise<void> {
    this.listing += 1;
    const listing = this.listing;
    try {
      const items = await this.client.items(this.setup);
      if (listing !== this.listing) return;
      this.items = items;
      this.tell("items", items);
    } catch (error) {
      if (listing === this.listing) this.tell("noItems", told(error));
    }
  }

  /** What is possible with this session, beyond what `abilities` say. */
  get canCall(): boolean {
    return this.state.source.kind !== "recording";
  }

  /** Notes a call that this page has begun, before the stream says so. */
  begun(call: Call): void {
    if (!this.calls.has(call.id)) this.changed(call);
  }

  /** The name of a call, for people. */
  nameOf(id: string): string {
    const request = this.calls.get(id)?.request;
    return request === undefined ? id : request.kind === "resource" ? request.uri : request.name;
  }

  private connection(connected: boolean): void {
    this.isConnected = connected;
    // Events that the stream does not have any more are in these answers.
    if (connected) void this.readAgain(this.wasConnected);
    if (connected) this.wasConnected = true;
    this.tell("connection", connected);
  }

  private async readAgain(wasConnected: boolean): Promise<void> {
    const streamed = { ...this.streamed };
    const known = new Map(this.calls);
    try {
      const [state, calls, page] = await Promise.all([
        this.client.state(),
        this.client.calls(),
        this.client.messages({ count: 1 }),
      ]);
      // A response can be older than an event that the stream has delivered since the request.
      if (streamed.state === this.streamed.state) this.changedState(state);
      for (const call of calls.slice(0, MOST_CALLS).reverse()) {
        const now = this.calls.get(call.id);
        // A fault is armed without an event of the call, so an equal id can still be news.
        const isKnown = now === known.get(call.id) && call.lastEvent === now?.lastEvent;
        if (isKnown || call.lastEvent > (now?.lastEvent ?? -1)) this.changed(call);
      }
      if (streamed.messages === this.streamed.messages) this.counted(page.total, page.dropped);
      if (!this.wasRead) this.tell("loaded");
      this.wasRead = true;
      if (!wasConnected) return;
      this.tell("resumed");
      void this.list();
    } catch (error) {
      if (error instanceof Refusal && error.status === 401) return this.tell("refused", told(error));
      // If the connection is lost again, the next one reads all of this, too.
      setTimeout(() => this.isConnected && void this.readAgain(wasConnected), 1000);
    }
  }

  private on(event: DevEvent): void {
    switch (event.type) {
      case "state":
        this.streamed.state += 1;
        return this.changedState(event.state);
      case "items_changed":
        return void this.list();
      case "call":
        return this.changed(event.call);
      case "event": {
        const call = this.calls.get(event.call);
        if (call) call.lastEvent = Math.max(call.lastEvent, event.event.id);
        return this.tell("event", event.call, event.event);
      }
      case "messages":
        this.streamed.messages += 1;
        return this.counted(event.total, event.dropped);
    }
  }

  private changedState(state: DevState): void {
    const before = this.state;
    this.state = state;
    this.tell("state", state, before);
    const started = state.server.status === "running" && state.server.starts !== before.server.starts;
    if (started) void this.list();
  }

  private changed({ events: _, ...call }: Call): void {
    const isNew = !this.calls.has(call.id);
    this.calls.set(call.id, call);
    if (this.calls.size > MOST_CALLS) {
      const old = [...this.calls.values()].find((call) => isOver(call));
      if (old) this.calls.delete(old.id);
    }
    this.tell("call", call, isNew);
  }

  private counted(total: number, dropped: number): void {
    this.total = total;
    this.dropped = dropped;
    this.tell("messages", total, dropped);
  }

  private tell<K extends keyof SessionListener>(what: K, ...args: Parameters<NonNullable<SessionListener[K]>>): void {
    for (const listener of [...this.listeners]) {
      (listener[what] as ((...args: unknown[]) => void) | undefined)?.call(listener, ...args);
    }
  }
}

export function isOver({ status }: Call): boolean {
  return status === "finished" || status === "failed" || status === "cancelled";
}

/** Whether the client and the server of a call have a session. */
export function isSession({ revision }: ClientSetup): boolean {
  return revision < STATELESS;
}
