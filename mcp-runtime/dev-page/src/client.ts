// The requests of the page. `dev-api.d.ts` says what each of them does.

import type { CommandLines } from "./calls/command-lines";
import type {
  AnyAnswer,
  Call,
  CallRecord,
  CallRequest,
  CheckReport,
  ClientSetup,
  DevEvent,
  DevState,
  Fault,
  Items,
  MessagePage,
  MessageQuery,
  PreparedAnswer,
  WireMessage,
} from "./dev-api";
import { Refusal, refusal, serverSentEvents } from "./parts";

/** What a completion is for: an argument of a prompt, or a variable of a template. */
export type CompletionRef = { type: "ref/prompt"; name: string } | { type: "ref/resource"; uri: string };

/** A part of a resource: text, or bytes in base64. */
export interface Contents {
  uri: string;
  mimeType?: string;
  text?: string;
  blob?: string;
}

export class DevClient {
  constructor(private readonly token: string) {}

  state = () => this.get<DevState>("/api/state");
  items = (setup: ClientSetup) => this.post<Items>("/api/items", { setup });
  check = () => this.get<CheckReport>("/api/check");
  restart = () => this.post<unknown>("/api/server/restart", {});
  advanceClock = (seconds: number) => this.post<unknown>("/api/server/clock", { seconds });

  complete(setup: ClientSetup, ref: CompletionRef, argument: { name: string; value: string }, filled: object) {
    return this.post<{ values: string[]; total?: number; hasMore?: boolean }>("/api/completions", {
      setup,
      ref,
      argument,
      filled,
    });
  }

  readResource(uri: string, setup: ClientSetup) {
    return this.post<{ contents: Contents[] }>("/api/resources", { uri, setup });
  }

  start(request: CallRequest, setup: ClientSetup, extra: { fault?: Fault; answers?: PreparedAnswer[] } = {}) {
    return this.post<Call>("/api/calls", { request, setup, ...extra });
  }

  async calls(): Promise<Call[]> {
    return (await this.get<{ calls: Call[] }>("/api/calls")).calls;
  }

  call = (id: string) => this.get<Call>(`/api/calls/${part(id)}`);
  cancel = (id: string) => this.request<unknown>("DELETE", `/api/calls/${part(id)}`);
  answer = (id: string, seq: number, answer: AnyAnswer) =>
    this.post<unknown>(`/api/calls/${part(id)}/answers`, { seq, ...answer });
  inject = (id: string, fault: Fault) => this.post<unknown>(`/api/calls/${part(id)}/faults`, { fault });
  record = (id: string) => this.get<CallRecord>(`/api/calls/${part(id)}/record`);
  disarm = (id: string) => this.request<unknown>("DELETE", `/api/calls/${part(id)}/faults`);
  commands = (id: string) => this.get<CommandLines>(`/api/calls/${part(id)}/commands`);
  commandsOf = (request: CallRequest, setup: ClientSetup, answers: PreparedAnswer[]) =>
    this.post<CommandLines>("/api/commands", { request, setup, ...(answers.length > 0 && { answers }) });
  asTest = (id: string) => this.get<{ path: string; source: string }>(`/api/calls/${part(id)}/test`);

  messages(query: MessageQuery, signal?: AbortSignal) {
    const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
    return this.get<MessagePage>(
      `/api/messages?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`,
      signal,
    );
  }

  message = (n: number) => this.get<WireMessage>(`/api/messages/${n}`);

  async recording(): Promise<Blob> {
    return (await this.fetch("GET", "/api/recording")).blob();
  }

  /** The address of the frame of a view. */
  viewUrl(uri: string, setup: ClientSetup): string {
    return `/views?${new URLSearchParams({ uri, setup: JSON.stringify(setup), token: this.token })}`;
  }

  /** Follows everything. Connects again when the connection breaks, with the id of the last event. */
  async *events(onConnection: (connected: boolean) => void): AsyncGenerator<DevEvent, void, void> {
    let last: string | undefined;
    let pause = 250;
    for (;;) {
      try {
        const headers: Record<string, string> = last === undefined ? {} : { "last-event-id": last };
        const response = await this.fetch("GET", "/api/events", undefined, { accept: "text/event-stream", ...headers });
        onConnection(true);
        pause = 250;
        for await (const { id, data } of serverSentEvents(response)) {
          last = id ?? last;
          yield JSON.parse(data) as DevEvent;
        }
      } catch (error) {
        // The command refuses: trying again would not help.
        if (error instanceof Refusal && error.status < 500) throw error;
      }
      onConnection(false);
      await new Promise((resolve) => setTimeout(resolve, pause));
      pause = Math.min(pause * 2, 5000);
    }
  }

  private get = <T>(path: string, signal?: AbortSignal) => this.request<T>("GET", path, undefined, signal);
  private post = <T>(path: string, body: unknown) => this.request<T>("POST", path, body);

  private async request<T>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
    const response = await this.fetch(method, path, body, {}, signal);
    return (await response.json()) as T;
  }

  private async fetch(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
    signal?: AbortSignal,
  ): Promise<Response> {
    const response = await fetch(path, {
      method,
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal ?? null,
    });
    if (!response.ok) throw await refusal(response);
    return response;
  }
}

const part = encodeURIComponent;

/** Returns what an error says. */
export function told(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
