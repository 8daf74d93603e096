// What passes through the gateway, for one client and every server.

import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

import { behind } from './servers.mjs';

const TOOLS = ['order', 'consult', 'work', 'slow', 'change', 'process_id'];

export const text = (result) => {
  assert.notEqual(result.isError, true, JSON.stringify(result));
  return result.content[0].text;
};

/** Waits until this holds. */
export async function until(holds, what, patience = 10_000) {
  for (const start = Date.now(); !(await holds()); await sleep(10)) {
    assert.ok(Date.now() < start + patience, `never: ${what}`);
  }
}

/** Runs the tests of one client. */
export async function calls(client, gateway, files, check) {
  const can = { reply: undefined, answer: undefined };
  const asked = [];
  const ask = (kind) => (params) => {
    asked.push(params);
    return structuredClone(can[kind]);
  };
  const logs = [];
  const onLog = (log) => logs.push(log);
  const options = { onLog, answer: ask('answer'), sample: ask('reply'), sampling: { tools: {} } };
  const session = await client.connect(gateway, options);
  try {
    // On a busy machine some servers begin late.
    await check(`${client.label}: all servers`, () =>
      until(async () => (await session.tools()).length === TOOLS.length * behind.length, 'every tool was listed', 60_000));
    for (const { name, hasNoTools, tellsOne } of behind) {
      const test = (what, body) => check(`${client.label}, ${name}: ${what}`, body);
      const call = (tool, args = {}, ...more) => session.call(`${name}_${tool}`, args, ...more);

      await test('lists', async () => {
        const tools = await session.tools();
        const listed = tools.map((tool) => tool.name).filter((tool) => tool.startsWith(`${name}_`));
        assert.deepEqual(listed, TOOLS.map((tool) => `${name}_${tool}`));
      });

      await test('a form, accepted and declined', async () => {
        asked.length = 0;
        can.answer = { action: 'accept', content: { amount: 3 } };
        assert.equal(text(await call('order')), 'ordered 3');
        can.answer = { action: 'decline' };
        assert.equal(text(await call('order')), 'nothing ordered');
        assert.deepEqual(asked.map(({ message }) => message), ['How many?', 'How many?']);
        assert.deepEqual(files.done(name).filter((line) => line.startsWith('ordered')), ['ordered 3']);
        files.clear(name);
      });

      await test('a model', async () => {
        asked.length = 0;
        const text_ = { type: 'text', text: 'yes' };
        can.reply = { role: 'assistant', content: text_, model: 'model-1', stopReason: 'endTurn' };
        assert.equal(text(await call('consult', { topic: 'Really?', tools: false })), 'said yes');
        assert.equal([asked[0].messages[0].content].flat()[0].text, 'Really?');
      });

      if (!hasNoTools) await test('a model with tools', async () => {
        const use = { type: 'tool_use', id: 'call-1', name: 'look_up', input: { word: 'chain' } };
        can.reply = { role: 'assistant', content: [use], model: 'model-1', stopReason: 'toolUse' };
        assert.equal(text(await call('consult', { topic: 'What?', tools: true })), 'wants look_up {"word":"chain"}');
        assert.equal(asked.at(-1).tools[0].name, 'look_up');
      });

      await test('progress and logs', async () => {
        // A client that is kept from running reads the last report together with the result, and drops it.
        let reports = [];
        for (let tries = 0; tries < 5 && reports.at(-1)?.progress !== 3; tries += 1) {
          reports = [];
          const onprogress = (report) => reports.push(report);
          logs.length = 0;
          await session.logs('info', async (meta) => assert.equal(text(await call('work', {}, { onprogress }, meta)), 'worked'));
        }
        // The gateway sends the first and the last report, and drops one that comes within 50 ms: on a busy machine, the second.
        const steps = reports.length === 2 ? [1, 3] : [1, 2, 3];
        const received = reports.map(({ progress, total, message }) => [progress, total, message]);
        assert.deepEqual(received, steps.map((step) => [step, 3, `step ${step}`]));
        assert.deepEqual(logs.map(({ level, data }) => [level, data]), [1, 2, 3].map((step) => ['info', `step ${step}`]));
      });

      await test('cancellation', async () => {
        const stop = new AbortController();
        const slow = call('slow', {}, { signal: stop.signal });
        slow.catch(() => {});
        await until(() => began(files, name), 'the call began');
        stop.abort('enough');
        await assert.rejects(slow);
        await until(() => files.done(name).includes('slow cancelled'), 'the server was told');
        files.clear(name);
      });

      await test('a resource that changes', async () => {
        const uri = `chain://${name}/note`;
        const notices = [];
        const end = await session.subscribe(uri, (notice) => notices.push(notice));
        const words = `changed for ${client.label}`;
        await until(async () => {
          // The gateway subscribes after it has answered, so the first change can be too early.
          assert.equal(text(await call('change', { words })), 'changed');
          await sleep(200);
          return notices.includes(uri) || tellsOne;
        }, 'the notice came');
        assert.equal((await session.read(uri)).contents[0].text, words);
        await end();
        const { resources } = await session.resources();
        assert.ok(resources.some((resource) => resource.uri === uri));
      });

      await test('a prompt and a completion', async () => {
        assert.ok((await session.prompts()).some((prompt) => prompt.name === `${name}_greet`));
        const { messages } = await session.prompt(`${name}_greet`, { who: 'Ada' });
        assert.equal(messages[0].content.text, 'Greet Ada.');
        const { values } = await session.complete({ type: 'ref/prompt', name: `${name}_greet` }, 'who', 'a');
        assert.deepEqual(values, ['ada', 'alan']);
      });
    }

    const label = `${client.label}, one server dies in a call`;
    for (const { name } of behind) await check(`${label}: ${name}`, () => killed(session, name, files));
  } finally {
    await session.close();
  }
}

/** The process in which `slow` has begun. */
const began = (files, name) => Number(files.done(name).find((line) => line.startsWith('slow began'))?.split(' ').at(-1));

/** One server dies in a call: the call says so, the others go on, and the next call starts it again. */
async function killed(session, name, files) {
  const call = async (of) => Number(text(await session.call(`${of}_process_id`, {})));
  const slow = session.call(`${name}_slow`, {}).then((result) => result.content[0].text, (error) => error.message);
  await until(() => began(files, name), 'the call began');
  const before = began(files, name);
  process.kill(before, 'SIGKILL');
  assert.match(await slow, new RegExp(`the server \`${name}\`.*the process of the server has ended`));
  files.clear(name);
  for (const other of behind) if (other.name !== name) assert.ok((await call(other.name)) > 0);
  await until(() => call(name).then((now) => now !== before, () => false), 'the server was started again');
}
