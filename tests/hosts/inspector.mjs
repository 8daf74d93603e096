// Runs the Inspector's check of schemas on the published tools, in each era: `node inspector.mjs DIRECTORY_OF_PROGRAMS`,
// with Node 22 or newer.
//
// It may find nothing in an input schema, and no error in an output schema. What it finds in tools that no schema
// describes for all hosts is known, so that the check is known to work.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

import { servers } from './servers.mjs';

const programs = path.resolve(process.argv[2]);
const inspector = new URL('../clients/inspector/node_modules/@modelcontextprotocol/inspector/', import.meta.url);
const cli = new URL('clients/cli/build/index.js', inspector).pathname;
const home = await mkdtemp(path.join(tmpdir(), 'inspector-'));

/** What is found in objects whose members can be anything, and in other values of any type: the tool, the rule, how often. */
const expected = { pipelines: ['pipelines untyped-schema 1'], shapes: ['any_value untyped-schema 4'] };

async function findings(name, env, era) {
  const settings = Object.entries(env).flatMap(([variable, value]) => ['-e', `${variable}=${value}`]);
  const request = ['--protocol-era', era, '--format', 'json', '--method', 'tools/list', '--strict'];
  const args = [cli, path.join(programs, name), ...settings, ...request];
  const options = { env: { ...process.env, HOME: home, MCP_INSPECTOR_SECRET_STORE: 'file' }, timeout: 60_000 };
  const run = promisify(execFile)(process.execPath, args, options);
  run.child.stdin.end();
  // Exits with 6 if it finds an error, after the output.
  const { stdout, stderr } = await run.catch((error) => error);
  assert.ok(stdout, stderr);
  const { result, schemaFindings = [] } = JSON.parse(stdout);
  // In a session this client, which has neither forms nor a model, does not see the tools that need them.
  assert.ok(result.tools.length > 0 || era === 'legacy');
  const grave = ({ schema, severity }) => schema === 'inputSchema' || severity === 'error';
  return schemaFindings.flatMap(({ toolName, findings }) =>
    findings.filter(grave).map((finding) => ({ tool: toolName, ...finding })));
}

let failed = 0;
async function check(name, env, era) {
  try {
    const found = await findings(name, env, era);
    const counts = new Map();
    for (const { tool, rule } of found) counts.set(`${tool} ${rule}`, (counts.get(`${tool} ${rule}`) ?? 0) + 1);
    const lines = [...counts].map(([place, count]) => `${place} ${count}`);
    assert.deepEqual(lines, expected[name] ?? [], JSON.stringify(found, null, 2));
  } catch (error) {
    failed += 1;
    console.error(`FAILED Inspector --strict: ${name}, ${era}\n${error.stack ?? error}`);
  }
}

// Two at a time, as there are cores.
const left = Object.entries(servers).flatMap(([name, env]) => ['legacy', 'auto', 'modern'].map((era) => [name, env, era]));
const checks = left.length;
const worker = async () => {
  for (let next; (next = left.pop()); ) await check(...next);
};
await Promise.all([worker(), worker()]);
await rm(home, { recursive: true, maxRetries: 10 });

console.log(`Inspector --strict: ${checks} lists, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
