// The interface between the development page and the command `dev`. A test compares it with what the command sends.
//
// Every request needs the header `Authorization: Bearer TOKEN`, with the token in the address of the page. A refusal is
// `{ "error": { "code", "message", "problems"? } }` with a status of 4xx or 5xx, as those of plugins are.
//
// | request | what it does | reply |
// | --- | --- | --- |
// | GET /api/state | | DevState |
// | GET /api/events | follows everything; `Last-Event-ID` resumes | server-sent DevEvent |
// | POST /api/items | lists what a client sees; body: { setup } | Items |
// | POST /api/completions | body: { setup, ref, argument: { name, value }, filled } | { values, total?, hasMore? } |
// | POST /api/calls | begins a call; body: { request, setup, fault?, answers?: PreparedAnswer[] } | 201, Call |
// | GET /api/calls | newest first | { calls: Call[] }, without events |
// | GET /api/calls/ID | | Call, with events |
// | DELETE /api/calls/ID | cancels the call | 202, {} |
// | POST /api/calls/ID/answers | answers an open question; body: { seq, ...AnyAnswer } | {} |
// | POST /api/calls/ID/faults | body: { fault } | {} |
// | DELETE /api/calls/ID/faults | takes back the fault that is armed; 409 if it has happened | {} |
// | GET /api/calls/ID/record | opens the latest state, and reads the record of the ledger | CallRecord |
// | GET /api/calls/ID/commands | | { cli, curl? } |
// | POST /api/commands | those of a call that has not begun; body: { request, setup, answers? } | { cli, curl? } |
// | GET /api/calls/ID/test | | { path, source } |
// | GET /api/messages?QUERY | a part of the log; see MessageQuery | MessagePage |
// | GET /api/messages/N | | WireMessage |
// | GET /api/check | runs the rules of `check` | CheckReport |
// | POST /api/server/restart, POST /api/server/clock { seconds } | | {} |
// | GET /api/recording | the session as a file, without secrets | JSON lines |
// | GET /views?uri=URI&setup=SETUP&token=TOKEN | the frame of a view | HTML |
// | POST /api/resources | body: { uri, setup } | { contents } |

import type { AnswerAction, AnswerProblem, LogLevel, Question, ToolResult } from "../../../examples/chat/web/src/plugins/plugin-client";

/** What the page shows of the program, its build and its processes. */
export interface DevState {
  /** The name of the program. */
  program: string;
  /** Where the shown session comes from: processes of this program, a server at a URL, or a file. */
  source: { kind: "program" } | { kind: "url"; url: string } | { kind: "recording"; file: string };
  /** What the page can do with this source. */
  abilities: {
    /** The faults that can happen to calls. */
    faults: Fault[];
    /** Whether the server can be restarted, and its clock moved. */
    processes: boolean;
    /** Whether states and records can be opened. */
    records: boolean;
    transports: Transport[];
    /** Whether the page can sign tokens for principals. */
    tokens: boolean;
    /** The model that the environment configures, if any. */
    model: string | null;
  };
  revisions: string[];
  build: Build;
  server: ServerStatus;
}

export interface Build {
  status: "none" | "building" | "built" | "failed";
  /** Counts the builds of this session. */
  number: number;
  /** Milliseconds since 1970. */
  startedAt?: number;
  /** Milliseconds. */
  took?: number;
  diagnostics: Diagnostic[];
}

/** A message of the compiler, or of Cargo. */
export interface Diagnostic {
  level: "error" | "warning" | "note";
  message: string;
  /** As the compiler prints it. */
  rendered: string;
  file?: string;
  line?: number;
  column?: number;
}

export interface ServerStatus {
  status: "starting" | "running" | "stopped" | "crashed";
  /** How often a process that serves over HTTP was started. Those of connections over stdio are not counted. */
  starts: number;
  /** Why the process has ended, or could not start. */
  reason?: string;
  /** When a server that crashed is started again. Milliseconds since 1970. */
  retryAt?: number;
  /** The last lines of standard error. */
  output: string[];
  /** By how many seconds the server's clock is ahead. */
  clock: number;
}

export type Transport = "stdio" | "http";

/** The client that makes a call. */
export interface ClientSetup {
  revision: string;
  transport: Transport;
  capabilities: { elicitation: boolean; sampling: boolean; roots: boolean; views: boolean };
  /** Who calls, over HTTP with a signed token. Absent: nobody is identified. */
  principal?: { name: string; scopes: string[] };
  /** The second of two processes that share a store. */
  otherInstance?: boolean;
}

/** What a client can use: the objects of the protocol's lists, as they came. */
export interface Items {
  serverInfo?: { name: string; version: string; title?: string };
  instructions?: string;
  /** Each tool has its size in a model's context, an example of its arguments, and its forms where they are known. */
  tools: (ListedItem & { inputSchema: Record<string, unknown>; tokens: number; example?: unknown })[];
  prompts: (ListedItem & { arguments?: { name: string; title?: string; description?: string; required?: boolean }[] })[];
  resources: (ListedItem & { uri: string; mimeType?: string; size?: number })[];
  resourceTemplates: (ListedItem & { uriTemplate: string; mimeType?: string })[];
  skills: { uri: string; frontmatter: { name: string; description?: string } }[];
  /** About how many tokens the list of tools needs. */
  tokens: number;
}

export interface ListedItem {
  name: string;
  title?: string;
  description?: string;
  _meta?: Record<string, unknown>;
  [member: string]: unknown;
}

export type CallRequest =
  | { kind: "tool"; name: string; arguments: Record<string, unknown> }
  | { kind: "prompt"; name: string; arguments: Record<string, string> }
  | { kind: "resource"; uri: string };

/** A call of a tool, prompt or resource, in all its rounds. One lane of the page. */
export interface Call {
  id: string;
  request: CallRequest;
  setup: ClientSetup;
  status: "working" | "input_required" | "finished" | "failed" | "cancelled";
  /** Milliseconds since 1970. */
  startedAt: number;
  /** Milliseconds. */
  took?: number;
  /** How many requests the call has made so far, or in a session how many times it has asked. */
  rounds: number;
  /** The questions that wait for an answer. */
  questions: OpenQuestion[];
  /** What is armed for the next request or reply. */
  armed?: Fault;
  lastEvent: number;
  events?: CallEvent[];
}

/** A question that waits for its answer. */
export type OpenQuestion =
  | ({ kind: "form" | "url" } & Question)
  | { kind: "sampling"; seq: number; key: string; params: Record<string, unknown> }
  | { kind: "roots"; seq: number; key: string };

export type AnyAnswer =
  | { action: AnswerAction; content?: Record<string, unknown> }
  /** A reply of a model: written by hand, or by the model of the environment. */
  | { action: "reply"; text: string }
  | { action: "reply"; result: Record<string, unknown> }
  | { action: "model" }
  | { action: "roots"; roots: { uri: string; name?: string }[] };

/**
 * An answer that is prepared before the call. Each question gets the first one that fits and was not given yet. A question
 * that is asked again waits for the person. At most 100 for a call.
 */
export type PreparedAnswer = {
  /** Default: each kind that is answered like this. */
  kind?: OpenQuestion["kind"];
  /** The key of the question, or its name on a command line. The questions of a session have no keys. Default: each question. */
  key?: string;
} & AnyAnswer;

/** What can go wrong on the way. */
export type Fault =
  /** The next reply is lost, and the client sends its request again. */
  | "lose_reply"
  /** The next request arrives twice at the same time. */
  | "send_twice"
  /** The clock goes past the moment until which the state is valid, and then the client answers. */
  | "answer_late"
  /** The client answers with content that does not fit the form. */
  | "answer_wrongly"
  /** The client answers the spent state of the round before, with other answers. */
  | "answer_spent"
  | "cancel"
  /** The connection is closed in the middle of the next request, and the client connects again and repeats it. */
  | "close_connection"
  /** The process is killed now, and started again for the next round. */
  | "kill"
  /** The next round goes to the other instance. */
  | "other_instance"
  /** The clock of the server goes forward by an hour. */
  | "clock_forward"
  /** The same call again, by another client. */
  | "other_revision"
  | "without_elicitation"
  | "without_sampling";

/**
 * One event of a call. Those of plugins are among them, with the same members. `message` is the number of the message in
 * the log; that of `progress` is its text.
 */
export type CallEvent = { id: number; at: number; round: number } & (
  | { type: "progress"; progress: number; total?: number; message?: string }
  | (CallEventOfMessage & { message?: number })
);

export type CallEventOfMessage =
  | { type: "started"; request: CallRequest }
  /** A request leaves, or in a session its first request, or an answer. */
  | { type: "round"; instance: "first" | "second"; again: boolean }
  | { type: "log"; level: LogLevel; logger?: string; data: unknown }
  | { type: "asked"; question: OpenQuestion }
  | { type: "answered"; seq: number; key: string; by: "hand" | "prepared" | "script" | "model"; answer: AnyAnswer }
  /** The code has changed: the question is another one than that which was answered. */
  | { type: "changed"; key: string; before: OpenQuestion; after: OpenQuestion }
  | { type: "round_ended"; took: number; state?: { length: number } }
  | { type: "fault"; fault: Fault; told: string }
  /** What has run in the server: a phase or a step. */
  | { type: "ran"; name: string; times: number }
  | { type: "span"; name: string; took: number; fields: Record<string, string> }
  | { type: "metric"; name: string; value: number; labels: Record<string, string> }
  /** What a fault has done, in the words of the guide on reliability. */
  | { type: "finding"; fault: Fault; ok: boolean; told: string }
  | { type: "finished"; result: ToolResult & Record<string, unknown> }
  | { type: "failed"; code?: number; told: string; data?: unknown }
  | { type: "cancelled" };

/** What the server remembers of a call. */
export interface CallRecord {
  /** What the client carries. Absent if no round has ended with questions. */
  state?: {
    length: number;
    kind: "sealed" | "token" | "unknown";
    call?: string;
    round?: number;
    expiresAt?: number;
    misses?: number;
    /** The journal: the handoff, the answers so far, the open questions. */
    journal?: unknown;
  };
  /** The record of the ledger, if there is one. */
  record?: {
    round: number;
    status: "open" | "running" | "begun" | "done";
    lease?: { holder: string; until: number };
    reply?: unknown;
    steps: { name: string; value?: unknown }[];
    version: string;
  };
  /** How often each phase and step has run, as the processes have reported. */
  ran: Record<string, number>;
}

/** What `GET /api/messages` can be asked for. All parts must hold. */
export interface MessageQuery {
  /** Only messages that contain this text. */
  text?: string;
  direction?: "sent" | "received";
  /** A method, or the kind `result`, `error` or `stderr`. */
  method?: string;
  call?: string;
  /** The position among the matching messages of the first one to return. Default: the end. */
  from?: number;
  /** At most 500. Default: 100. */
  count?: number;
  /** Returns the page that contains this message. */
  around?: number;
}

export interface MessagePage {
  /** All messages that are kept, and how many earlier ones were dropped. */
  total: number;
  dropped: number;
  /** How many match, and the position of the first of `messages` among them. */
  matching: number;
  from: number;
  messages: MessageSummary[];
}

export interface MessageSummary {
  n: number;
  at: number;
  direction: "sent" | "received";
  transport: Transport;
  instance: "first" | "second";
  /** The method, or `result`, `error`, `stderr`. */
  kind: string;
  /** The id of the request, as JSON text. */
  request?: string;
  call?: string;
  round?: number;
  length: number;
  /** The beginning of the message. */
  preview: string;
  /** The HTTP status of a reply. */
  status?: number;
}

export interface WireMessage extends MessageSummary {
  /** As it was sent. Absent if it was too long to keep. */
  text?: string;
  headers?: [string, string][];
  url?: string;
}

export interface CheckReport {
  findings: { rule: string; level: "error" | "warning" | "note"; item?: string; message: string }[];
  tokens: { total: number; tools: { name: string; tokens: number }[] };
}

/** What the stream of events sends. */
export type DevEvent =
  | { type: "state"; state: DevState }
  | { type: "items_changed" }
  | { type: "call"; call: Call }
  | { type: "event"; call: string; event: CallEvent }
  | { type: "messages"; total: number; dropped: number };

export type { AnswerProblem };
