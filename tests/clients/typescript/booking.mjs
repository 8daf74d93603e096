// The tool `book_flight` of the example `flights`: two forms, and everything a user may do with them.

import assert from 'node:assert/strict';

import { checkForm, choices } from './forms.mjs';

const wanted = { destination: 'OSL' };
const accept = (content) => ({ action: 'accept', content });
const pick = accept({ flight_id: 'AL136-04', seat: 'window' });
const confirm = accept({ confirmed: true });

/** Runs the tests of one client. */
export async function booking(client, test, { text, failure }) {
  /** Calls the tool once; the user gives these answers in turn, and is asked for no more and no fewer. */
  const book = (name, answers, judge, elicitation) => {
    const forms = [];
    const left = [...answers];
    const answer = async (params) => {
      // Before the client can change anything in it.
      forms.push(structuredClone(params));
      assert.ok(left.length > 0, `asked once more: ${params.message}`);
      const next = left.shift();
      return typeof next === 'function' ? next() : structuredClone(next);
    };
    return test('flights', `booking: ${name}`, { answer, elicitation }, async (session) => {
      await judge(session.call('book_flight', wanted), forms, session);
      assert.deepEqual(left, []);
      forms.forEach((form) => checkForm(client.revision, form));
      // Whatever became of the call, the connection works.
      assert.ok((await session.tools()).some((tool) => tool.name === 'book_flight'));
    });
  };

  await test('flights', 'booking: needs a client with forms', {}, async (session) => {
    const listed = (await session.tools()).some((tool) => tool.name === 'book_flight');
    if (client.revision >= '2026-07-28') {
      // A modern list is the same for all clients.
      assert.ok(listed);
      await assert.rejects(session.call('book_flight', wanted), (error) => error.code === -32021);
    } else {
      assert.ok(!listed);
      assert.match(await failure(session.call('book_flight', wanted)), /`book_flight` needs a client that supports form elicitation/);
    }
  });
  // The clients of 2024-11-05 and 2025-03-26 know no forms: this is all they can do.
  if (!client.hasForms) return;

  await book('picked and confirmed', [pick, confirm], async (call, forms, session) => {
    const words = /^Booked Alpenlinie, BER to OSL on 2026-12-04, .*, a window seat\. The ticket is AL136-04\/48\.$/;
    assert.match(text(await call), words);
    const found = JSON.parse(text(await session.call('search_flights', wanted))).flights;
    assert.equal(found.find(({ id }) => id === 'AL136-04').seats, 47);

    const titled = client.revision >= '2025-11-25';
    const [{ message, requestedSchema: picking }, { message: sure, requestedSchema: confirming }] = forms;
    assert.equal(message, 'Which flight to OSL?');
    assert.deepEqual(Object.keys(picking.properties), ['flight_id', 'seat']);
    assert.deepEqual(picking.required, ['flight_id']);
    const { flight_id, seat } = picking.properties;
    assert.deepEqual(choices(flight_id).map(([id]) => id), found.map(({ id }) => id));
    choices(flight_id).forEach(([, title]) => assert.match(title, / to OSL on 2026-12-0[456], .* €$/));
    assert.deepEqual(choices(seat), [['window', 'Window'], ['aisle', 'Aisle'], ['none', 'No preference']]);
    assert.equal(seat.oneOf !== undefined, titled);
    assert.equal(seat.default, titled ? 'none' : undefined);
    assert.match(sure, /^Book Alpenlinie, BER to OSL on 2026-12-04, .*\?$/);
    assert.deepEqual(Object.keys(confirming.properties), ['confirmed']);
    assert.equal(confirming.properties.confirmed.type, 'boolean');
    for (const { mode } of forms) assert.equal(mode, titled ? 'form' : undefined);
  });

  // A field with a default may be left out in every revision.
  await book('a default left to the server', [accept({ flight_id: 'AL136-04' }), confirm], async (call) => {
    assert.match(text(await call), /, any seat\. /);
  });

  if (client.fillsInDefaults) {
    const fillsIn = { form: { applyDefaults: true } };
    const left = [accept({ flight_id: 'AL136-04' }), confirm];
    await book('a default filled in by the client', left, async (call, _, session) => {
      assert.match(text(await call), /, any seat\. /);
      assert.ok(JSON.stringify(session.sent).includes('{"flight_id":"AL136-04","seat":"none"}'));
    }, fillsIn);
  }

  const none = /^The user wants none of these flights\. Nothing is booked\.$/;
  const against = /^The user decided against AL136-04\. Nothing is booked\.$/;
  const closed = /^The user closed the form\. Nothing is booked/;
  for (const [name, answers, words] of [
    ['no flight wanted', [{ action: 'decline' }], none],
    ['the first form closed', [{ action: 'cancel' }], closed],
    ['the confirmation declined', [pick, { action: 'decline' }], against],
    ['the confirmation closed', [pick, { action: 'cancel' }], closed],
    ['not confirmed', [pick, accept({ confirmed: false })], against],
  ]) {
    await book(name, answers, async (call) => assert.match(text(await call), words));
  }

  for (const [name, wrong, reason] of [
    ['another flight', { flight_id: 'FJ171-04' }, /(Flight|`flight_id`): got "FJ171-04"/],
    ['no flight', { seat: 'aisle' }, /(Flight|`flight_id`): missing/],
    ['a number for a flight', { flight_id: 108 }, /(Flight|`flight_id`): .*108/],
    ['another seat', { flight_id: 'AL136-04', seat: 'wing' }, /(Seat|`seat`): .*"wing"/],
  ]) {
    await book(`${name}: asked again`, [accept(wrong), pick, confirm], async (call, forms) => {
      assert.match(text(await call), /^Booked /);
      const [first, again] = forms;
      assert.ok(again.message.startsWith(`${first.message}\n\nThe last answer did not fit:\n`), again.message);
      assert.match(again.message, reason);
      assert.deepEqual(again.requestedSchema, first.requestedSchema);
    });
    await book(`${name}: asked again once`, [accept(wrong), accept(wrong)], async (call) => {
      const words = await failure(call);
      assert.match(words, /the answer does not fit/);
      assert.match(words, reason);
    });
  }

  // The forms of two calls do not get mixed up, whichever is answered first.
  const lastSeat = accept({ flight_id: 'AL122-04', seat: 'aisle' });
  const answer = async ({ requestedSchema }) => structuredClone(requestedSchema.properties.seat ? lastSeat : confirm);
  await test('flights', 'booking: the last seat goes once', { answer }, async (session) => {
    const calls = await Promise.all([session.call('book_flight', wanted), session.call('book_flight', wanted)]);
    const [[booked], [refused]] = [calls.filter((call) => !call.isError), calls.filter((call) => call.isError)];
    assert.match(text(booked), /an aisle seat\. The ticket is AL122-04\/1\.$/);
    assert.equal(await failure(refused), '`AL122-04` is sold out');
    const left = JSON.parse(text(await session.call('get_flight', { id: 'AL122-04' })));
    assert.equal(left.seats, 0);
  });

  // The older client hands any content on. The newer ones judge by the types that a form can have, and give such an
  // answer up before it leaves: as an error to the server in a session, as one to the caller where there is none.
  const nested = accept({ flight_id: { id: 'AL136-04' } });
  const broken = () => {
    throw new Error('the window is gone');
  };
  if (client.revision === '2025-06-18') {
    await book('no content of a form: asked again', [nested, pick, confirm], async (call) => {
      assert.match(text(await call), /^Booked /);
    });
  } else {
    await book('no content of a form: stays with the client', [nested], async (call) => {
      if (client.revision >= '2026-07-28') await assert.rejects(call, /Invalid elicitation result/);
      else assert.match(await failure(call), /the client refused: .*Invalid elicitation result/);
    });
  }
  await book('a client that breaks', [broken], async (call) => {
    if (client.revision >= '2026-07-28') await assert.rejects(call, /the window is gone/);
    else assert.match(await failure(call), /the client refused: the window is gone/);
  });
}
