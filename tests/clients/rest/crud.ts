// Does everything that the REST API of the example `todo` can do, with types that are generated from its document: this
// file compiles only if the document says what the server does. `node crud.js URL`.

import assert from 'node:assert/strict';

import createClient from 'openapi-fetch';

import type { components, paths } from './generated/api.js';

type Todo = components['schemas']['Todo'];

const base = process.argv[2];
assert.ok(base, 'the URL of the server is missing');
const api = createClient<paths>({ baseUrl: base });

const ann = await api.POST('/users', { body: { name: 'Ann' } });
assert.equal(ann.response.status, 201);
assert.equal(ann.response.headers.get('location'), `/users/${ann.data?.id}`);

const created = await api.POST('/todos', { body: { title: 'buy milk', assignee: ann.data?.id } });
const milk: Todo | undefined = created.data;
assert.ok(milk);
assert.deepEqual(milk, { id: milk.id, title: 'buy milk', done: false, assignee: ann.data?.id });
const path = { id: milk.id };

assert.deepEqual((await api.GET('/todos/{id}', { params: { path } })).data, milk);
const changed = await api.PUT('/todos/{id}', { params: { path }, body: { title: 'buy tea', done: true } });
assert.deepEqual(changed.data, { id: milk.id, title: 'buy tea', done: true, assignee: null });

const listed = await api.GET('/todos', { params: { query: { done: true, per_page: 1 } } });
assert.deepEqual(listed.data, { items: [changed.data], total: 1 });
const found = await api.GET('/todos/search', { params: { query: { text: 'TEA' } } });
assert.deepEqual(found.data, [changed.data]);

const deleted = await api.DELETE('/todos/{id}', { params: { path } });
assert.equal(deleted.response.status, 204);
const missing = await api.GET('/todos/{id}', { params: { path } });
assert.equal(missing.data, undefined);
assert.equal(missing.error?.status, 404);
assert.equal(missing.error?.detail, `there is no todo ${milk.id}`);
const wrong = await api.POST('/todos', { body: { title: '' } });
assert.equal(wrong.error?.status, 422);
assert.match(wrong.error?.errors?.[0] ?? '', /`title`/);

// @ts-expect-error: the document says that a title is required.
assert.equal((await api.POST('/todos', { body: {} })).response.status, 422);
// @ts-expect-error: the document has no such path.
assert.equal((await api.GET('/nothing')).response.status, 404);

console.log('TypeScript client of the OpenAPI document: passed');
