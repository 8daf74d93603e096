// Tools that ask the client's model: of the example `conformance`, and of `probe` with tools, pictures and turns.

import assert from 'node:assert/strict';

import { checkSampling } from './forms.mjs';

const text = (text) => ({ type: 'text', text });
const said = (content, stopReason = 'endTurn') => ({ role: 'assistant', content, model: 'model-1', stopReason });
const calls = (...uses) =>
  said(uses.map(([name, input], index) => ({ type: 'tool_use', id: `call-${index}`, name, input })), 'toolUse');
const written = (name, input) => said(text(`I would say:\n${JSON.stringify({ tool: name, input })}`));

/** Runs the tests of one client. */
export async function sampling(client, test, { text: result, failure }) {
  const modern = client.revision >= '2026-07-28';
  const severalBlocks = client.revision >= '2025-11-25';

  /** Calls the tool once; the model gives these replies in turn, and is asked for no more and no fewer. */
  const ask = (name, [program, tool, args], { tools = false }, replies, judge) => {
    const asked = [];
    const sample = async (params) => {
      // Before the client can change anything in it.
      asked.push(structuredClone(params));
      assert.ok(asked.length <= replies.length, `asked once more: ${JSON.stringify(params)}`);
      const reply = replies[asked.length - 1];
      return structuredClone(typeof reply === 'function' ? reply(params) : reply);
    };
    const options = { sample, sampling: tools ? { tools: {} } : {} };
    return test(program, `sampling: ${name}`, options, async (session) => {
      await judge(session.call(tool, args), asked);
      assert.equal(asked.length, replies.length);
      asked.forEach((params) => checkSampling(client.revision, params));
      assert.ok((await session.tools()).some((listed) => listed.name === tool));
    });
  };

  const simple = ['conformance', 'test_sampling', { prompt: 'Are you there?' }];
  await ask('a text', simple, {}, [said(text('I am.'))], async (call, asked) => {
    assert.equal(result(await call), 'LLM response: I am.');
    const messages = [{ role: 'user', content: text('Are you there?') }];
    const { messages: sent, maxTokens, tools } = asked[0];
    assert.deepEqual({ messages: sent, maxTokens, tools }, { messages, maxTokens: 100, tools: undefined });
  });

  // In a session the newer clients hold a reply to one block, unless tools were asked with.
  await ask('a text in blocks', simple, {}, [said([text('I'), text('am.')])], async (call) => {
    if (client.revision === '2025-11-25') assert.match(await failure(call), /the client refused: .*Invalid sampling result/);
    else assert.equal(result(await call), 'LLM response: I\nam.');
  });

  const rejected = () => {
    throw Object.assign(new Error('User rejected sampling request'), { code: -1 });
  };
  await ask('refused', simple, {}, [rejected], async (call) => {
    if (modern) await assert.rejects(call, /User rejected sampling request/);
    else assert.match(await failure(call), /the client refused: .*User rejected sampling request \(code -1\)/);
  });

  await ask('a picture and all that can be said', ['probe', 'look', {}], {}, [said(text('A cat.'))], async (call, asked) => {
    assert.equal(result(await call), 'model-1: A cat. (endTurn)');
    const [params] = asked;
    const picture = { type: 'image', data: 'iVBORw==', mimeType: 'image/png' };
    const blocks = params.messages.flatMap(({ role, content }) => [content].flat().map((block) => [role, block]));
    assert.deepEqual(blocks, [
      ['user', text('What is this?')],
      ['user', picture],
      ['assistant', text('A dog.')],
      ['user', text('Look again.')],
    ]);
    // Before 2025-11-25 a message has one block.
    assert.equal(params.messages.length, severalBlocks ? 3 : 4);
    assert.equal(params.systemPrompt, 'You are brief.');
    assert.equal(params.temperature, 0.5);
    assert.deepEqual(params.stopSequences, ['END']);
    const wanted = { hints: [{ name: 'mini' }], costPriority: 0.25, speedPriority: 1, intelligencePriority: 0 };
    assert.deepEqual(params.modelPreferences, wanted);
  });

  const right = ['capital', { country: 'PT' }];
  const wrong = ['capital', { country: 'Portugal' }];
  const chosen = 'Capital { country: "PT" } in 2 tries';
  const inWords = [written(...wrong), written(...right)];
  await ask('tools in words', ['probe', 'choose', {}], {}, inWords, async (call, asked) => {
    assert.equal(result(await call), chosen);
    assert.ok(asked.every(({ tools, toolChoice }) => tools === undefined && toolChoice === undefined));
    assert.match([asked[0].messages.at(-1).content].flat().at(-1).text, /- capital: Finds the capital of a country\./);
    assert.match([asked[1].messages.at(-1).content].flat().at(-1).text, /`country`.*2 characters/s);
  });
  if (!severalBlocks) return;

  await ask('tools', ['probe', 'choose', {}], { tools: true }, [calls(wrong), calls(right)], async (call, asked) => {
    assert.equal(result(await call), chosen);
    for (const { tools, toolChoice } of asked) {
      assert.deepEqual(tools.map((tool) => tool.name), ['population', 'capital']);
      assert.deepEqual(tools[0].inputSchema.required, ['city']);
      assert.deepEqual(toolChoice, { mode: 'required' });
    }
    const [called, told] = asked[1].messages.slice(-2);
    assert.deepEqual([called.content].flat()[0].input, { country: 'Portugal' });
    const [outcome] = [told.content].flat();
    assert.deepEqual([outcome.type, outcome.toolUseId, outcome.isError], ['tool_result', 'call-0', true]);
  });

  // Two calls in one reply, one of them of nothing that is known, and an answer when no more may be called.
  const turns = [calls(right, ['population', { city: 'Paris' }]), calls(['population', { city: 'Lisbon' }]), said([text('545,000.')])];
  await ask('turns', ['probe', 'find_out', {}], { tools: true }, turns, async (call, asked) => {
    assert.equal(result(await call), '545,000. (3 turns)');
    assert.deepEqual(asked.map(({ toolChoice }) => toolChoice.mode), ['auto', 'auto', 'none']);
    const results = asked[2].messages.flatMap(({ content }) => [content].flat()).filter(({ type }) => type === 'tool_result');
    const told = results.map(({ content, isError }) => [content[0].text, isError ?? false]);
    assert.deepEqual(told, [['Lisbon', false], ['nothing is known of that', true], ['545,000', false]]);
  });
}
