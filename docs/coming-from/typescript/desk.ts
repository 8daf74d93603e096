// The desk of a shop, with `@modelcontextprotocol/server`. Its counterpart is `src/bin/desk.rs`.

import { acceptedContent, inputRequired, inputResponse, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';

// ANCHOR: state
type Article = { cents: number; pieces: number };

const shop = new Map<string, Article>([
  ['cup', { cents: 700, pieces: 3 }],
  ['tea', { cents: 400, pieces: 12 }],
]);

function find(name: string): Article {
  const article = shop.get(name);
  if (!article) throw new Error(`there is no article \`${name}\``);
  return article;
}

const text = (text: string) => ({ content: [{ type: 'text' as const, text }] });
const articleName = z.string().describe('The article, such as `tea`.');
// ANCHOR_END: state

// ANCHOR: main
serveStdio(() => {
  const server = new McpServer({ name: 'desk', version: '1.0.0' });
  addTools(server);
  addOrder(server);
  addOthers(server);
  return server;
});
// ANCHOR_END: main

function addTools(server: McpServer): void {
  // ANCHOR: tool
  server.registerTool(
    'price',
    {
      description: 'Says what articles cost.',
      inputSchema: z.object({
        article: articleName,
        pieces: z.int().min(0).nullish().describe('How many pieces. Default: 1.'),
      }),
      annotations: { readOnlyHint: true },
    },
    async ({ article, pieces }) => {
      const count = pieces ?? 1;
      return text(`${count} ${article}: ${find(article).cents * count} cents`);
    },
  );
  // ANCHOR_END: tool

  // ANCHOR: structured
  server.registerTool(
    'stock',
    {
      description: 'Counts the pieces in stock.',
      inputSchema: z.object({ article: articleName }),
      outputSchema: z.object({ article: z.string(), pieces: z.int() }),
      annotations: { readOnlyHint: true },
    },
    async ({ article }) => {
      const stock = { article, pieces: find(article).pieces };
      return { ...text(JSON.stringify(stock)), structuredContent: stock };
    },
  );
  // ANCHOR_END: structured
}

// ANCHOR: form
const confirmSchema = z.object({
  confirmed: z.boolean().describe('Whether to send the order.'),
  note: z.string().optional().describe('A note for the shop.'),
});

function addOrder(server: McpServer): void {
  server.registerTool(
    'order',
    {
      description: 'Orders an article. The user confirms the order.',
      inputSchema: z.object({ article: articleName }),
    },
    async ({ article }, ctx) => {
      const message = `Order ${article} for ${find(article).cents} cents?`;
      // The function runs again from its beginning with the answer, in a session too.
      const answer = inputResponse(ctx.mcpReq.inputResponses, 'confirm');
      if (answer.kind === 'elicit' && answer.action === 'decline') return text('Nothing is ordered.');
      if (answer.kind === 'elicit' && answer.action === 'cancel') return text('The user closed the form.');
      const form = acceptedContent(ctx.mcpReq.inputResponses, 'confirm', confirmSchema);
      // There is no answer yet, or it does not match the form.
      if (!form) {
        const confirm = inputRequired.elicit({ message, requestedSchema: confirmSchema });
        return inputRequired({ inputRequests: { confirm } });
      }
      return text(form.confirmed ? `Ordered ${article}. Note: ${form.note ?? 'none'}.` : 'Nothing is ordered.');
    },
  );
}
// ANCHOR_END: form

function addOthers(server: McpServer): void {
  // ANCHOR: resource
  server.registerResource(
    'prices',
    'desk://prices',
    { description: 'The list of prices.', mimeType: 'text/plain' },
    async (uri) => {
      const lines = [...shop].map(([name, { cents }]) => `${name}: ${cents} cents\n`);
      return { contents: [{ uri: uri.href, mimeType: 'text/plain', text: lines.join('') }] };
    },
  );
  // ANCHOR_END: resource

  // ANCHOR: prompt
  server.registerPrompt(
    'reminder',
    {
      description: 'Asks for a reminder to a customer.',
      argsSchema: z.object({
        customer: z.string().describe('Who gets it.'),
        tone: z.string().optional().describe('How it sounds. Default: friendly.'),
      }),
    },
    ({ customer, tone = 'friendly' }) => ({
      messages: [
        { role: 'user', content: { type: 'text', text: `Write a ${tone} reminder to ${customer}.` } },
      ],
    }),
  );
  // ANCHOR_END: prompt
}
