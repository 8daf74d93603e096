// Real hosts and the command `install`: `node run.mjs DIRECTORY_OF_PROGRAMS DIRECTORY_OF_HOSTS DIRECTORY_FOR_HOMES`.
//
// In an empty home, `install` adds a server to a host, the host lists it and connects to it, and `install --remove` gives
// the file back. The command of the host, which `install` shows, must write the same entry. What counts is what the hosts
// print, not their exit codes. Nobody is logged in, and no model is asked.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';

import { Computer } from './computer.mjs';
import { hosts } from './hosts.mjs';

const [programs, bin, folder] = process.argv.slice(2).map((name) => path.resolve(name));
const only = process.argv[5];
const SECRET = '47114711';
/** The settings that the server `cli_install` needs, except for its secret, which is a reference in the entry. */
const SETTINGS = ['LIB_READER=Ann "the" reader', 'LIB_BOOKS=/books', 'LIB_LIMIT=3', 'LIB_BRANCH=river'];
const variables = SETTINGS.flatMap((setting) => ['--env', setting]);

/** Tests that `install --remove` gives the file back, and that the host connects to the server in between. */
async function connects(host, scope, computer) {
  const file = host.files[scope];
  const name = host.installedAs?.[scope] ?? host.name;
  const project = scope === 'project' ? ['--project'] : [];
  if (scope === 'project') host.trust?.(computer);
  computer.write(file, host.before);
  if (host.writes === scope) await host.list(computer, {});
  const before = computer.read(file);
  const secret = host.keepsSecrets ? ['--env', `LIB_CARD=${SECRET}`] : [];
  const given = [...project, ...variables, ...secret, '--allow-debug'];
  const install = () => computer.server('cli_install', ['install', name, ...given]);
  const remove = () => computer.server('cli_install', ['install', '--remove', name, ...project]);

  await install();
  assert.notEqual(computer.read(file), before);
  await remove();
  assert.equal(computer.read(file), before, `${file} is not as it was`);
  assert.ok(!existsSync(computer.path(`${file}.before-library`)), 'the backup is still there');

  await install();
  const state = host.states && scope in host.states ? host.states[scope] : true;
  assert.deepEqual(await host.list(computer, { LIB_CARD: SECRET }), { library: state });
  if (host.names) assert.deepEqual(await host.names(computer), ['library']);
  if (scope === 'user') {
    // Without the secret, the server ends and says what is missing.
    assert.deepEqual(await host.list(computer, {}), { library: host.keepsSecrets ?? false });
  }
  assert.equal(computer.read(file).includes(SECRET), host.keepsSecrets ?? false);
  await remove();
  if (scope === 'user') assert.deepEqual(await host.list(computer, {}), {});
}

/** Tests that the own command of the host writes what `install` writes, for a program and for a URL. */
async function agrees(host, scope, computer, other) {
  const url = 'http://127.0.0.1:9/mcp';
  const program = path.join(programs, 'cli_server');
  const args = ['--root', '/a b', "it's"];
  const env = ['A=1 2', 'B=x', ...(host.cutsValues ? [] : ['C=x=y'])];
  const project = scope === 'project' ? ['--project'] : [];
  const options = ['--name', 'greeter', '--allow-debug', ...project];
  const ofProgram = [...options, ...env.flatMap((variable) => ['--env', variable]), '--', ...args];
  for (const [kind, given] of [[{ program, args, env }, ofProgram], [{ url }, [...options, '--url', url]]]) {
    const report = await computer.server('cli_server', ['install', host.name, '--force', ...given]);
    const shown = report.match(/ {2}the command of .* for the same: (.*)/)?.[1];
    const words = host.ownCommand?.(kind);
    assert.ok(shown ?? words, `no command is shown: ${report}`);
    const { code, output, errors } = words ? await other.run(words[0], words.slice(1)) : await other.shell(shown);
    assert.equal(code, 0, `${shown ?? words}: ${output}${errors}`);
    const [ours, theirs] = [await host.entry(computer, host.files[scope]), await host.entry(other, host.files[scope])];
    assert.ok(theirs, `${shown ?? words} has written no entry: ${output}${errors}`);
    assert.deepEqual(ours, theirs);
    await other.run('/bin/rm', ['-r', ...['home', 'project'].map((name) => other.path(name))]);
    for (const name of ['home', 'project']) other.write(`${name}/.keep`, '');
  }
}

let failed = 0;
async function check(title, test) {
  const computers = [new Computer(folder, programs, bin), new Computer(folder, programs, bin)];
  const started = Date.now();
  try {
    await test(...computers);
    console.log(`${title}: ${((Date.now() - started) / 1000).toFixed(1)} s`);
  } catch (error) {
    failed += 1;
    console.error(`FAILED ${title}\n${error.stack ?? error}`);
  }
  for (const computer of computers) computer.remove();
}

const left = hosts.filter(({ name }) => !only || name === only).flatMap((host) =>
  Object.keys(host.files).flatMap((scope) => [
    [`${host.name} connects (${scope})`, (computer) => connects(host, scope, computer)],
    ...(host.ownScopes ?? ['user']).filter((own) => own === scope).map(() =>
      [`${host.name} writes the same (${scope})`, (computer, other) => agrees(host, scope, computer, other)]),
  ]));
const checks = left.length;
// Two at a time, as there are cores.
const worker = async () => {
  for (let next; (next = left.shift()); ) await check(...next);
};
await Promise.all([worker(), worker()]);
console.log(`hosts after install: ${checks} checks, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
