// The servers behind the gateway of the chain tests, and what they have done.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));

/** Each official SDK in each era, by the name of its mount. */
export const behind = [
  { name: 'ts_modern', era: 'modern' },
  // Calls of a session server can run in several processes, and this one tells of changes only where it was subscribed to.
  { name: 'ts_session', era: 'session', tellsOne: true },
  { name: 'py_modern', era: 'modern', hasNoTools: true },
  { name: 'py_session', era: 'session', hasNoTools: true },
  { name: 'rmcp_modern', era: 'modern' },
  { name: 'rmcp_session', era: 'session' },
];

/**
 * A folder for one test: the environment of its gateway, and what the servers have written. With `only`, this server alone is
 * behind the gateway; with `store`, another instance can go on with a call.
 */
export function fixture(programs, python, { store = false, only } = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), 'chain-'));
  const file = path.join(folder, 'effects');
  writeFileSync(file, '');
  /** How many lines of each server a test has seen. */
  const seen = new Map();
  const all = (name) => {
    const lines = readFileSync(file, 'utf8').split('\n').filter((line) => line.startsWith(`${name}: `));
    return lines.map((line) => line.slice(name.length + 2));
  };
  const command = {
    ts: [process.execPath, path.join(here, 'server.mjs')],
    py: [python, path.join(here, '../../python/chain_server.py')],
    rmcp: [path.join(programs, 'examples/chain_rmcp')],
  };
  const config = path.join(folder, 'gather.toml');
  const tables = behind.filter(({ name }) => !only || name === only).map(({ name, era }) => {
    const words = [...command[name.split('_')[0]], era, name, file];
    return `[servers.${name}]\ncommand = ${JSON.stringify(words)}\n`;
  });
  writeFileSync(config, tables.join('\n'));
  const env = { ...process.env, GATHER_CONFIG: config };
  if (store) Object.assign(env, { MCP_STATE_KEY: `${'A'.repeat(43)}=`, MCP_STORE: `sqlite:${path.join(folder, 'calls.sqlite')}` });
  return {
    env,
    /** What this server has done since `clear`, in order. */
    done: (name) => all(name).slice(seen.get(name) ?? 0),
    clear: (name) => seen.set(name, all(name).length),
    end: () => rmSync(folder, { recursive: true, force: true }),
  };
}
