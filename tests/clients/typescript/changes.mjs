// Lists and resources that change, with the server `changing`: subscriptions, pages, and reads that are cancelled.

import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

const PAGE = 'test://pages/1';
/** Longer than a notice takes. */
const SETTLED = 300;
/** How many notices a hundred changes in a row can be. On a machine that does not pause it is one. */
const FEW = 5;

/** Waits until there are as many notices, and for those that must not come. */
async function settled(notices, count, patience = 5000) {
  const start = Date.now();
  while (notices.length < count && Date.now() < start + patience) await sleep(5);
  await sleep(SETTLED);
  return notices.splice(0);
}

/** Runs the tests of one client. */
export async function changes(client, test, { text }) {
  await test('changing', 'is told about each change once', {}, async (session) => {
    const notices = [];
    const end = await session.subscribe(PAGE, (notice) => notices.push(notice));
    const expect = async (expected) => assert.deepEqual(await settled(notices, expected.length), expected);
    for (const name of ['a', 'b', 'c']) {
      await session.call('add_tools', { names: [name] });
      await expect(['tools']);
    }
    await session.call('update', { uri: PAGE, times: 1 });
    await expect([PAGE]);
    // Many changes are one notice, or a few if the machine is slow, and others are not the client's.
    await session.call('update', { uri: PAGE, times: 100 });
    await session.call('update', { uri: 'test://pages/2', times: 1 });
    const few = await settled(notices, 1);
    assert.ok(few.length >= 1 && few.length <= FEW, `${few.length} notices`);
    assert.ok(few.every((notice) => notice === PAGE));
    await session.call('add_tools', { names: Array.from({ length: 50 }, (_, index) => `tool_${index}`) });
    await expect(['tools']);
    await session.call('remove', { list: 'prompts', name: 'goodbye' });
    await expect(['prompts']);
    await session.call('remove', { list: 'resources', name: 'second_page' });
    await expect(['resources']);
    // Nothing has changed.
    await session.call('remove', { list: 'prompts', name: 'goodbye' });
    await expect([]);
    await end();
    await session.call('update', { uri: PAGE, times: 1 });
    await expect([]);
  });

  await test('changing', 'reads every page of every list', {}, async (session) => {
    const expected = {
      tools: ['add_tools', 'remove', 'update', 'reads'],
      prompts: ['hello', 'thanks', 'goodbye'],
      resources: ['endless', 'first_page', 'second_page'],
      templates: ['day', 'month', 'year'],
    };
    for (const [list, names] of Object.entries(expected)) {
      const found = [];
      let page = await session.page(list);
      // Version 2 of the client gathers the pages itself.
      assert.equal(page.names.length, client.label.startsWith('client 2') ? names.length : 2);
      found.push(...page.names);
      while (page.next !== undefined) {
        page = await session.page(list, page.next);
        found.push(...page.names);
      }
      assert.deepEqual(found, names);
      await assert.rejects(session.page(list, 'no cursor'), (error) => error.code === -32602);
    }
  });

  await test('changing', 'cancels a read', {}, async (session) => {
    const reads = async () => Number(text(await session.call('reads', {})));
    const stop = new AbortController();
    const read = session.read('test://endless', { signal: stop.signal });
    while ((await reads()) !== 1);
    stop.abort('enough');
    await assert.rejects(read);
    while ((await reads()) !== 0);
    assert.equal((await session.read(PAGE)).contents[0].text, 'first');
    const { id } = session.sent.find((message) => message.params?.uri === 'test://endless');
    assert.ok(!session.received.some((message) => message.id === id), 'a cancelled request gets no response');
  });

  await test('hello', 'cannot subscribe where nothing changes', {}, async (session) => {
    const { tools, resources } = session.capabilities;
    assert.deepEqual([tools.listChanged, resources], [undefined, undefined]);
    // The newest client over HTTP has the code only in its message.
    const isUnknown = (error) => error.code === -32601 || error.message.includes('"code":-32601');
    await assert.rejects(session.subscribe(PAGE, () => {}), isUnknown);
    assert.equal(text(await session.call('greet', { name: 'Ada' })), 'Hello, Ada!');
  });
}

/** What holds for a client that comes again when the stream of its notices breaks. */
export async function missesNoNotice(client, test) {
  await test('changing', 'is told once about each change where the stream of notices breaks', {}, async (session) => {
    const notices = [];
    await session.subscribe(PAGE, (notice) => notices.push(notice));
    for (const name of ['a', 'b', 'c', 'd']) {
      await session.call('add_tools', { names: [name] });
      // The client waits for a second before it opens a stream again.
      assert.deepEqual(await settled(notices, 1, 10_000), ['tools']);
    }
    assert.equal(client.way.broken(), 2);
  });
}
