// A server that plays the interface of the command `dev` with recorded data. See `dev-page/src/dev-api.d.ts`.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";

import { MockCall } from "./dev-call.mjs";
import { CHECK, ITEMS, RECORD, STATE } from "./dev-items.mjs";
import { Log } from "./dev-log.mjs";

const dist = fileURLToPath(new URL("../../mcp-runtime/dev-page/dist/", import.meta.url));
const TOKEN = "t0ken";

/** The document with the built page, and a policy that allows only that. */
function page() {
  const [script, style] = ["page.js", "page.css"].map((name) => readFileSync(dist + name, "utf8"));
  const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  const policy = [
    "default-src 'none'",
    `script-src ${hash(script)}`,
    `style-src ${hash(style)}`,
    "connect-src 'self'",
    "img-src data:",
    "media-src data:",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>dev</title><link rel="icon" href="data:,"><style>${style}</style></head><body><script>${script}</script></body></html>`;
  return { html, policy };
}

export class DevMock {
  state = structuredClone(STATE);
  items = structuredClone(ITEMS);
  calls = [];
  /** What the page has sent, for tests. */
  requests = [];
  isOffline = false;
  #events = [];
  #streams = new Set();

  constructor({ messages = 0 } = {}) {
    this.log = new Log(messages);
  }

  /** How many pages follow the events. */
  get followers() {
    return this.#streams.size;
  }

  async start() {
    this.server = createServer((request, response) => void this.#serve(request, response));
    await new Promise((resolve) => this.server.listen(this.port ?? 0, "127.0.0.1", resolve));
    this.port = this.server.address().port;
    this.url = `http://127.0.0.1:${this.port}/?token=${TOKEN}`;
  }

  async end() {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Breaks all connections, and refuses new ones until `back`. */
  lose() {
    this.isOffline = true;
    this.server.closeAllConnections();
  }

  back() {
    this.isOffline = false;
  }

  /** Forgets all events, so that a follower cannot get them any more. */
  forget() {
    this.#events = [{ id: 1_000_000, data: "" }];
  }

  change(patch) {
    Object.assign(this.state, patch);
    this.emit({ type: "state", state: this.state });
  }

  emit(event) {
    const id = (this.#events.at(-1)?.id ?? 0) + 1;
    const data = JSON.stringify(event);
    this.#events.push({ id, data });
    if (this.#events.length > 20_000) this.#events.shift();
    for (const stream of this.#streams) stream.write(`id: ${id}\ndata: ${data}\n\n`);
  }

  /** Notes a message. */
  wire(message) {
    const n = this.log.add(message);
    this.emit({ type: "messages", total: this.log.total, dropped: this.log.dropped });
    return n;
  }

  async #serve(request, response) {
    const url = new URL(request.url, this.url);
    const send = (status, body) =>
      response
        .writeHead(status, { "content-type": "application/json", "cache-control": "no-store" })
        .end(JSON.stringify(body));
    const refuse = (status, code, message, problems) =>
      send(status, { error: { code, message, ...(problems && { problems }) } });
    if (this.isOffline) return request.socket.destroy();
    if (url.pathname === "/" || url.pathname === "/views") {
      if (url.searchParams.get("token") !== TOKEN) return refuse(401, "unauthorized", "the token is missing or wrong");
      if (url.pathname === "/views")
        return response
          .writeHead(200, { "content-type": "text/html", "content-security-policy": "sandbox allow-scripts" })
          .end(VIEW);
      const { html, policy } = page();
      return response
        .writeHead(200, {
          "content-type": "text/html",
          "content-security-policy": policy,
          "referrer-policy": "no-referrer",
        })
        .end(html);
    }
    if (request.headers.authorization !== `Bearer ${TOKEN}`)
      return refuse(401, "unauthorized", "the token is missing or wrong");
    let text = "";
    for await (const chunk of request) text += chunk;
    const body = text === "" ? undefined : JSON.parse(text);
    const route = `${request.method} ${url.pathname}`;
    if (request.method !== "GET") this.requests.push({ route, body });
    if (url.pathname === "/api/events") return this.#stream(request, response);
    try {
      const result = this.#answer(route, url, body);
      if (result === undefined) return refuse(404, "not_found", `there is nothing at ${url.pathname}`);
      if (typeof result === "string")
        return response.writeHead(200, { "content-type": "application/jsonl" }).end(result);
      return send(route === "POST /api/calls" ? 201 : 200, result);
    } catch (error) {
      return refuse(error.status ?? 500, error.code ?? "internal", error.message, error.problems);
    }
  }

  #stream(request, response) {
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    response.flushHeaders();
    const last = Number(request.headers["last-event-id"] ?? this.#events.at(-1)?.id ?? 0);
    this.resumedFrom = request.headers["last-event-id"];
    for (const { id, data } of this.#events) if (id > last) response.write(`id: ${id}\ndata: ${data}\n\n`);
    this.#streams.add(response);
    response.on("close", () => this.#streams.delete(response));
  }

  #answer(route, url, body) {
    const query = Object.fromEntries(url.searchParams);
    switch (route) {
      case "GET /api/state":
        return this.state;
      case "POST /api/items":
        return this.items;
      case "GET /api/check":
        return CHECK;
      case "POST /api/completions":
        return {
          values: ["annual report", "annual budget", "minutes"].filter((value) =>
            value.startsWith(body.argument.value),
          ),
        };
      case "POST /api/resources":
        return { contents: [{ uri: body.uri, mimeType: "text/plain", text: `The text of ${body.uri}` }] };
      case "POST /api/calls":
        return this.begin(body).summary();
      case "GET /api/calls":
        return { calls: this.calls.toReversed().map((call) => call.summary()) };
      case "GET /api/messages":
        return this.log.query(query);
      case "GET /api/recording":
        return `${JSON.stringify({ version: 1 })}\n`;
      case "POST /api/commands":
        return commands(body);
      case "POST /api/server/restart":
        this.change({ server: { ...this.state.server, starts: this.state.server.starts + 1 } });
        return {};
      case "POST /api/server/clock":
        this.change({ server: { ...this.state.server, clock: this.state.server.clock + body.seconds } });
        return {};
    }
    const message = /^GET \/api\/messages\/(\d+)$/.exec(route);
    if (message) return this.log.message(Number(message[1]));
    const [, method, id, part = ""] = /^(\w+) \/api\/calls\/([^/]+)(?:\/(\w+))?$/.exec(route) ?? [];
    const call = this.calls.find((call) => call.id === id);
    if (!call) return undefined;
    switch (`${method} ${part}`) {
      case "GET ":
        return { ...call.summary(), events: call.events };
      case "DELETE ":
        call.cancel();
        return {};
      case "POST answers":
        call.answer(body);
        return {};
      case "POST faults":
        call.inject(body.fault);
        return {};
      case "DELETE faults":
        call.disarm();
        return {};
      case "GET record":
        return RECORD(call);
      case "GET commands":
        return commands(call);
      case "GET test":
        return {
          path: `tests/${call.request.name ?? "resource"}.rs`,
          source: `#[tokio::test]\nasync fn ${call.request.name}() {\n    // ${call.events.length} events\n}\n`,
        };
      default:
        return undefined;
    }
  }

  /** Begins a call, also without the page. */
  begin({ request, setup, fault, answers = [] }) {
    const call = new MockCall(this, `call-${this.calls.length + 1}`, request, setup ?? SETUP, answers);
    if (fault) call.armed = fault;
    this.calls.push(call);
    call.run();
    return call;
  }
}

export const SETUP = {
  revision: "2026-07-28",
  transport: "stdio",
  capabilities: { elicitation: true, sampling: true, roots: true, views: true },
};

/** The commands of a call, or of an input. */
function commands({ request, setup, answers = [] }) {
  const given = answers.filter(({ key }) => key).map(({ key }) => ` --answer ${key}`);
  return {
    cli: `bank call ${request.name} --to '${request.arguments?.to ?? "DE-77"}'${given.join("")}`,
    ...(setup.transport === "http" && { curl: "curl -sS http://127.0.0.1:41234/mcp -d '{}'" }),
  };
}

/** A view that shows its input and can answer a question. */
const VIEW = `<!doctype html><html lang="en"><title>Seats</title><body><h1>Seats</h1><p id="said">No input yet</p><button id="take" hidden>Take 1A</button><script>
  const send = (message) => parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
  addEventListener("message", ({ data }) => {
    if (data.id === 1 && data.result) send({ method: "ui/notifications/initialized" });
    if (data.method === "ui/notifications/tool-input") said.textContent = JSON.stringify(data.params.arguments);
    if (data.method === "ui/notifications/tool-result") said.textContent = "Result: " + JSON.stringify(data.params.structuredContent);
    if (data.method === "ui/resource-teardown") send({ id: data.id, result: {} });
    if (data.method === "elicitation/create") {
      said.textContent = data.params.message;
      take.hidden = false;
      take.onclick = () => send({ id: data.id, result: { action: "accept", content: { seat: "1A" } } });
    }
  });
  send({ id: 1, method: "ui/initialize", params: { appCapabilities: { elicitation: {} } } });
</script>`;
