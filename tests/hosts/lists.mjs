// Writes the tools that the examples and the server `shapes` publish, as JSON: `node lists.mjs DIRECTORY_OF_PROGRAMS`.
//
// Each list is read over standard input and output in both eras of the protocol, by a client that can do everything, so
// that no tool is left out. The schemas of the two eras must be the same.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';

import { servers } from './servers.mjs';

const programs = path.resolve(process.argv[2]);
const able = {
  elicitation: { form: {}, url: {} },
  sampling: { tools: {}, context: {} },
  roots: {},
  extensions: { 'io.modelcontextprotocol/tasks': {} },
};
const me = { name: 'mcp-runtime-tests', version: '1.0.0' };
const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': me,
  'io.modelcontextprotocol/clientCapabilities': able,
};

/** Starts a program, and returns what sends it a request and what ends it. */
function start(name, env) {
  const program = spawn(path.join(programs, name), [], { env: { ...process.env, ...env }, stdio: 'pipe' });
  const waiting = new Map();
  let said = '';
  program.stderr.on('data', (words) => (said += words));
  program.once('close', (code) => {
    for (const { reject } of waiting.values()) reject(new Error(`${name} ended with ${code}: ${said}`));
  });
  createInterface({ input: program.stdout }).on('line', (line) => {
    const { id, result, error } = JSON.parse(line);
    if (!waiting.has(id)) return;
    const { resolve, reject } = waiting.get(id);
    waiting.delete(id);
    if (error) reject(new Error(`${name}: ${error.message}`));
    else resolve(result);
  });
  const send = (message) => program.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  let last = 0;
  const request = (method, params) => {
    const id = (last += 1);
    send({ id, method, params });
    return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
  };
  return { send, request, end: () => program.kill() };
}

/** Reads every page of a list. */
async function tools(request, params) {
  const found = [];
  let cursor;
  do {
    const page = await request('tools/list', { ...params, ...(cursor && { cursor }) });
    found.push(...page.tools);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return found;
}

async function published(name, env) {
  const modern = start(name, env);
  const legacy = start(name, env);
  try {
    const found = await tools(modern.request, { _meta: meta });
    await legacy.request('initialize', { protocolVersion: '2025-11-25', clientInfo: me, capabilities: able });
    legacy.send({ method: 'notifications/initialized' });
    const inputs = (list) => new Map(list.map((tool) => [tool.name, tool.inputSchema]));
    const shown = inputs(await tools(legacy.request, {}));
    for (const [tool, schema] of inputs(found)) {
      // What needs the tasks extension is unknown to the older era.
      if (shown.has(tool)) assert.deepEqual(shown.get(tool), schema, `${name}: ${tool} differs between the eras`);
    }
    return found;
  } finally {
    modern.end();
    legacy.end();
  }
}

const lists = {};
for (const [name, env] of Object.entries(servers)) {
  lists[name] = await published(name, env);
  assert.ok(lists[name].length > 0, `${name} publishes no tool`);
}
// What the comparison must find.
const faults = JSON.parse(readFileSync(new URL('faults.json', import.meta.url), 'utf8'));
lists.faults = faults.map(({ schema }, index) => ({ name: `fault_${index}`, description: 'A fault.', inputSchema: schema }));
process.stdout.write(JSON.stringify(lists));
