// The official TypeScript clients before the gateway, and servers of all official SDKs behind it:
// `node run.mjs DIRECTORY_OF_PROGRAMS PYTHON`.

import path from 'node:path';

import { clients } from '../clients.mjs';
import { calls } from './calls.mjs';
import { crashes } from './crashes.mjs';
import { fixture } from './servers.mjs';

const [programs, python] = process.argv.slice(2).map((given) => path.resolve(given));
const command = path.join(programs, 'gather');
const counts = { passed: 0, failed: 0 };

/** Runs one part of a test. What fails is told, and the others go on. */
async function check(label, body) {
  let timer;
  const patience = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error('no end within 2 minutes')), 120_000);
  });
  try {
    await Promise.race([body(), patience]);
    counts.passed += 1;
  } catch (error) {
    counts.failed += 1;
    console.error(`FAILED ${label}\n${error.stack ?? error}`);
  } finally {
    clearTimeout(timer);
  }
}

/** Each SDK of today in each era that it speaks. */
const tested = clients.filter(({ label }) => /pinned|shaking hands|1\.32\.2/.test(label));
for (const client of tested) {
  const files = fixture(programs, python);
  try {
    await calls(client, { command, env: files.env }, files, check);
  } finally {
    files.end();
  }
}
await crashes({ command, programs, python }, check);
console.log(`TypeScript clients before a gateway: ${counts.passed} passed, ${counts.failed} failed`);
process.exit(counts.failed === 0 ? 0 : 1);
