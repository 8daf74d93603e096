// Runs the official TypeScript clients against the examples: `node run.mjs DIRECTORY_OF_PROGRAMS [PROGRAM]`.

import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { booking } from './booking.mjs';
import { changes, missesNoNotice } from './changes.mjs';
import { clients, resumingClients } from './clients.mjs';
import { docs } from './docs.mjs';
import { games } from './games.mjs';
import { pipelines } from './pipelines.mjs';
import { resuming } from './resuming.mjs';
import { sampling } from './sampling.mjs';
import { signup } from './signup.mjs';
import { tasks } from './tasks.mjs';
import { todo } from './todo.mjs';

const programs = path.resolve(process.argv[2]);
/** If it is set, only tests of this program run. */
const only = process.argv[3];
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..');
const fixture = path.join(root, 'examples/code_search/fixture');
const pages = path.join(root, 'examples/docs_server/docs');
const sources = path.join(root, 'examples/pipelines/data');

let passed = 0;
let failed = 0;

/**
 * Runs one test on a new process. With `answer` the client has forms, and hands it their `params`; with `sample` it has a
 * model.
 */
const testOf = (client) => async (program, name, { searched = fixture, ...forms }, body) => {
  if (only && program !== only) return;
  const logs = [];
  // Pipelines write reports, so each test has a copy of the data.
  const data = mkdtempSync(path.join(tmpdir(), 'data-'));
  cpSync(sources, data, { recursive: true, filter: (file) => path.basename(file) !== 'reports' });
  const env = { ...process.env, CODE_SEARCH_ROOT: searched, TODO_DB: ':memory:', DOCS_ROOT: pages, PIPELINES_DATA: data };
  let session;
  let timer;
  const patience = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error('no end within 3 minutes')), 180_000);
  });
  try {
    const run = async () => {
      const onLog = (log) => logs.push(log);
      session = await client.connect({ command: path.join(programs, program), env }, { onLog, ...forms });
      await body(session, logs);
    };
    await Promise.race([run(), patience]);
    passed += 1;
  } catch (error) {
    failed += 1;
    console.error(`FAILED ${client.label}: ${program}: ${name}\n${error.stack ?? error}`);
  } finally {
    clearTimeout(timer);
    await session?.close();
    rmSync(data, { recursive: true });
  }
};

for (const client of clients) {
  const test = testOf(client);
  const failure = async (call) => {
    const result = await call;
    assert.equal(result.isError, true);
    return result.content[0].text;
  };
  const text = (result) => {
    assert.notEqual(result.isError, true);
    return result.content[0].text;
  };
  const structured = client.revision >= '2025-06-18';

  await test('hello', 'connects, lists and calls', {}, async (session) => {
    assert.equal(session.revision, client.revision);
    assert.equal(session.server.name, 'hello');
    assert.deepEqual((await session.tools()).map((tool) => tool.name), ['greet']);
    assert.equal(text(await session.call('greet', { name: 'Wörld "😀"\n' })), 'Hello, Wörld "😀"\n!');
  });

  await test('flights', 'lists tools as the revision knows them', {}, async (session) => {
    const tools = await session.tools();
    const shown = ['search_flights', 'get_flight', 'list_airports', 'seat_map'];
    const all = client.revision >= '2026-07-28' ? [...shown, 'choose_seat', 'book_flight'] : shown;
    assert.deepEqual(tools.map((tool) => tool.name), all);
    assert.match(session.instructions, /timetable/);
    for (const tool of tools.slice(0, shown.length)) {
      assert.equal(tool.inputSchema.type, 'object');
      assert.equal(tool.outputSchema !== undefined, structured);
      assert.equal(tool.title !== undefined, structured);
      assert.equal(tool.annotations?.readOnlyHint, client.revision >= '2025-03-26' ? true : undefined);
    }
  });

  await test('flights', 'calls with structured results', {}, async (session) => {
    // The list tells the client the output schemas by which it judges the results.
    await session.tools();
    const args = { destination: 'OSL', origin: 'LHR', max_price: 150, limit: 2 };
    const result = await session.call('search_flights', args);
    const found = JSON.parse(text(result));
    assert.equal(found.flights.length, 2);
    assert.deepEqual(result.structuredContent, structured ? found : undefined);
    assert.equal(JSON.parse(text(await session.call('get_flight', { id: found.flights[0].id }))).origin, 'LHR');
    assert.ok(JSON.parse(text(await session.call('list_airports', {}))).airports.length > 3);
  });

  await test('flights', 'tells the model what is wrong', {}, async (session) => {
    await session.tools();
    assert.match(await failure(session.call('search_flights', { destination: 'OSLO' })), /did you mean `OSL`/);
    const wrong = await failure(session.call('search_flights', { destination: 'OSL', limit: 0, date: 'tomorrow' }));
    assert.match(wrong, /`limit`.*between 1 and 50/);
    assert.match(wrong, /`date`/);
    assert.match(await failure(session.call('get_flight', {})), /`id`/);
  });

  await test('flights', 'refuses an unknown tool', {}, async (session) => {
    await assert.rejects(session.call('pay_flight', { id: 'AL108-04' }), (error) => {
      assert.ok(client.isProtocolError(error), error);
      assert.equal(error.code, -32602);
      assert.match(error.message, /Unknown tool: pay_flight/);
      return true;
    });
    assert.ok((await session.tools()).length > 0);
  });

  await test('code_search', 'calls every tool', {}, async (session) => {
    const tools = await session.tools();
    assert.deepEqual(tools.map((tool) => tool.name), ['search', 'find_files', 'read_lines', 'outline']);
    assert.deepEqual(JSON.parse(text(await session.call('find_files', { globs: ['*.rs'] }))).files, [
      'src/average.rs',
      'src/lib.rs',
    ]);
    assert.match(text(await session.call('read_lines', { path: 'src/lib.rs', first: 9, count: 1 })), /pub struct Reading/);
    assert.equal(JSON.parse(text(await session.call('outline', { path: 'tools/report.py' }))).language, 'Python');
    const found = await session.call('search', { pattern: 'TODO' });
    assert.equal(JSON.parse(text(found)).files[0].path, 'src/average.rs');
    assert.equal(found.structuredContent !== undefined, structured);
    assert.match(await failure(session.call('search', { pattern: 'fn (' })), /not a regular expression/);
    assert.match(await failure(session.call('read_lines', { path: '../src/main.rs' })), /leads out of the tree/);
  });

  // The clients drop reports that arrive together with the result, so there must be time between them: a large tree,
  // and on a busy machine more than one search.
  const reportsOfALargeTree = async (session) => {
    let reports = [];
    for (let tries = 0; reports.length === 0; tries += 1) {
      assert.ok(tries < 20, 'no report');
      const seen = [];
      const onprogress = (report) => seen.push(report);
      assert.ok(text(await session.call('search', { pattern: 'f[nu]' }, { onprogress })));
      reports = seen;
    }
    assert.ok(reports.every((report, index) => index === 0 || reports[index - 1].progress < report.progress));
    const { progress, total, message } = reports[0];
    assert.equal(message, client.revision >= '2025-03-26' ? `${progress} of ${total} files` : undefined);
  };
  await test('code_search', 'reports progress', { searched: root }, reportsOfALargeTree);

  await test('probe', 'reports every step', {}, async (session) => {
    // A client that is kept from running reads the last reports together with the result, and drops them.
    let reports;
    for (let call = 0; call < 5 && reports?.length !== 3; call += 1) {
      reports = [];
      const onprogress = ({ progress, total }) => reports.push([progress, total]);
      await session.call('report', { values: [1, 2, 3], total: 3, pause: 100 }, { onprogress });
    }
    assert.deepEqual(reports, [[1, 3], [2, 3], [3, 3]]);
  });

  // The clients drop progress that they read together with the result. Over HTTP nothing keeps the two apart.
  const lastReport = async (session) => {
    let last = 0;
    for (let round = 0; round < 5 && last < 5; round += 1) {
      last = 0;
      for (let call = 0; call < 20; call += 1) {
        const onprogress = ({ progress }) => (last += progress === 2 ? 1 : 0);
        await session.call('report', { values: [1, 2], total: 2, pause: 0 }, { onprogress });
      }
    }
    // All but one or two, most often. A client on a busy machine reads both at once more often, but not nearly always, as it
    // would if both were written at once.
    assert.ok(last >= 5, `${last} of 20 calls showed their last report`);
  };
  if (client.way.label === '') await test('probe', 'shows the report right before the result', {}, lastReport);

  await test('code_search', 'logs at the level asked for', {}, async (session, logs) => {
    const search = (meta) => session.call('search', { pattern: 'TODO' }, {}, meta);
    await session.logs('info', search);
    assert.deepEqual(logs, []);
    await session.logs('debug', search);
    assert.equal(logs.length, 1);
    assert.equal(logs[0].level, 'debug');
    assert.equal(logs[0].logger, 'search');
    assert.match(logs[0].data, /logo\.png/);
  });

  await test('probe', 'cancels', {}, async (session) => {
    const held = async () => Number(text(await session.call('held', {})));
    const stop = new AbortController();
    const call = session.call('hold', {}, { signal: stop.signal });
    while ((await held()) !== 1);
    stop.abort('enough');
    await assert.rejects(call);
    while ((await held()) !== 0);
    assert.equal(text(await session.call('echo', { text: 'still here' })), 'still here');
  });

  await test('probe', 'survives panics and answers calls side by side', {}, async (session) => {
    assert.match(await failure(session.call('panic_later', {})), /panicked/);
    const naps = Array.from({ length: 50 }, (_, index) => session.call('nap', { milliseconds: 60 - index }));
    const results = await Promise.all(naps);
    assert.deepEqual(results.map(text), naps.map((_, index) => `slept ${60 - index} ms`));
    await assert.rejects(session.call('unserializable', {}), (error) => error.code === -32603);
  });

  await test('probe', 'understands every kind of content', {}, async (session) => {
    const { content } = await session.call('gallery', {});
    const links = client.revision >= '2025-06-18' ? 'resource_link' : 'text';
    const audio = client.revision >= '2025-03-26' ? 'audio' : 'text';
    assert.deepEqual(content.map((block) => block.type), ['text', 'image', audio, links, 'resource', 'resource']);
  });

  await booking(client, test, { text, failure });
  await signup(client, test, { text });
  await todo(client, test, { text, failure });
  await pipelines(client, test, { text, failure });
  await docs(client, test);
  await changes(client, test, { text });
  await games(client, test, { text, failure });
  await sampling(client, test, { text, failure });
}

for (const client of resumingClients) {
  await resuming(testOf(client), client);
  await missesNoNotice(client, testOf(client));
}

if (!only || only === 'conformance') {
  const counts = await tasks(programs);
  passed += counts.passed;
  failed += counts.failed;
}

console.log(`TypeScript clients: ${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
