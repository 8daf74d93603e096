// The tool `sign_up` of the example `signup`: every kind of field, two forms at once, and a page.

import assert from 'node:assert/strict';

import { checkForm } from './forms.mjs';

const contents = {
  name: { name: 'Ada Lovelace', email: 'ada@example.com', website: 'https://example.com/ada' },
  guests: {
    guests: 1,
    donation: 12.5,
    arrives: '2026-12-04',
    taxi: '2026-12-06T17:30:00+01:00',
    meals: 'vegan',
    shirt: 'm',
    transport: 'train',
    photos: true,
  },
  workshops: { workshops: ['ffi', 'async'] },
};

/** Runs the test of one client. */
export async function signup(client, test, { text }) {
  if (!client.hasForms) return;
  const asked = [];
  let page;
  const answer = async (params) => {
    asked.push(structuredClone(params));
    if (params.mode === 'url') {
      // The page answers once the tool waits for it: not before this has been answered.
      const headers = { 'content-type': 'text/plain' };
      page = fetch(params.url, { method: 'POST', headers, body: 'password=correct horse battery staple\r\n' });
      return { action: 'accept' };
    }
    const [first] = Object.keys(params.requestedSchema.properties);
    return { action: 'accept', content: structuredClone(contents[first]) };
  };
  const hasPages = client.revision >= '2025-11-25';
  const elicitation = hasPages ? { form: {}, url: {} } : {};
  await test('signup', 'every kind of field, and a page', { answer, elicitation }, async (session) => {
    const signedUp = text(await session.call('sign_up', {}));
    asked.forEach((params) => checkForm(client.revision, params));
    const fields = asked.map(({ requestedSchema }) => Object.keys(requestedSchema?.properties ?? {}));
    const [who, how, workshops] = Object.values(contents).map(Object.keys);
    if (hasPages) {
      assert.equal(signedUp, 'Ada Lovelace is number 1: from 2026-12-04, guests: 1, workshops: 2.');
      assert.deepEqual(fields, [who, how, workshops, []]);
      assert.equal((await page).status, 200);
    } else {
      assert.match(signedUp, /workshops: 0\. They have no password yet\.$/);
      assert.deepEqual(fields, [who, how]);
    }
  });
}
