// The tool `play_ttt` of the example of this name: whole games, with the client's own model and forms.
//
// In 2026-07-28 each question is a round. A game takes eight at most, or is adjourned.

import assert from 'node:assert/strict';

import { checkForm, checkSampling, choices } from './forms.mjs';

const inOrder = [1, 2, 3, 4, 5, 6, 7, 8, 9];

/** Runs the tests of one client. */
export async function games(client, test, { text, failure }) {
  const modern = client.revision >= '2026-07-28';

  await test('play_ttt', 'games: need a client with a model', {}, async (session) => {
    const call = session.call('play_ttt', {});
    if (modern) await assert.rejects(call, (error) => error.code === -32021);
    else assert.match(await failure(call), /`play_ttt` needs a client that supports .*sampling/);
  });
  if (!client.hasForms) return;

  const hasTools = client.revision >= '2025-11-25';
  const can = { sampling: hasTools ? { tools: {} } : {} };

  /** Plays a game in which both take the first of their cells that is free; the model errs so many times. */
  const play = (name, { mark, model, user, errors = 0 }, judge) => {
    const asked = [];
    const sample = async (params) => {
      checkSampling(client.revision, structuredClone(params));
      const [{ content }] = params.messages;
      const prompt = (Array.isArray(content) ? content[0] : content).text;
      const isPlan = prompt.includes('How do you play');
      asked.push(isPlan ? 'plan' : 'move');
      assert.equal(params.tools !== undefined, hasTools);
      if (isPlan) return said(hasTools, 'attack', { line: 'any' }, { tool: 'attack', input: { line: 'any' } });
      const [, free] = prompt.match(/^Free cells: (.*)$/m);
      const isWrong = errors > 0 && free !== inOrder.join(', ');
      if (isWrong) errors -= 1;
      const cell = model.find((number) => free.includes(number) !== isWrong);
      return said(hasTools, 'answer', { cell }, { cell });
    };
    const answer = async (params) => {
      checkForm(client.revision, structuredClone(params));
      asked.push('user');
      const free = choices(params.requestedSchema.properties.cell).map(([number]) => Number(number));
      return { action: 'accept', content: { cell: `${user.find((number) => free.includes(number))}` } };
    };
    return test('play_ttt', `games: ${name}`, { answer, sample, ...can }, async (session) => {
      await session.tools();
      const result = await session.call('play_ttt', { user_plays: mark });
      const report = JSON.parse(text(result));
      assert.deepEqual(result.structuredContent, report);
      judge({ ...report, cells: report.moves.map(({ cell }) => cell), asked });
    });
  };
  const count = (asked, kind) => asked.filter((each) => each === kind).length;

  await play('the model wins', { mark: 'O', model: inOrder, user: [4, 5, 6] }, ({ outcome, cells, asked }) => {
    assert.deepEqual([outcome, cells], ['model_won', [1, 4, 2, 5, 3]]);
    assert.equal(count(asked, 'plan'), modern ? 0 : 2);
  });
  await play('the user wins', { mark: 'X', model: inOrder, user: [7, 8, 9] }, ({ outcome, cells }) => {
    assert.deepEqual([outcome, cells], ['user_won', [7, 1, 8, 2, 9]]);
  });
  const draw = { mark: 'O', model: [1, 2, 7, 6, 9], user: [5, 3, 4, 8] };
  await play('a draw', draw, ({ outcome, cells, asked }) => {
    assert.deepEqual([outcome, cells], ['draw', [1, 5, 2, 3, 7, 4, 6, 8, 9]]);
    assert.deepEqual(['plan', 'move', 'user'].map((kind) => count(asked, kind)), [modern ? 0 : 3, 4, 4]);
  });
  await play('a model that errs', { ...draw, errors: 1 }, ({ outcome, asked }) => {
    assert.equal(outcome, modern ? 'adjourned' : 'draw');
    assert.equal(asked.length, modern ? 8 : 12);
  });
  await play('a model that errs again and again', { ...draw, mark: 'X', errors: 3 }, ({ outcome, cells }) => {
    assert.deepEqual([outcome, cells], ['forfeited', [5]]);
  });

  // The user does not let the model play, or the window is gone: in the modern era the call ends at the client.
  const answer = async () => ({ action: 'decline' });
  const sample = async () => {
    throw Object.assign(new Error('User rejected sampling request'), { code: -1 });
  };
  await test('play_ttt', 'games: a user who lets no model play', { answer, sample, ...can }, async (session) => {
    const call = session.call('play_ttt', { user_plays: 'O' });
    if (modern) {
      await assert.rejects(call, /User rejected sampling request/);
    } else {
      const { outcome, why } = JSON.parse(text(await call));
      assert.deepEqual([outcome, why], ['adjourned', 'the client refused: User rejected sampling request (code -1)']);
    }
  });
  await test('play_ttt', 'games: a user who gives up', { answer, sample, ...can }, async (session) => {
    assert.equal(JSON.parse(text(await session.call('play_ttt', { user_plays: 'X' }))).outcome, 'resigned');
  });
}

/** What the model says: by a tool where it has tools, else in words. */
function said(byTool, name, input, value) {
  const content = byTool
    ? { type: 'tool_use', id: 'c1', name, input }
    : { type: 'text', text: `I say:\n\`\`\`json\n${JSON.stringify(value)}\n\`\`\`` };
  return { role: 'assistant', model: 'first-free', stopReason: byTool ? 'toolUse' : 'endTurn', content };
}
