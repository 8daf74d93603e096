// The tools of `server.mjs` with `@modelcontextprotocol/server`: a question is a result.

import { McpServer, completable, inputRequired } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';

import { change, contents, form, greeting, name, ordered, process_id, prompt, replied, slow, starting, text, uri, work } from './behaviour.mjs';

/** Asks once, and goes on with the answer. */
const asking = (request, goOn) => (args, { mcpReq }) => {
  const answer = mcpReq.inputResponses?.answer;
  if (answer) return goOn(answer);
  return inputRequired({ inputRequests: { answer: request(args) }, requestState: 'asked' });
};

function server() {
  const options = { capabilities: { logging: {}, resources: { subscribe: true, listChanged: true } } };
  const server = new McpServer({ name, version: '1' }, options);
  const tool = (called, description, inputSchema, run) =>
    server.registerTool(called, { description, inputSchema: z.object(inputSchema) }, run);
  tool('order', 'Orders.', {}, asking(() => inputRequired.elicit(form), ordered));
  const consult = ({ topic, tools }) => inputRequired.createMessage(prompt(topic, tools));
  tool('consult', 'Asks a model.', { topic: z.string(), tools: z.boolean() }, asking(consult, replied));
  tool('work', 'Works.', {}, (_, { mcpReq }) => work(mcpReq._meta?.progressToken, mcpReq.log, mcpReq.notify));
  tool('slow', 'Waits.', {}, (_, { mcpReq }) => slow(mcpReq.signal));
  tool('change', 'Changes the note.', { words: z.string() }, async ({ words }) => {
    change(words);
    await server.server.sendResourceUpdated({ uri });
    return text('changed');
  });
  tool('process_id', 'Tells the process.', {}, process_id);
  server.registerResource('note', uri, { description: 'A note.' }, contents);
  const argsSchema = z.object({ who: completable(z.string(), starting) });
  server.registerPrompt('greet', { description: 'Greets.', argsSchema }, ({ who }) => greeting(who));
  return server;
}

export const serve = () => serveStdio(server, { legacy: 'reject' });
