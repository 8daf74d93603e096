// Users of 2026-07-28 while every instance is replaced, one after the other: they do not notice, and send nothing again.

import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

import { book, generator, user } from './user.mjs';

const CONVERSATIONS = 150;
const AT_ONCE = 12;
const THINK = 300;

/** No request fails, and every conversation ends with one ticket. */
export async function deployed(fleet, seed) {
  const table = { conversations: CONVERSATIONS, restarts: 0, requests: 0, failed: 0 };
  let left = CONVERSATIONS;
  const counted = async (url, init) => {
    table.requests += 1;
    return fetch(url, init);
  };
  const converse = async (random) => {
    const client = user({ pin: '2026-07-28' }, random, THINK);
    await client.connect(new StreamableHTTPClientTransport(fleet.url, { fetch: counted }));
    try {
      while (!(await book(client, random)));
    } catch (e) { table.failed += 1; console.error(e); } finally {
      await client.close();
    }
  };
  const users = Array.from({ length: AT_ONCE }, async () => {
    while (left > 0) {
      left -= 1;
      await converse(generator(seed * 1_000 + left));
    }
  });
  const restarts = async () => {
    while (left > 0) {
      for (const index of fleet.instances.keys()) {
        await fleet.replace(index);
        table.restarts += 1;
        await sleep(200);
      }
    }
  };
  await Promise.all([...users, restarts()]);
  return { ...table, tickets: (await fleet.tickets()).length };
}
