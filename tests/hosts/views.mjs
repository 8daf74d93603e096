// What the Inspector finds about the views of the examples, in each era: `node views.mjs DIRECTORY_OF_PROGRAMS`, with Node 22
// or newer.
//
// The Inspector exits with 0 if a view has a wrong type or is not served, so its report is read.

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
const home = await mkdtemp(path.join(tmpdir(), 'inspector-views-'));

/** The views of the tools. In a session, a client without forms does not see the tools that need them. */
const seats = 'ui://flights/seats';
const expected = {
  flights: (era) => ({ seat_map: seats, ...(era !== 'legacy' && { choose_seat: seats }) }),
  pipelines: () => ({ pipelines: 'ui://pipelines/chart' }),
  hello: () => ({}),
};

/** Returns the reports about the tools that have a view. */
async function reports(name, era) {
  const settings = Object.entries(servers[name]).flatMap(([variable, value]) => ['-e', `${variable}=${value}`]);
  const request = ['--protocol-era', era, '--format', 'json', '--method', 'tools/list', '--app-info'];
  const options = { env: { ...process.env, HOME: home, MCP_INSPECTOR_SECRET_STORE: 'file' }, timeout: 60_000 };
  const run = promisify(execFile)(process.execPath, [cli, path.join(programs, name), ...settings, ...request], options);
  run.child.stdin.end();
  const { stdout } = await run;
  const lines = stdout.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line)).filter(({ hasApp }) => hasApp);
}

let failed = 0;
let views = 0;
for (const [name, tools] of Object.entries(expected)) {
  for (const era of ['legacy', 'auto', 'modern']) {
    try {
      const found = await reports(name, era);
      assert.deepEqual(Object.fromEntries(found.map(({ toolName, resourceUri }) => [toolName, resourceUri])), tools(era));
      for (const report of found) {
        assert.equal(report.resourceError, undefined, JSON.stringify(report));
        assert.equal(report.resourceMimeType, 'text/html;profile=mcp-app', JSON.stringify(report));
      }
      views += found.length;
    } catch (error) {
      failed += 1;
      console.error(`FAILED Inspector --app-info: ${name}, ${era}\n${error.stack ?? error}`);
    }
  }
}
await rm(home, { recursive: true, maxRetries: 10 });

console.log(`Inspector --app-info: ${views} views, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
