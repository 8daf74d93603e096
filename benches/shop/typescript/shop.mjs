// The shop written with the official TypeScript SDK: `shop.mjs HOST PORT REDIS PRICES`.

import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';

import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';
import { McpServer } from '@modelcontextprotocol/server';
import { createClient } from 'redis';
import * as z from 'zod';

const [host, port, url, prices] = process.argv.slice(2);
// Redis listens on a socket of the file system, for which this client has no URL.
const redis = await createClient({ socket: { path: new URL(url).pathname } }).connect();

async function add({ user, product, pieces }) {
  const [cart, history] = [`cart:${user}`, `history:${user}`];
  const before = await redis.hGetAll(cart);
  const { cents } = await (await fetch(`${prices}/${product}`)).json();
  const change = redis.multi().hIncrBy(cart, product, pieces).zIncrBy('popular', pieces, product);
  const [now] = await change.lPush(history, product).lTrim(history, 0, 9).execAsPipeline();
  const after = { pieces: now, products: Object.keys({ ...before, [product]: now }).length, cents: now * cents };
  return { content: [{ type: 'text', text: JSON.stringify(after) }], structuredContent: after };
}

function shop() {
  const server = new McpServer({ name: 'shop', version: '0.1.0' });
  const inputSchema = z.object({ user: z.string(), product: z.string(), pieces: z.number().int() });
  const outputSchema = z.object({ pieces: z.number(), products: z.number(), cents: z.number() });
  const description = 'Put pieces of a product into the cart of a user.';
  server.registerTool('add_to_cart', { description, inputSchema, outputSchema }, add);
  return server;
}

const sessions = new Map();

const server = createServer(async (request, response) => {
  let transport = sessions.get(request.headers['mcp-session-id']);
  if (!transport) {
    transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      enableJsonResponse: true,
      onsessioninitialized: (id) => sessions.set(id, transport),
    });
    await shop().connect(transport);
  }
  await transport.handleRequest(request, response);
});
server.keepAliveTimeout = 60_000;
server.listen(Number(port), host);
