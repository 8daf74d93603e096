// Users with sessions, each of which lives in one instance: the load balancer leads every request of a session there.

import assert from 'node:assert/strict';

import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

import { book, generator, user } from './user.mjs';

const SESSIONS = 30;
const THINK = 100;

/** Sessions stay where they are; those of an instance that dies are over, and their clients open new ones. */
export async function legacy(fleet, seed) {
  const open = async (index) => {
    const random = generator(seed * 1_000 + index);
    const client = user('legacy', random, THINK);
    await client.connect(new StreamableHTTPClientTransport(fleet.url));
    return { client, random };
  };
  const bookUntilSeated = async ({ client, random }) => {
    while (!(await book(client, random)));
  };
  const sessions = await Promise.all(Array.from({ length: SESSIONS }, (_, index) => open(index)));
  await Promise.all(sessions.map(bookUntilSeated));
  assert.equal((await fleet.tickets()).length, SESSIONS);

  // While it is away, and when it is back: nobody else knows its sessions, and it does not either.
  let gone = 0;
  const [first, second] = fleet.instances;
  for (const away of [first, second]) {
    await away.kill();
    if (away === second) await away.start();
    await Promise.all(sessions.map(async (session, index) => {
      try {
        await bookUntilSeated(session);
      } catch (error) {
        assert.equal(error.data?.status, 404, error);
        gone += 1;
        await session.client.close();
        sessions[index] = await open(SESSIONS + index);
        await bookUntilSeated(sessions[index]);
      }
    }));
    if (away === first) await away.start();
  }
  await Promise.all(sessions.map(({ client }) => client.close()));
  const tickets = (await fleet.tickets()).length;
  assert.equal(tickets, 3 * SESSIONS);
  assert.ok(gone > 0 && gone < 2 * SESSIONS, 'those of other instances go on');
  return { sessions: SESSIONS, 'over with their instance, opened again': gone, tickets };
}
