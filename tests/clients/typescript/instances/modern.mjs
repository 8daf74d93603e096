// Users of 2026-07-28, each of whose requests may reach any instance, while instances die and stall.

import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

import { ProtocolError, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

import { patient } from './patient.mjs';
import { book, generator, user } from './user.mjs';

const CONVERSATIONS = 200;
const AT_ONCE = 12;
/** A user takes up to so many milliseconds for a form. */
const THINK = 500;
/** Longer than the lease of a round, 5 s. */
const STALL = 6_000;

/** Every conversation ends with one ticket, and no call takes effect twice. */
export async function modern(fleet, seed) {
  const table = {
    conversations: CONVERSATIONS,
    booked: 0,
    'begun again: sold out': 0,
    'outcome unknown: booked': 0,
    'outcome unknown: not booked, begun again': 0,
    'kills': 0,
    'stalls': 0,
    'requests': 0,
    'sent again: no answer': 0,
    'sent again: 502': 0,
    'sent again: 503': 0,
  };
  const stop = new AbortController();
  const trouble = [kill(fleet, generator(seed), table, stop.signal), stall(fleet, generator(~seed), table, stop.signal)];
  const notBooked = new Set();
  let next = 0;
  const users = Array.from({ length: AT_ONCE }, async () => {
    while (next < CONVERSATIONS) {
      next += 1;
      const random = generator(seed * 1_000 + next);
      while (!(await converse(fleet, random, table, notBooked)));
    }
  });
  try {
    await Promise.all(users);
  } finally {
    stop.abort();
    await Promise.all(trouble);
  }

  const tickets = await fleet.tickets();
  const keys = tickets.map(({ key }) => key);
  assert.deepEqual(keys.length, new Set(keys).size, 'a call took effect twice');
  // What was not booked when its user looked may have been booked when its instance woke.
  const late = keys.filter((key) => notBooked.has(key));
  assert.equal(keys.length - late.length, CONVERSATIONS, 'a conversation ended with no ticket, or with two');
  return { ...table, tickets: keys.length };
}

/** One call: three requests, with two forms between them. Whether there is a ticket. */
async function converse(fleet, random, table, notBooked) {
  const client = user({ pin: '2026-07-28' }, random, THINK);
  await client.connect(new StreamableHTTPClientTransport(fleet.url, { fetch: patient(table) }));
  try {
    const ticket = await book(client, random);
    table[ticket ? 'booked' : 'begun again: sold out'] += 1;
    return ticket !== undefined;
  } catch (error) {
    const key = keyOfUnknown(error);
    if (!key) throw error;
    const booked = (await fleet.tickets()).some((ticket) => ticket.key === key);
    table[`outcome unknown: ${booked ? 'booked' : 'not booked, begun again'}`] += 1;
    if (!booked) notBooked.add(key);
    return booked;
  } finally {
    await client.close();
  }
}

/** The key by which to find out what came of a call, where the error says that nobody knows. */
function keyOfUnknown(error) {
  const said = error instanceof ProtocolError ? error : JSON.parse(error.data?.text ?? '{}').error;
  return /its outcome is unknown/.test(said?.message) ? said.data.idempotencyKey : undefined;
}

/** Kills one instance, now and then all, and starts them again, over and over. */
async function kill({ instances }, random, table, signal) {
  while (!signal.aborted) {
    await sleep(100 + random() * 300);
    const one = instances[Math.floor(random() * instances.length)];
    const victims = random() < 0.2 ? instances : [one];
    await Promise.all(victims.map((victim) => victim.kill()));
    table.kills += victims.length;
    await sleep(random() * 200);
    await Promise.all(victims.map((victim) => victim.start()));
  }
}

/** Stalls one instance for so long that others take its calls over; then it wakes, if it is still there. */
async function stall({ instances }, random, table, signal) {
  while (!signal.aborted) {
    await sleep(500 + random() * 1_000);
    const one = instances[Math.floor(random() * instances.length)];
    const wake = one.stall();
    table.stalls += 1;
    await sleep(STALL, undefined, { signal }).catch(() => {});
    wake();
  }
}
