// The official client of the tasks extension, with the tools of the example `conformance` whose calls are tasks.
//
// It sits on a connected client of 2026-07-28, and sends its own requests through the transport of that client, because
// the client itself does not know what comes back.

import assert from 'node:assert/strict';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { createTaskSessionFromClient } from '@modelcontextprotocol/ext-tasks/client';

import { overHttp, overStdio } from './ways.mjs';

const revision = '2026-07-28';
const clientInfo = { name: 'mcp-runtime-tests', version: '1.0.0' };
const capabilities = { elicitation: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } };

const accept = (content) => ({ action: 'accept', content });

/** Returns what sends a request through this transport and waits for its response. */
function dispatching(transport) {
  const waiting = new Map();
  const receive = transport.onmessage;
  transport.onmessage = (message, extra) => {
    const resolve = waiting.get(message.id);
    if (!resolve || message.method) return receive(message, extra);
    waiting.delete(message.id);
    const { result, error } = message;
    resolve(error ? { kind: 'error', error } : { kind: 'result', result });
  };
  return (request) => {
    const id = `tasks-${crypto.randomUUID()}`;
    const response = new Promise((resolve, reject) => {
      waiting.set(id, resolve);
      transport.send({ jsonrpc: '2.0', id, ...request }).catch(reject);
    });
    return response;
  };
}

/** Runs one test with a new process. `answer` gets each question, with its key. */
async function withTasks(way, program, answer, body) {
  const asked = [];
  const client = new Client(clientInfo, { versionNegotiation: { mode: { pin: revision } }, capabilities });
  const { transport, end } = await way.open({ command: program, env: process.env });
  await client.connect(transport);
  const options = {
    endpointId: 'conformance',
    rawDispatch: dispatching(transport),
    v2RequestFraming: { protocolVersion: revision, clientInfo, clientCapabilities: capabilities },
    onInputRequest: async ({ params }, { inputId, signal }) => {
      asked.push({ key: inputId, message: params.message });
      return answer(params, { inputId, signal });
    },
    onError: (error) => asked.push(error),
  };
  try {
    await body(createTaskSessionFromClient(client, options), asked);
  } finally {
    await client.close();
    end();
  }
}

const text = ({ status, result, error }) => {
  assert.equal(status, 'completed', error?.stack);
  return result.content[0].text;
};
const settled = async (session, name, params) => {
  const execution = await session.callTool(name, params);
  assert.equal(execution.kind, 'task');
  return (await execution.settle()).outcome;
};
/** Reads a task until this holds. */
const until = async (controller, holds) => {
  let task;
  while (!holds((task = await controller.snapshot()))) await sleep(20);
  return task;
};
const nothing = () => assert.fail('asked');
/** Waits until the client stops to ask. */
const silent = (_, { signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

const tests = {
  'a task ends with its result': [nothing, async (session) => {
    assert.match(text(await settled(session, 'slow_compute', { seconds: 0.1, label: 'pi' })), /^pi computed in 0\.1 s$/);
  }],
  'a tool that is no task is answered at once': [nothing, async (session) => {
    const execution = await session.callTool('greet', { name: 'Ada' });
    assert.equal(execution.kind, 'immediate');
    assert.equal(text((await execution.settle()).outcome), 'Hello, Ada!');
  }],
  'a task asks and gets its answer': [() => accept({ confirm: true }), async (session, asked) => {
    assert.equal(text(await settled(session, 'confirm_delete', { filename: 'a.txt' })), 'deleted a.txt');
    assert.deepEqual(asked.map(({ message }) => message), ['Delete a.txt?']);
  }],
  'a task asks two questions at once': [
    ({ message }) => accept({ name: message.includes('first') ? 'Ada' : 'Lovelace' }),
    async (session, asked) => {
      assert.equal(text(await settled(session, 'multi_input', {})), 'Ada Lovelace');
      assert.equal(new Set(asked.map(({ key }) => key)).size, 2);
    },
  ],
  'a question that is asked again has another key': [
    ({ message }) => accept({ confirm: message.includes('did not fit') ? true : 'maybe' }),
    async (session, asked) => {
      assert.equal(text(await settled(session, 'confirm_delete', { filename: 'b.txt' })), 'deleted b.txt');
      assert.equal(asked.length, 2);
      assert.equal(new Set(asked.map(({ key }) => key)).size, 2, 'a key was used twice');
    },
  ],
  'a question before the task comes with the call': [() => accept({ name: 'Ada' }), async (session, asked) => {
    assert.equal(text(await settled(session, 'test_tool_with_task', {})), 'Hello, Ada!');
    assert.equal(asked.length, 1);
  }],
  'an error result completes the task': [nothing, async (session) => {
    const { status, result } = await settled(session, 'failing_job', {});
    assert.deepEqual([status, result.isError, result.content[0].text], ['completed', true, 'the job failed']);
  }],
  'a task that fails says why': [nothing, async (session) => {
    const { status, error, task } = await settled(session, 'protocol_error_job', {});
    assert.deepEqual([status, error.code], ['failed', -32603]);
    assert.match(task.statusMessage, /could not be serialized/);
  }],
  'a task that waits for an answer is cancelled': [silent, async (session, asked) => {
    const execution = await session.callTool('confirm_delete', { filename: 'c.txt' });
    const { taskId } = execution.handle;
    await until(session.task(taskId), ({ status }) => status === 'input_required');
    await execution.cancel();
    assert.equal((await execution.settle()).outcome.status, 'cancelled');
    // An answer that comes too late changes nothing.
    await session.task(taskId).update({ confirm: accept({ confirm: true }) });
    assert.equal((await session.task(taskId).snapshot()).status, 'cancelled');
    assert.ok(asked.length <= 1);
  }],
  'a task is taken up again by its reference': [silent, async (session) => {
    const execution = await session.callTool('confirm_delete', { filename: 'd.txt' });
    let reference;
    await execution.handoff((persisted) => (reference = persisted));
    const controller = session.task(reference.taskId);
    const waiting = await until(controller, ({ status }) => status === 'input_required');
    const [key] = Object.keys(waiting.raw.inputRequests);
    await controller.update({ unknown: accept({ confirm: false }) });
    await controller.update({ [key]: accept({ confirm: true }) });
    const resumed = await session.resumeTask(reference);
    assert.equal(text((await resumed.settle()).outcome), 'deleted d.txt');
  }],
  'an open question moves the time of the last change': [silent, async (session) => {
    const { handle } = await session.callTool('confirm_delete', { filename: 'e.txt' });
    const controller = session.task(handle.taskId);
    const first = await until(controller, ({ status }) => status === 'input_required');
    const [key] = Object.keys(first.raw.inputRequests);
    await controller.update({ [key]: accept({ confirm: 'maybe' }) });
    const again = await until(controller, ({ status, raw }) => status === 'input_required' && !(key in raw.inputRequests));
    assert.ok(again.lastUpdatedAt > first.lastUpdatedAt, `${again.lastUpdatedAt} after ${first.lastUpdatedAt}`);
  }],
};

/** Runs the tests over each way, all at once, because they wait; returns how many passed and failed. */
export async function tasks(programs) {
  const program = path.join(programs, 'conformance');
  const counts = { passed: 0, failed: 0 };
  const run = async (way, name, [answer, body]) => {
    let timer;
    const late = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error('no end within 3 minutes')), 180_000);
    });
    try {
      await Promise.race([withTasks(way, program, answer, body), late]);
      counts.passed += 1;
    } catch (error) {
      counts.failed += 1;
      console.error(`FAILED ext-tasks 0.2.2${way.label}: ${name}\n${error.stack ?? error}`);
    } finally {
      clearTimeout(timer);
    }
  };
  const ways = [overStdio(StdioClientTransport), overHttp(StreamableHTTPClientTransport)];
  await Promise.all(ways.flatMap((way) => Object.entries(tests).map(([name, test]) => run(way, name, test))));
  return counts;
}
