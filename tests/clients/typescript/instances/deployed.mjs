// Users of 2026-07-28 while every instance is replaced, one after the other: they notice nothing, and send nothing again.

import assert from 'node:assert/strict';

import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

import { book, generator, user } from './user.mjs';

const AT_ONCE = 12;
const THINK = 300;

/** No request fails, and every conversation ends with one ticket. */
export async function deployed(fleet, seed) {
  let conversations = 0;
  let replacing = true;
  const users = Array.from({ length: AT_ONCE }, async () => {
    while (replacing) {
      conversations += 1;
      await converse(fleet, generator(seed * 1_000 + conversations));
    }
  });
  const deploy = async () => {
    for (const instance of fleet.instances) await instance.replace();
    replacing = false;
  };
  await Promise.all([...users, deploy()]);
  const tickets = (await fleet.tickets()).length;
  assert.equal(tickets, conversations);
  return { replaced: fleet.instances.length, conversations, tickets };
}

async function converse(fleet, random) {
  const client = user({ pin: '2026-07-28' }, random, THINK);
  await client.connect(new StreamableHTTPClientTransport(fleet.url));
  while (!(await book(client, random)));
  await client.close();
}
