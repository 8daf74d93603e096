// Somebody who books a flight, whichever, and takes their time.

import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

import { Client } from '@modelcontextprotocol/client';

const AIRPORTS = ['OSL', 'BER', 'CDG', 'MAD', 'FCO', 'JFK', 'LIS', 'ARN', 'VIE', 'HEL', 'LHR', 'ZRH', 'CPH'];

/** A client in this mode of negotiation, whose user takes up to so many milliseconds for a form. */
export function user(mode, random, think) {
  const options = { versionNegotiation: { mode }, capabilities: { elicitation: {} } };
  const client = new Client({ name: 'one-of-many', version: '1.0.0' }, options);
  client.setRequestHandler('elicitation/create', async ({ params: { requestedSchema: { properties } } }) => {
    await sleep(random() * think);
    if (properties.confirmed) return { action: 'accept', content: { confirmed: true } };
    const offered = properties.flight_id.oneOf;
    const flight_id = offered[Math.floor(random() * offered.length)].const;
    return { action: 'accept', content: { flight_id, seat: 'aisle' } };
  });
  return client;
}

/** Gives the ticket, or nothing if all seats were gone. */
export async function book(client, random) {
  const destination = AIRPORTS[Math.floor(random() * AIRPORTS.length)];
  const { content: [{ text }] } = await client.callTool({ name: 'book_flight', arguments: { destination } });
  const ticket = text.match(/^Booked .*, an aisle seat\. The ticket is (\S+)\.$/)?.[1];
  // The last seat may go to another while this user thinks.
  assert.ok(ticket || / is sold out$|^no flight that fits has a free seat/.test(text), text);
  return ticket;
}

/** Numbers from 0 to 1, the same for each seed (mulberry32). */
export function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let z = Math.imul(state ^ (state >>> 15), state | 1);
    z ^= z + Math.imul(z ^ (z >>> 7), z | 61);
    return ((z ^ (z >>> 14)) >>> 0) / 2 ** 32;
  };
}
