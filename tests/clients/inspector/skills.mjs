// Lets the Inspector verify the skills of two examples over HTTP: `node skills.mjs DIRECTORY_OF_PROGRAMS`, with Node 22 or
// newer.
//
// It reads every file and compares size, digest and frontmatter, but it cannot see a file that is missing in a list: the
// tests of the runtime do that. The last checks show that it finds what is wrong.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { overHttp } from '../typescript/ways.mjs';

const programs = path.resolve(process.argv[2]);
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..');
const home = await mkdtemp(path.join(tmpdir(), 'inspector-skills-'));
const inspector = path.dirname(fileURLToPath(import.meta.resolve('@modelcontextprotocol/inspector/package.json')));
const cli = path.join(inspector, 'clients/cli/build/index.js');
const asUrl = overHttp(class {
  constructor(url) {
    this.url = url.href;
  }
});

/** The exit code of the Inspector, and its output. */
async function ask(url, ...args) {
  const line = [cli, '--transport', 'http', url, '--protocol-era', 'modern', '--format', 'json', '--method', ...args];
  const options = { env: { ...process.env, HOME: home, MCP_INSPECTOR_SECRET_STORE: 'file' }, timeout: 60_000 };
  const child = promisify(execFile)(process.execPath, line, options);
  child.child.stdin.end();
  const { code = 0, stdout, stderr } = await child.catch((error) => error);
  return { code, said: `${stdout}${stderr}` };
}

async function expect(code, url, ...args) {
  const { code: found, said } = await ask(url, ...args);
  assert.equal(found, code, `${args.join(' ')}: ${said}`);
  return said;
}

const verify = ['--verify', '--require-digests'];
let checks = 0;
for (const [program, env, skills] of [
  ['conformance', {}, ['check-everything', 'small']],
  ['docs_server', { DOCS_ROOT: path.join(root, 'examples/docs_server/docs') }, ['answering', 'summaries']],
]) {
  const { transport, end } = await asUrl.open({ command: path.join(programs, program), env: { ...process.env, ...env } });
  try {
    const { url } = transport;
    const listed = await expect(0, url, 'skills/list', ...verify);
    for (const skill of skills) {
      assert.ok(listed.includes(`"skill://${skill}/SKILL.md"`), listed);
      await expect(0, url, 'skills/get', '--uri', `skill://${skill}/SKILL.md`, ...verify);
      await expect(0, url, 'resources/directory/read', '--uri', `skill://${skill}`);
    }
    await expect(1, url, 'skills/get', '--uri', 'skill://none/SKILL.md', ...verify);
    await expect(8, url, 'skills/list', ...verify, '--skill-catalog-max-skills', '1');
    await expect(0, url, 'tools/list', '--strict');
    checks += 4 + 2 * skills.length;
  } finally {
    end();
  }
}
await rm(home, { recursive: true, maxRetries: 10 });
console.log(`Inspector --verify: ${checks} checks passed`);
