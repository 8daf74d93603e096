// The tools of `server.mjs` with `sdk` 1.32.2: a question is a request.

import { completable } from 'sdk-2025-11-25/server/completable.js';
import { McpServer } from 'sdk-2025-11-25/server/mcp.js';
import { StdioServerTransport } from 'sdk-2025-11-25/server/stdio.js';
import { SubscribeRequestSchema, UnsubscribeRequestSchema } from 'sdk-2025-11-25/types.js';
import * as z from 'zod';

import { change, contents, form, greeting, name, ordered, process_id, prompt, replied, slow, starting, text, uri, work } from './behaviour.mjs';

export async function serve() {
  const options = { capabilities: { logging: {}, resources: { subscribe: true, listChanged: true } } };
  const server = new McpServer({ name, version: '1' }, options);
  const tool = (called, description, inputSchema, run) => server.registerTool(called, { description, inputSchema }, run);
  tool('order', 'Orders.', {}, async () => ordered(await server.server.elicitInput(form)));
  const topic = { topic: z.string(), tools: z.boolean() };
  tool('consult', 'Asks a model.', topic, async ({ topic, tools }) =>
    replied(await server.server.createMessage(prompt(topic, tools))));
  tool('work', 'Works.', {}, (_, { _meta, sendNotification }) => {
    const log = (level, data) => server.sendLoggingMessage({ level, data });
    return work(_meta?.progressToken, log, sendNotification);
  });
  tool('slow', 'Waits.', {}, (_, { signal }) => slow(signal));
  const subscribed = new Set();
  server.server.setRequestHandler(SubscribeRequestSchema, ({ params }) => (subscribed.add(params.uri), {}));
  server.server.setRequestHandler(UnsubscribeRequestSchema, ({ params }) => (subscribed.delete(params.uri), {}));
  tool('change', 'Changes the note.', { words: z.string() }, async ({ words }) => {
    change(words);
    if (subscribed.has(uri)) await server.server.sendResourceUpdated({ uri });
    return text('changed');
  });
  tool('process_id', 'Tells the process.', {}, process_id);
  server.registerResource('note', uri, { description: 'A note.' }, contents);
  const argsSchema = { who: completable(z.string(), starting) };
  server.registerPrompt('greet', { description: 'Greets.', argsSchema }, ({ who }) => greeting(who));
  await server.connect(new StdioServerTransport());
}
