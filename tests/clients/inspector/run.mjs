// Runs the two command lines of the official Inspector against the example `flights`:
// `node run.mjs DIRECTORY_OF_PROGRAMS`, with Node 22 or newer.
//
// `--cli` makes one request and cannot be asked anything; `mcpdo` keeps a connection and hands questions to whoever
// types.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { overHttp } from '../typescript/ways.mjs';

const command = path.resolve(process.argv[2], 'flights');
const home = await mkdtemp(path.join(tmpdir(), 'inspector-'));
const inspector = path.dirname(fileURLToPath(import.meta.resolve('@modelcontextprotocol/inspector/package.json')));

/** What a command line says: on standard output, or as an error on standard error. */
async function run(program, args, env = {}) {
  const options = { env: { ...process.env, HOME: home, MCP_INSPECTOR_SECRET_STORE: 'file', ...env }, timeout: 60_000 };
  const child = promisify(execFile)(process.execPath, [path.join(inspector, program), ...args], options);
  child.child.stdin.end();
  try {
    return JSON.parse((await child).stdout);
  } catch (error) {
    if (error.code === undefined) throw error;
    const said = error.stderr.split('\n').find((line) => line.startsWith('{"error"'));
    assert.ok(said, error.stderr);
    return JSON.parse(said);
  }
}

const asUrl = overHttp(class {
  constructor(url) {
    this.url = url.href;
  }
});
const daemon = { MCP_INSPECTOR_DAEMON_DIR: path.join(home, 'daemon'), MCP_INSPECTOR_DAEMON_TOKEN: 'of these tests' };

let passed = 0;
let failed = 0;
async function test(name, body) {
  try {
    await body();
    passed += 1;
  } catch (error) {
    failed += 1;
    console.error(`FAILED Inspector: ${name}\n${error.stack ?? error}`);
  }
}

/** Both look for a tool in the list first; in a session that has only what the client can do. */
const refusal = (era) =>
  era === 'legacy' ? /^Tool 'book_flight' not found/ : /`book_flight` needs a client that supports form elicitation$/;

/** One request each, of a client that declares nothing. */
async function cli(where, era) {
  const request = (...args) =>
    run('clients/cli/build/index.js', [...where, '--protocol-era', era, '--format', 'json', '--method', ...args]);
  const book = ['tools/call', '--tool-name', 'book_flight', '--tool-arg', 'destination=OSL'];
  const name = (what) => `--cli ${where.at(-1)}, ${era}: ${what}`;

  await test(name('lists'), async () => {
    const names = (await request('tools/list')).result.tools.map((tool) => tool.name);
    const shown = ['search_flights', 'get_flight', 'list_airports', 'seat_map'];
    assert.deepEqual(names, era === 'legacy' ? shown : [...shown, 'choose_seat', 'book_flight']);
  });
  await test(name('calls'), async () => {
    const args = ['tools/call', '--tool-name', 'search_flights', '--tool-arg', 'destination=OSL', '--tool-arg', 'limit=2'];
    assert.equal((await request(...args)).result.structuredContent.flights.length, 2);
  });
  await test(name('is not asked'), async () => {
    assert.match((await request(...book)).error.message, refusal(era));
  });
}

/** Commands that share a connection, by this name. */
async function mcpdo(where, era) {
  const connection = `${where.at(-1).startsWith('http') ? 'http' : 'stdio'}-${era}`;
  const say = (...args) => run('clients/mcpdo/build/mcp-bin.js', ['--format', 'json', '--connection', connection, ...args], daemon);
  const book = () => say('tools/call', 'book_flight', 'destination:=OSL');
  const answer = ({ elicitationPending }, ...fields) => say('elicitation/respond', elicitationPending.elicitationId, ...fields);

  await test(`mcpdo ${connection}: picked and confirmed`, async () => {
    await say('connect', ...where, '--era', era);
    const picking = await book();
    assert.equal(picking.elicitationPending.message, 'Which flight to OSL?');
    const confirming = await answer(picking, 'flight_id:=AL136-04', 'seat:=window');
    const { content } = await answer(confirming, 'confirmed:=true');
    assert.match(content[0].text, /^Booked Alpenlinie, .*, a window seat\. The ticket is AL136-04\/48\.$/);
  });
  await test(`mcpdo ${connection}: declined`, async () => {
    const { content } = await answer(await book(), '--decline');
    assert.equal(content[0].text, 'The user wants none of these flights. Nothing is booked.');
  });
  await test(`mcpdo ${connection}: is not asked when it says so`, async () => {
    await say('connect', ...where, '--era', era, '--elicit', 'off');
    assert.match((await book()).error.message, refusal(era));
  });
}

/** Over standard input and output, then over HTTP. */
async function bothWays(line, era) {
  await line([command], era);
  const { transport, end } = await asUrl.open({ command, env: process.env });
  await line(['--transport', 'http', transport.url], era);
  end();
}

async function every(line, eras) {
  for (const era of eras) await bothWays(line, era);
}

await Promise.all([every(cli, ['legacy', 'auto', 'modern']), every(mcpdo, ['legacy', 'modern'])]);
await run('clients/mcpdo/build/mcp-bin.js', ['--format', 'json', 'daemon', 'stop'], daemon);
await rm(home, { recursive: true, maxRetries: 10 });

console.log(`Inspector: ${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
