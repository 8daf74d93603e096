// Generated for the tools of the application. Do not edit.
// Shows the views of tools, as a host of MCP Apps 2026-01-26 does. It needs no package.
//
//   page ── frame of the application, with an opaque origin and the policy of the view ── frame of the view
//
// The application serves the outer frame with the view inside. Both frames are sandboxed: they have neither the origin of
// the page nor its cookies and storage, and cannot navigate the page. The policy of the outer frame also holds for the view.

import {
  type Answer,
  type Call,
  type FormSchema,
  isEnd,
  type PluginClient,
  PluginError,
  type Question,
  type Tool,
  type ToolName,
  type ToolResult,
} from "./plugin-client";

const VERSION = "2026-01-26";

/** How long a view may take to load, to connect after that, and to end. A question has no limit: users take their time. */
const LOAD_MS = 60_000;
const CONNECT_MS = 10_000;
const TEARDOWN_MS = 1_000;

/** The most requests of a view that are open at once. */
const MOST_REQUESTS = 16;

/** The most characters of a message for the conversation, and of a link. */
const LONGEST_MESSAGE = 32 * 1024;
const LONGEST_LINK = 2048;

/** What a view needs of the application. A `PluginClient` has it. */
export type ViewClient = Pick<PluginClient, "tools" | "start" | "events" | "cancel" | "readResource" | "viewUrl">;

export interface ViewOptions {
  client: ViewClient;
  /** The URI of the view. */
  uri: string;
  /** The name of the frame, which screen readers say. */
  title: string;
  /** The element that gets the frame. */
  place: HTMLElement;
  /** The height of the frame in pixels. Default: from 60 to 800. */
  heights?: { least: number; most: number };
  /** Whether the view shall answer a question: then it may not call tools. */
  isQuestion?: boolean;
  /** The view asks to add a message of the user to the conversation. Without this function it cannot. */
  onMessage?(text: string): void | Promise<void>;
  /** The view asks to open a page. Without this function it cannot. Ask the user before the page opens. */
  onLink?(url: string): void | Promise<void>;
  /** Runs a tool that the view calls. Default: the call gets an error if it asks the user something. */
  callTool?(tool: ToolName, args: Record<string, unknown>): Promise<ToolResult>;
}

interface Message {
  jsonrpc?: unknown;
  id?: number | string;
  method?: string;
  params?: Record<string, unknown>;
  result?: unknown;
  error?: { code: number; message: string };
}

/** An error of a view, or of its connection. */
export class ViewFailure extends Error {
  constructor(
    message: string,
    readonly code = -32000,
  ) {
    super(message);
    this.name = "ViewFailure";
  }
}

/** Returns the URI of the view that shows the calls of a tool. */
export function viewOf(tool: Pick<Tool, "_meta">): string | undefined {
  return tool._meta?.ui?.resourceUri;
}

/** Returns whether a view may call the tool. */
export function isForViews(tool: Tool): boolean {
  return tool._meta?.ui?.visibility?.includes("app") ?? true;
}

/** Returns whether a model may call the tool. */
export function isForModels(tool: Tool): boolean {
  return tool._meta?.ui?.visibility?.includes("model") ?? true;
}

/** A view on the page. */
export class HostedView {
  private readonly frame = document.createElement("iframe");
  private readonly waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>();
  private readonly dark = matchMedia("(prefers-color-scheme: dark)");
  private readonly connected: Promise<void>;
  private onConnected!: { resolve(): void; reject(error: Error): void };
  private appCapabilities: Record<string, unknown> = {};
  private lastId = -1;
  private open = 0;
  private isClosed = false;

  private constructor(private readonly options: ViewOptions) {
    this.connected = new Promise((resolve, reject) => (this.onConnected = { resolve, reject }));
    this.frame.title = options.title;
    this.frame.className = "view";
    // The application sets the same restriction in a header of the frame.
    this.frame.setAttribute("sandbox", "allow-scripts");
    this.frame.referrerPolicy = "no-referrer";
    this.frame.src = options.client.viewUrl(options.uri);
    window.addEventListener("message", this.receive);
    this.dark.addEventListener("change", this.changeTheme);
    this.resize(0);
    options.place.append(this.frame);
  }

  /**
   * Shows a view. Resolves when the view has connected, and fails if the view does not load in 60 seconds, or does not
   * connect in 10 seconds after that. A view that has failed is removed.
   */
  static async show(options: ViewOptions): Promise<HostedView> {
    const view = new HostedView(options);
    const wait = (step: string, ms: number) => {
      const late = new ViewFailure(`the view ${options.uri} did not ${step} within ${ms / 1000} seconds`);
      return setTimeout(() => view.onConnected.reject(late), ms);
    };
    let timer = wait("load", LOAD_MS);
    // A slow network is not the fault of the view, so its time begins when both frames have loaded.
    const loaded = () => {
      clearTimeout(timer);
      timer = wait("connect", CONNECT_MS);
    };
    view.frame.addEventListener("load", loaded, { once: true });
    try {
      await view.connected;
      return view;
    } catch (error) {
      view.remove();
      throw error;
    } finally {
      view.frame.removeEventListener("load", loaded);
      clearTimeout(timer);
    }
  }

  /** Whether the view can answer questions. */
  get canAnswer(): boolean {
    return this.appCapabilities.elicitation !== undefined;
  }

  /** Tells the view the arguments of its tool. */
  showInput(args: unknown): void {
    this.notify("ui/notifications/tool-input", { arguments: args });
  }

  /** Tells the view the result of its tool. */
  showResult(result: ToolResult): void {
    this.notify("ui/notifications/tool-result", { ...result });
  }

  /** Tells the view that there will be no result. */
  showCancelled(reason: string): void {
    this.notify("ui/notifications/tool-cancelled", { reason });
  }

  /** Asks the user with the view. The answer is as the view has given it: the application checks it. */
  async ask(question: Question & { schema: FormSchema }): Promise<Answer> {
    if (!this.canAnswer) throw new ViewFailure("the view cannot answer questions");
    const { message, schema } = question;
    const params = { mode: "form", message, requestedSchema: schema, _meta: { ui: { resourceUri: this.options.uri } } };
    return readAnswer(await this.request("elicitation/create", params));
  }

  /** Moves the keyboard into the view. */
  focus(): void {
    this.frame.focus();
  }

  /** Ends the view: it can finish its work for a second. */
  async close(): Promise<void> {
    if (this.isClosed) return;
    const ended = this.request("ui/resource-teardown", {}).catch(() => {});
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, TEARDOWN_MS))]);
    this.remove();
  }

  /** Removes the view at once. */
  remove(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    window.removeEventListener("message", this.receive);
    this.dark.removeEventListener("change", this.changeTheme);
    this.frame.remove();
    const closed = new ViewFailure("the view was closed");
    for (const { reject } of this.waiting.values()) reject(closed);
    this.waiting.clear();
  }

  private readonly receive = ({ source, origin, data }: MessageEvent<Message | null>): void => {
    // The window of the frame is the sender, whatever its origin says: a sandboxed frame has none.
    if (this.isClosed || source === null || source !== this.frame.contentWindow || origin !== "null") return;
    if (typeof data !== "object" || data?.jsonrpc !== "2.0") return;
    const { id, method, params = {}, result, error } = data;
    if (method === undefined) {
      const request = this.waiting.get(id as number);
      this.waiting.delete(id as number);
      if (error) request?.reject(new ViewFailure(String(error.message), error.code));
      else request?.resolve(result);
    } else if (id === undefined) {
      this.notified(method, params);
    } else {
      void this.answer(id, method, params);
    }
  };

  private notified(method: string, params: Record<string, unknown>): void {
    if (method === "ui/notifications/initialized") this.onConnected.resolve();
    if (method === "ui/notifications/size-changed") this.resize(Number(params.height));
  }

  private async answer(id: number | string, method: string, params: Record<string, unknown>): Promise<void> {
    this.open += 1;
    try {
      if (this.open > MOST_REQUESTS) throw new ViewFailure(`at most ${MOST_REQUESTS} requests can be open at once`);
      this.post({ id, result: await this.resultOf(method, params) });
    } catch (error) {
      const code = error instanceof ViewFailure ? error.code : -32603;
      this.post({ id, error: { code, message: error instanceof Error ? error.message : String(error) } });
    } finally {
      this.open -= 1;
    }
  }

  private async resultOf(method: string, params: Record<string, unknown>): Promise<unknown> {
    switch (method) {
      case "ping":
        return {};
      case "ui/initialize":
        return this.initialize(params);
      case "tools/call":
        return this.callTool(String(params.name), params.arguments ?? {});
      case "resources/read":
        return this.options.client.readResource(String(params.uri)).catch(refused);
      case "ui/message":
        return this.addMessage(params.content);
      case "ui/open-link":
        return this.openLink(String(params.url));
      case "ui/request-display-mode":
        return { mode: "inline" };
      default:
        throw new ViewFailure(`the host has no method \`${method}\``, -32601);
    }
  }

  private initialize({ appCapabilities }: Record<string, unknown>): unknown {
    this.appCapabilities = typeof appCapabilities === "object" ? { ...appCapabilities } : {};
    const { onMessage, onLink, isQuestion } = this.options;
    return {
      protocolVersion: VERSION,
      hostInfo: { name: document.title, version: "1.0.0" },
      hostCapabilities: {
        serverResources: {},
        ...(isQuestion ? { elicitation: {} } : { serverTools: {} }),
        ...(onMessage && { message: { text: {} } }),
        ...(onLink && { openLinks: {} }),
      },
      hostContext: {
        theme: this.theme,
        displayMode: "inline",
        availableDisplayModes: ["inline"],
        containerDimensions: { width: this.frame.clientWidth, maxHeight: this.heights.most },
        locale: navigator.language,
        timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
        platform: "web",
      },
    };
  }

  private async callTool(name: string, args: unknown): Promise<ToolResult> {
    const { client, isQuestion, callTool } = this.options;
    if (isQuestion) throw new ViewFailure("a view that answers a question cannot call tools");
    if (typeof args !== "object" || args === null) throw new ViewFailure("the arguments must be an object", -32602);
    const tool = (await client.tools()).find((tool) => tool.name === name);
    if (!tool || !isForViews(tool)) throw new ViewFailure(`there is no tool \`${name}\` that views can call`, -32602);
    const run = callTool ?? ((tool, args) => callToEnd(client, tool, args));
    return run(tool.name, args as Record<string, unknown>).catch(refused);
  }

  private async addMessage(content: unknown): Promise<unknown> {
    const { onMessage } = this.options;
    const blocks = [content].flat() as { type?: unknown; text?: unknown }[];
    const text = blocks.map((block) => (block?.type === "text" ? String(block.text) : "")).join("\n");
    if (!onMessage || text === "" || text.length > LONGEST_MESSAGE) return { isError: true };
    await onMessage(text);
    return {};
  }

  private async openLink(url: string): Promise<unknown> {
    const { onLink } = this.options;
    // Only pages: a link with another scheme could run a script.
    if (!onLink || !/^https?:\/\//i.test(url) || url.length > LONGEST_LINK) return { isError: true };
    await onLink(url);
    return {};
  }

  private get theme(): "dark" | "light" {
    return this.dark.matches ? "dark" : "light";
  }

  private readonly changeTheme = (): void => this.notify("ui/notifications/host-context-changed", { theme: this.theme });

  private get heights(): { least: number; most: number } {
    return this.options.heights ?? { least: 60, most: 800 };
  }

  private resize(height: number): void {
    const { least, most } = this.heights;
    // Not an attribute `style`: a policy of the page can forbid those.
    if (!Number.isNaN(height)) this.frame.height = String(Math.min(Math.max(height, least), most));
  }

  private request(method: string, params: Record<string, unknown>): Promise<unknown> {
    if (this.isClosed) return Promise.reject(new ViewFailure("the view was closed"));
    return new Promise((resolve, reject) => {
      this.lastId += 1;
      this.waiting.set(this.lastId, { resolve, reject });
      this.post({ id: this.lastId, method, params });
    });
  }

  private notify(method: string, params: Record<string, unknown>): void {
    this.post({ method, params });
  }

  private post(message: Message): void {
    // The frame has no origin to name. Its window shows only what the application serves: a policy stops navigation.
    this.frame.contentWindow?.postMessage({ jsonrpc: "2.0", ...message }, "*");
  }
}

/** Runs a tool to its end. A question of the tool cancels the call. */
export async function callToEnd(
  client: ViewClient,
  tool: ToolName,
  args: Record<string, unknown>,
): Promise<ToolResult> {
  const call: Call = await client.start(tool, args as never);
  for await (const event of client.events(call.id)) {
    if (event.type === "finished") return event.result;
    if (event.type === "failed") throw new ViewFailure(event.message);
    if (event.type === "elicit") await client.cancel(call.id);
    if (isEnd(event)) break;
  }
  throw new ViewFailure(`the call of \`${tool}\` was cancelled`);
}

/** Reads the answer of a view. */
function readAnswer(answer: unknown): Answer {
  const { action, content } = (answer ?? {}) as { action?: unknown; content?: unknown };
  if (action === "decline" || action === "cancel") return { action };
  if (action !== "accept" || typeof content !== "object" || content === null) {
    throw new ViewFailure("the view has sent something that is not an answer");
  }
  return { action, content: content as Record<string, unknown> };
}

/** Passes the refusal of the application on to the view. */
function refused(error: unknown): never {
  if (error instanceof PluginError) throw new ViewFailure(error.message, error.status === 404 ? -32002 : -32000);
  throw error;
}
