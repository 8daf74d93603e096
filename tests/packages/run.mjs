// Bundles of servers, as the tools of MCPB see them: `node run.mjs DIRECTORY_OF_PROGRAMS`.
//
// The tools validate the manifest, unpack the bundle, and pack it again. The function with which a host starts a bundle
// then gives the command, the arguments and the environment, and the unpacked program answers a client.

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

import { getMcpConfigForManifest } from '@anthropic-ai/mcpb';

const programs = path.resolve(process.argv[2]);
const repository = new URL('../..', import.meta.url).pathname;
const mcpb = new URL('node_modules/@anthropic-ai/mcpb/dist/cli/cli.js', import.meta.url).pathname;
const run = promisify(execFile);
const tool = (...words) => run(process.execPath, [mcpb, ...words]);

/** Writes the bundle of a program, and returns the folder and the manifest of what the tools of MCPB make of it. */
async function unpacked(folder, name, options) {
  const bundle = path.join(folder, `${name}.mcpb`);
  const command = ['manifest', 'mcpb', '--pack', bundle, '--allow-debug', '--author', 'Ann <ann@example.com>', ...options];
  await run(path.join(programs, name), command, { cwd: repository });
  const once = path.join(folder, `${name}-once`);
  await tool('unpack', bundle, once);
  const { stdout } = await tool('validate', once);
  assert.match(stdout, /Manifest schema validation passes!/);
  const again = path.join(folder, `${name}-again.mcpb`);
  await tool('pack', once, again);
  const twice = path.join(folder, `${name}-twice`);
  await tool('unpack', again, twice);
  return { extensionPath: twice, manifest: JSON.parse(await readFile(path.join(twice, 'manifest.json'), 'utf8')) };
}

/** Starts an installed bundle with what its user has filled in, and returns the text of a tool's result. */
async function answer(bundle, userConfig, name, args) {
  const config = await getMcpConfigForManifest({ ...bundle, systemDirs: {}, userConfig, pathSeparator: path.sep });
  assert.ok(config, 'the user has filled in what is required');
  const server = spawn(config.command, config.args, { env: config.env, cwd: '/', stdio: ['pipe', 'pipe', 'inherit'] });
  const send = (message) => server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const clientInfo = { name: 'host', version: '1' };
  send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } });
  try {
    for await (const line of createInterface({ input: server.stdout })) {
      const { id, result, error } = JSON.parse(line);
      assert.equal(error, undefined);
      if (id === 1) {
        send({ method: 'notifications/initialized' });
        send({ id: 2, method: 'tools/call', params: { name, arguments: args } });
      } else if (id === 2) {
        return result.content[0].text;
      }
    }
    assert.fail('the server ended without an answer');
  } finally {
    server.stdin.end();
    server.kill();
  }
}

const folder = await mkdtemp(path.join(tmpdir(), 'packages-'));
try {
  const search = await unpacked(folder, 'code_search', []);
  assert.equal(search.manifest.tools.length, 4);
  const root = path.join(repository, 'examples/code_search/fixture');
  const found = await answer(search, { root }, 'find_files', { globs: ['*.rs'] });
  assert.match(found, /"src\/average\.rs","src\/lib\.rs"/);
  const unset = await getMcpConfigForManifest({ ...search, systemDirs: {}, userConfig: {}, pathSeparator: path.sep });
  assert.equal(unset, undefined, 'a host asks for the folder before it starts the server');

  const every = await unpacked(folder, 'cli_packages', ['--description', 'Shows what packages contain.']);
  const required = { root: '/r', user: 'ann', token: 's3cr3t' };
  const defaults = await answer(every, required, 'show', {});
  assert.match(defaults, /root: "\/r", more: \[\], rules: "\/etc\/rules", limit: 20, size: None, threshold: 0\.5, mode: Fast/);
  const given = { ...required, more: ['/a b', '/c'], limit: 7, mode: 'thorough', skip: 'x,y', links: true };
  const shown = await answer(every, given, 'show', {});
  assert.match(shown, /more: \["\/a b", "\/c"\].*limit: 7.*mode: Thorough.*skip: \["x", "y"\], links: true.*token: \*\*\*/);
} finally {
  await rm(folder, { recursive: true });
}
console.log('packages: 2 bundles validated, unpacked, packed again, and started');
