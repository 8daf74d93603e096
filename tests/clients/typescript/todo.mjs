// The tools of the example `todo`, which are the methods of a contract.

import assert from 'node:assert/strict';

/** Runs the tests of one client. */
export async function todo(client, test, { text, failure }) {
  await test('todo', 'creates, reads, updates and deletes', {}, async (session) => {
    const names = (await session.tools()).map((tool) => tool.name);
    assert.ok(['todos_create', 'todos_search', 'users_create'].every((name) => names.includes(name)), names);
    const call = async (tool, args) => JSON.parse(text(await session.call(tool, args)));
    assert.deepEqual(await call('users_create', { name: 'Ann' }), { id: 1, name: 'Ann' });
    const created = await session.call('todos_create', { title: 'buy milk', assignee: 1 });
    const milk = { id: 1, title: 'buy milk', done: false, assignee: 1 };
    assert.deepEqual(JSON.parse(text(created)), milk);
    assert.deepEqual(created.structuredContent, client.revision >= '2025-06-18' ? milk : undefined);
    assert.deepEqual(await call('todos_update', { ...milk, done: true }), { ...milk, done: true });
    assert.deepEqual(await call('todos_list', { done: true }), { items: [{ ...milk, done: true }], total: 1 });
    assert.deepEqual(await call('todos_search', { text: 'MILK' }), [{ ...milk, done: true }]);
    assert.equal(await call('todos_delete', { id: 1 }), null);
    assert.equal(await failure(session.call('todos_get', { id: 1 })), 'there is no todo 1');
    assert.match(await failure(session.call('todos_create', { title: '' })), /`title`/);
  });
}
