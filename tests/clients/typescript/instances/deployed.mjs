// Users of 2026-07-28 while every instance is replaced, one after the other: they notice nothing, and send nothing again.

import assert from 'node:assert/strict';

import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

import { book, generator, user } from './user.mjs';

const CONVERSATIONS = 80;
const AT_ONCE = 12;
const THINK = 300;

/** No request fails, and every conversation ends with one ticket. */
export async function deployed(fleet, seed) {
  let next = 0;
  let replaced = 0;
  const users = Array.from({ length: AT_ONCE }, async () => {
    while (next < CONVERSATIONS) {
      next += 1;
      await converse(fleet, generator(seed * 1_000 + next));
    }
  });
  const deploy = async () => {
    for (let index = 0; next < CONVERSATIONS; index = (index + 1) % fleet.instances.length) {
      await fleet.replace(index);
      replaced += 1;
    }
  };
  await Promise.all([...users, deploy()]);
  const tickets = await fleet.tickets();
  assert.equal(tickets.length, CONVERSATIONS);
  return { conversations: CONVERSATIONS, replaced, tickets: tickets.length };
}

async function converse(fleet, random) {
  const client = user({ pin: '2026-07-28' }, random, THINK);
  await client.connect(new StreamableHTTPClientTransport(fleet.url));
  while (!(await book(client, random)));
  await client.close();
}
