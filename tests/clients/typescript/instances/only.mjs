// Many instances behind a load balancer, killed over and over while users book: `node run.mjs DIRECTORY_OF_PROGRAMS`.
// What is random follows from the variable `SEED`.

import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { startFleet } from './fleet.mjs';
import { deployed } from './deployed.mjs';
import { legacy } from './legacy.mjs';
import { modern } from './modern.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../../..');
const seed = Number(process.env.SEED ?? 1);

for (const part of [deployed, legacy].filter((p) => !process.env.PART || p.name === process.env.PART)) {
  const fleet = await startFleet({
    program: path.resolve(process.argv[2], 'flights'),
    config: process.env.HA ?? path.join(root, 'examples/deploy/haproxy.cfg'),
  });
  const started = Date.now();
  try {
    const table = await part(fleet, seed);
    console.log(`--- ${part.name}`);
    console.table({ ...table, seconds: (Date.now() - started) / 1_000 });
  } catch (error) {
    console.error(`${part.name}, SEED=${seed}:\n${await fleet.log()}`);
    throw error;
  }
  await fleet.end();
}
