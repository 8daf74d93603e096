// What views need of this page: the tools and resources of the server that is tried.

import type { DevClient } from "../client";
import type { CallEvent, ClientSetup } from "../dev-api";
import type { TimelineEvent, Tool, ViewClient } from "../parts";
import type { Session } from "../session";

/** Returns a client for views that calls as this client does. */
export function viewClient(session: Session, setup: ClientSetup): ViewClient {
  const client: DevClient = session.client;
  return {
    tools: async () => (session.items?.tools ?? []).map((tool) => ({ ...tool, forms: [] })) as unknown as Tool[],
    viewUrl: (uri) => client.viewUrl(uri, setup),
    readResource: (uri) => client.readResource(uri, setup),
    cancel: async (id) => void (await client.cancel(id)),
    start: (async (tool: string, args: unknown) => {
      const call = await client.start({ kind: "tool", name: tool, arguments: args as Record<string, unknown> }, setup);
      session.begun(call);
      return call;
    }) as unknown as ViewClient["start"],
    events: (id) => eventsOf(session, id),
  };
}

/** The events of a call that decide how the call of a view ends. */
async function* eventsOf(session: Session, id: string): AsyncGenerator<TimelineEvent, void, void> {
  const stop = new AbortController();
  const waiting: CallEvent[] = [];
  let wake = () => {};
  session.listen(
    {
      event(call, event) {
        if (call === id) (waiting.push(event), wake());
      },
    },
    stop.signal,
  );
  try {
    const seen = await session.client.call(id);
    waiting.unshift(...(seen.events ?? []));
    let last = 0;
    for (;;) {
      const event = waiting.shift();
      if (!event) {
        await new Promise<void>((resolve) => (wake = resolve));
        continue;
      }
      if (event.id <= last) continue;
      last = event.id;
      const { id: number, at } = event;
      if (event.type === "asked")
        yield {
          id: number,
          at,
          type: "elicit",
          question: { seq: event.question.seq, key: event.question.key, mode: "form", message: "" },
        };
      if (event.type === "finished") yield { id: number, at, type: "finished", result: event.result };
      if (event.type === "failed") yield { id: number, at, type: "failed", message: event.told };
      if (event.type === "cancelled") yield { id: number, at, type: "cancelled" };
      if (["finished", "failed", "cancelled"].includes(event.type)) return;
    }
  } finally {
    stop.abort();
  }
}
