// The routes of the conversation.

export type Item = { id: number; at: number } & (
  | { type: "user"; text: string }
  | { type: "assistant"; text: string }
  | { type: "call"; call: string; tool: string; title?: string }
  | { type: "result" }
  | { type: "error"; message: string }
  | { type: "done" }
);

export interface ChatListener {
  /** The entries come from the beginning: those on the page are out of date. */
  begin(): void;
  item(item: Item): void;
  connection(connected: boolean): void;
}

export function follow(listener: ChatListener): void {
  const source = new EventSource("/api/chat");
  source.addEventListener("begin", () => listener.begin());
  source.addEventListener("item", (event) => listener.item(JSON.parse((event as MessageEvent<string>).data) as Item));
  source.addEventListener("open", () => listener.connection(true));
  source.addEventListener("error", () => {
    listener.connection(false);
    // Such a source does not connect again by itself.
    if (source.readyState === EventSource.CLOSED) setTimeout(() => follow(listener), 1000);
  });
}

export async function send(text: string): Promise<void> {
  await request("POST", "/api/chat/messages", { text });
}

export async function stop(): Promise<void> {
  await request("POST", "/api/chat/stop");
}

export async function clear(): Promise<void> {
  await request("DELETE", "/api/chat");
}

export async function modelName(): Promise<string> {
  return ((await (await request("GET", "/api/model")).json()) as { model: string }).model;
}

async function request(method: string, path: string, body?: unknown): Promise<Response> {
  const response = await fetch(path, {
    method,
    headers: body === undefined ? {} : { "content-type": "application/json" },
    body: body === undefined ? null : JSON.stringify(body),
  });
  if (!response.ok) {
    const refusal = (await response.json().catch(() => ({}))) as { error?: { message?: string } };
    throw new Error(refusal.error?.message ?? `the server answered ${response.status}`);
  }
  return response;
}
