// Generated for the tools of the application. Do not edit.
// A client for the routes of the application's plugins. It needs no package.

import type { Tools } from "./plugin-types";

export type { Tools };
export type ToolName = keyof Tools;

/** The keys of the forms of a tool. */
export type FormKey<T extends ToolName> = keyof Tools[T]["forms"] & string;

/** A tool, as a model sees it, with its forms. */
export interface Tool {
  name: ToolName;
  title?: string;
  description: string;
  inputSchema: Record<string, unknown>;
  outputSchema?: Record<string, unknown>;
  _meta?: { ui?: { resourceUri?: string; visibility?: ("model" | "app")[] } };
  forms: { key: string; description: string; schema: FormSchema }[];
}

export type CallStatus = "working" | "input_required" | "finished" | "failed" | "cancelled";

/** A call without its timeline. */
export interface Call<T extends ToolName = ToolName> {
  id: string;
  tool: T;
  title?: string;
  arguments: Tools[T]["arguments"];
  status: CallStatus;
  /** Milliseconds since 1970. */
  startedAt: number;
  /** The id of the last event so far. */
  lastEvent: number;
  /** The question that waits for an answer. */
  question?: Question;
}

/** A question that waits for the user's answer. */
export interface Question {
  /** The number of the question in its call. An answer names it. */
  seq: number;
  /** Unique in its call. */
  key: string;
  mode: "form" | "url";
  /** The key of the form in the tool's set. */
  form?: string;
  message: string;
  schema?: FormSchema;
  /** The page to open, for the mode `url`. */
  url?: string;
  /** What the tool has found before it asked. */
  handoff?: unknown;
  /** The view that can show the question instead of a form. */
  view?: string;
  /** Why the last answer to this question was not accepted. */
  rejected?: string;
}

/** The schema of a form: a flat object. */
export interface FormSchema {
  type: "object";
  properties: Record<string, FieldSchema>;
  required?: string[];
}

export interface FieldSchema {
  type: "string" | "number" | "integer" | "boolean" | "array";
  title?: string;
  description?: string;
  default?: string | number | boolean | string[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  enum?: string[];
  oneOf?: FieldChoice[];
  items?: { enum?: string[]; anyOf?: FieldChoice[] };
}

export interface FieldChoice {
  const: string;
  title?: string;
}

/** The result of a tool, as the protocol defines it. */
export interface ToolResult {
  content: { type: string; text?: string; [member: string]: unknown }[];
  structuredContent?: unknown;
  isError?: boolean;
}

export type LogLevel = "debug" | "info" | "notice" | "warning" | "error" | "critical" | "alert" | "emergency";

/** One event of a call. `finished`, `failed` and `cancelled` are the last one. */
export type TimelineEvent = { id: number; at: number } & (
  | { type: "started"; tool: ToolName; title?: string; arguments: unknown }
  | { type: "log"; level: LogLevel; data: unknown }
  | { type: "progress"; progress: number; total?: number; message?: string }
  | { type: "elicit"; question: Question }
  | { type: "answered"; seq: number; key: string; action: AnswerAction; content?: Record<string, unknown> }
  | { type: "sample"; key: string; model?: string; text?: string }
  | { type: "finished"; result: ToolResult }
  | { type: "failed"; message: string }
  | { type: "cancelled" }
);

export type AnswerAction = "accept" | "decline" | "cancel";

export type Answer<Content = Record<string, unknown>> =
  | { action: "accept"; content: Content }
  | { action: "decline" }
  | { action: "cancel" };

/** What a handler of a form gets. */
export interface FormRequest<T extends ToolName, F extends FormKey<T>> {
  call: Call<T>;
  question: Question & { mode: "form"; form: F; schema: FormSchema };
  /** The last answer of this handler to the question, if it did not fit. */
  rejected?: RejectedAnswer;
  /** Aborted when somebody else has answered, or when the call has ended. */
  signal: AbortSignal;
}

export interface RejectedAnswer {
  answer: Answer<unknown>;
  problems: AnswerProblem[];
}

/** One function for each form of each tool. Code that lacks one does not compile. */
export type Handlers = {
  [T in ToolName as FormKey<T> extends never ? never : T]: {
    [F in FormKey<T>]: (request: FormRequest<T, F>) => Promise<Answer<Tools[T]["forms"][F]>>;
  };
};

/** Answers a question that asks the user to open a page. */
export type VisitHandler = (request: { call: Call; question: Question; signal: AbortSignal }) => Promise<Answer>;

export interface AnswerProblem {
  /** The field, or null if the answer as a whole is wrong. */
  field: string | null;
  message: string;
}

/** A part of a resource: text, or bytes in base64. */
export interface ResourceContents {
  uri: string;
  mimeType?: string;
  text?: string;
  blob?: string;
  _meta?: Record<string, unknown>;
}

/** The application has refused a request. */
export class PluginError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly problems: AnswerProblem[] = [],
  ) {
    super(message);
    this.name = "PluginError";
  }
}

/** A client for the routes under `base`, such as `/plugins`. */
export class PluginClient {
  constructor(private readonly base: string) {}

  async tools(): Promise<Tool[]> {
    return (await this.request<{ tools: Tool[] }>("GET", "/tools")).tools;
  }

  start<T extends ToolName>(tool: T, args: Tools[T]["arguments"]): Promise<Call<T>> {
    return this.request("POST", "/calls", { tool, arguments: args });
  }

  /** The open calls of this user, oldest first. */
  async calls(): Promise<Call[]> {
    return (await this.request<{ calls: Call[] }>("GET", "/calls")).calls;
  }

  call(id: string): Promise<Call> {
    return this.request("GET", `/calls/${encodeURIComponent(id)}`);
  }

  /** Answers the open question. An answer that does not fit leaves it open: see `PluginError.problems`. */
  async answer(id: string, seq: number, answer: Answer<unknown>): Promise<void> {
    await this.request("POST", `/calls/${encodeURIComponent(id)}/answers`, { seq, ...answer });
  }

  /** Reads a resource of the application's server. */
  readResource(uri: string): Promise<{ contents: ResourceContents[] }> {
    return this.request("GET", `/resources?uri=${encodeURIComponent(uri)}`);
  }

  /** The address of the frame that shows a view. */
  viewUrl(uri: string): string {
    return `${this.base}/views?uri=${encodeURIComponent(uri)}`;
  }

  /** Asks the call to end. */
  async cancel(id: string): Promise<void> {
    await this.request("DELETE", `/calls/${encodeURIComponent(id)}`);
  }

  /**
   * Follows a call from the event behind `after`, and ends after its last event. If the connection breaks, it connects
   * again and misses nothing; `onConnection` tells about that.
   */
  async *events(
    id: string,
    options: { after?: number; signal?: AbortSignal; onConnection?: (connected: boolean) => void } = {},
  ): AsyncGenerator<TimelineEvent, void, void> {
    const { signal, onConnection } = options;
    let seen = options.after ?? 0;
    let pause = 250;
    while (!signal?.aborted) {
      try {
        const response = await fetch(`${this.base}/calls/${encodeURIComponent(id)}/events`, {
          headers: { accept: "text/event-stream", "last-event-id": String(seen) },
          signal: signal ?? null,
        });
        if (response.status === 204) return;
        if (!response.ok) throw await refusal(response);
        onConnection?.(true);
        pause = 250;
        for await (const { data } of serverSentEvents(response)) {
          const event = JSON.parse(data) as TimelineEvent;
          seen = event.id;
          yield event;
          if (isEnd(event)) return;
        }
      } catch (error) {
        if (signal?.aborted) return;
        // The application is there, and refuses: trying again would not help.
        if (error instanceof PluginError && error.status < 500) throw error;
      }
      onConnection?.(false);
      await sleep(pause, signal);
      pause = Math.min(pause * 2, 5000);
    }
  }

  private async request<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(this.base + path, {
      method,
      headers: body === undefined ? {} : { "content-type": "application/json" },
      body: body === undefined ? null : JSON.stringify(body),
    });
    if (!response.ok) throw await refusal(response);
    return (await response.json()) as T;
  }
}

/**
 * Follows a call and answers its questions with the handlers. Each event goes to `onEvent` too. An answer that does not
 * fit is asked for again, and one that cannot be delivered is sent again until its question is over. `call` must be up to
 * date, so that questions which were answered before are not asked.
 */
export async function answerWith(
  client: PluginClient,
  call: Call,
  handlers: Handlers,
  visit: VisitHandler,
  options: {
    after?: number;
    signal?: AbortSignal;
    onEvent?: (event: TimelineEvent) => void;
    onConnection?: (connected: boolean) => void;
  } = {},
): Promise<void> {
  let asking: AbortController | undefined;
  try {
    for await (const event of client.events(call.id, options)) {
      if (event.type !== "log" && event.type !== "progress" && event.type !== "sample") asking?.abort();
      options.onEvent?.(event);
      if (event.type === "elicit" && (event.id > call.lastEvent || event.question.seq === call.question?.seq)) {
        asking = new AbortController();
        void ask(client, call, event.question, handlers, visit, asking.signal);
      }
    }
  } finally {
    asking?.abort();
  }
}

async function ask(
  client: PluginClient,
  call: Call,
  question: Question,
  handlers: Handlers,
  visit: VisitHandler,
  signal: AbortSignal,
): Promise<void> {
  type AnyRequest = { call: Call; question: Question; rejected?: RejectedAnswer; signal: AbortSignal };
  type AnyHandler = (request: AnyRequest) => Promise<Answer<unknown>>;
  const forms = (handlers as Record<string, Record<string, AnyHandler> | undefined>)[call.tool];
  const handler = question.mode === "url" ? visit : forms?.[question.form ?? ""];
  if (!handler) throw new Error(`no handler for the form ${question.form} of ${call.tool}`);
  let rejected: RejectedAnswer | undefined;
  while (!signal.aborted) {
    const answer = await handler({ call, question, signal, ...(rejected && { rejected }) });
    if (signal.aborted) return;
    const problems = await deliver(client, call.id, question.seq, answer, signal);
    if (problems === undefined) return;
    rejected = { answer, problems };
  }
}

/**
 * Sends an answer, and retries while the application is unreachable or overloaded. The answer names its question, so it
 * counts once. Returns the problems of the answer, or undefined if it needs no further work.
 */
async function deliver(
  client: PluginClient,
  id: string,
  seq: number,
  answer: Answer<unknown>,
  signal: AbortSignal,
): Promise<AnswerProblem[] | undefined> {
  // Fails here, and not at each attempt, if the answer is not JSON.
  JSON.stringify(answer);
  while (!signal.aborted) {
    try {
      await client.answer(id, seq, answer);
      return undefined;
    } catch (error) {
      const isRefused = error instanceof PluginError && error.status < 500 && ![408, 429].includes(error.status);
      // Another client has answered first, or the call has ended: the events of the call say so.
      if (isRefused) return error.code === "invalid_answer" ? error.problems : undefined;
      await sleep(1000, signal);
    }
  }
  return undefined;
}

export function isEnd(event: TimelineEvent): boolean {
  return event.type === "finished" || event.type === "failed" || event.type === "cancelled";
}

/** Returns the error of a response that is not a success. */
export async function refusal(response: Response): Promise<PluginError> {
  interface Refusal {
    error?: { code?: string; message?: string; problems?: AnswerProblem[] };
  }
  const body = (await response.json().catch(() => ({}))) as Refusal;
  const { code = "http", message = `HTTP ${response.status}`, problems = [] } = body.error ?? {};
  return new PluginError(response.status, code, message, problems);
}

/** Returns the data of each event, and its id. */
export async function* serverSentEvents(
  response: Response,
): AsyncGenerator<{ id: string | undefined; data: string }, void, void> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const blocks = (rest + value).split("\n\n");
      rest = blocks.pop()!;
      for (const block of blocks) {
        const lines = block.split("\n");
        const values = (field: string) =>
          lines.filter((line) => line.startsWith(field)).map((line) => line.slice(field.length).replace(/^ /, ""));
        const data = values("data:");
        if (data.length > 0) yield { id: values("id:").at(-1), data: data.join("\n") };
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });
}
