// Writes what hosts that use the AI SDK send to the API of their model: `node sent.mjs LISTS`, where `LISTS` has the tools
// of each program. No request leaves: each model has a `fetch` that keeps the body.
//
// The output is an object: the host, the program, the tool, and its parameters or the error.

import { readFileSync } from 'node:fs';

import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createMCPClient } from '@ai-sdk/mcp';
import { createOpenAI } from '@ai-sdk/openai';
import { generateText } from 'ai';

const lists = JSON.parse(readFileSync(process.argv[2], 'utf8'));

/** A server that only shakes hands: the client is there for its conversion of tools. */
class Silent {
  async start() {}
  async close() {}
  async send({ id, method }) {
    if (method !== 'initialize') return;
    const result = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'silent', version: '1' } };
    this.onmessage({ jsonrpc: '2.0', id, result });
  }
}

class Sent extends Error {}

/** The models, and where the parameters of the only tool are in the body of their request. */
const hosts = {
  '@ai-sdk/google': {
    model: (fetch) => createGoogleGenerativeAI({ apiKey: 'none', fetch })('gemini-3-pro'),
    parameters: (body) => {
      const [declaration] = body.tools[0].functionDeclarations;
      return declaration.parameters ?? declaration.parametersJsonSchema;
    },
  },
  '@ai-sdk/openai': {
    model: (fetch) => createOpenAI({ apiKey: 'none', fetch })('gpt-5'),
    parameters: (body) => body.tools[0].parameters,
  },
};

async function sent({ model, parameters }, name, tool) {
  let body;
  const fetch = async (url, request) => {
    body = JSON.parse(request.body);
    throw new Sent();
  };
  try {
    await generateText({ model: model(fetch), prompt: 'Hello', tools: { [name]: tool }, maxRetries: 0 });
  } catch (error) {
    if (body === undefined) return { error: String(error) };
  }
  // A tool without parameters is sent without a schema.
  return { parameters: parameters(body) ?? {} };
}

const client = await createMCPClient({ transport: new Silent() });
const found = {};
for (const [host, way] of Object.entries(hosts)) {
  found[host] = {};
  for (const [program, tools] of Object.entries(lists)) {
    const converted = client.toolsFromDefinitions({ tools });
    const of = (found[host][program] = {});
    for (const [name, tool] of Object.entries(converted)) of[name] = await sent(way, name, tool);
  }
}
process.stdout.write(JSON.stringify(found));
await client.close();
