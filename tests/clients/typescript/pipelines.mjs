// The example `pipelines`: one tool with many actions, whose runs outlive their calls.

import assert from 'node:assert/strict';

import { checkForm } from './forms.mjs';

/** Runs the tests of one client. */
export async function pipelines(client, test, { text, failure }) {
  const structured = client.revision >= '2025-06-18';
  const called = (session) => async (action, params) => {
    const result = await session.call('pipelines', { action, ...(params && { params }) });
    const envelope = JSON.parse(text(result));
    assert.deepEqual(result.structuredContent, structured ? envelope : undefined);
    assert.equal(envelope.action, action);
    return envelope.result;
  };

  await test('pipelines', 'list, describe, run and status', {}, async (session) => {
    const [tool, ...others] = await session.tools();
    // The second tool is for the chart.
    assert.deepEqual([tool.name, ...others.map(({ name }) => name)], ['pipelines', 'chart_rows']);
    assert.deepEqual(Object.keys(tool.inputSchema.properties), ['action', 'params']);
    assert.match(session.instructions, /"action":"describe"/);
    const call = called(session);
    const names = (await call('list')).map(({ name }) => name);
    assert.deepEqual(names, ['product_sales', 'revenue_by_region', 'top_customers']);
    const described = await call('describe', { name: 'revenue_by_region' });
    const [month, minimum] = described.params;
    assert.deepEqual([month.values[1], minimum.default, minimum.range], ['2026-02', 0, 'at least 0']);

    const inputs = { month: month.values[1], minimum: 50 };
    const ended = await call('run', { name: described.name, inputs, wait: true });
    assert.equal(ended.status, 'completed', JSON.stringify(ended));
    // With the defaults of the pipeline.
    const resolved = { ...inputs, report: 'csv' };
    assert.deepEqual(ended.resolved_inputs, { name: 'revenue_by_region', inputs: resolved, overwrite: false });
    assert.deepEqual(ended.outputs.first_rows[0], { region: 'north', orders: 1, revenue: 237 });
    assert.deepEqual(ended.outputs.written, ['reports/revenue_by_region.csv']);
    const status = await call('status', { run_id: ended.run_id, include_trace: true });
    assert.deepEqual(status.outputs, ended.outputs);
    const kinds = status.trace.filter(({ event }) => event === 'log').map(({ data }) => data.kind);
    assert.deepEqual(kinds, ['read', 'filter', 'join', 'aggregate', 'sort', 'write']);
    if (client.way.label === '') {
      assert.deepEqual((await call('runs', {})).runs.map(({ run_id }) => run_id), [ended.run_id]);
    } else {
      // All clients without a principal would share one list.
      assert.match(await failure(session.call('pipelines', { action: 'runs' })), /keep the `run_id` of each run/);
    }
  });

  await test('pipelines', 'tells the model what is wrong', {}, async (session) => {
    assert.match(await failure(session.call('pipelines', { action: 'descrbe' })), /Did you mean 'describe'/);
    const wrong = { action: 'run', params: { nam: 'top_customers', wait: 'yes' } };
    const words = await failure(session.call('pipelines', wrong));
    assert.match(words, /did you mean `name`/);
    assert.match(words, /`wait` must be/);
    assert.match(words, /`name` is required/);
  });

  if (!client.hasForms) return;
  const asked = [];
  const answer = async (params) => {
    asked.push(structuredClone(params));
    return { action: 'accept', content: { replace: true } };
  };
  await test('pipelines', 'asks in mid-run', { answer }, async (session) => {
    asked.length = 0;
    const call = called(session);
    const params = { name: 'top_customers', inputs: { count: 1 } };
    assert.equal((await call('run', { ...params, wait: true })).status, 'completed');
    assert.equal(asked.length, 0);
    const { run_id, status } = await call('run', { name: 'top_customers', inputs: { count: 2 } });
    assert.ok(['working', 'input_required'].includes(status), status);
    const ended = await call('status', { run_id, wait: true });
    assert.deepEqual([ended.status, ended.outputs?.rows], ['completed', 2], JSON.stringify(ended));
    assert.equal(asked.length, 1);
    assert.equal(asked[0].message, '`reports/top_customers.csv` exists. Replace it?');
    checkForm(client.revision, asked[0]);
  });
}
