// What the tools of `server.mjs` do, whatever the era.

import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const [, name, file] = process.argv.slice(2);
const note = (words) => appendFileSync(file, `${name}: ${words}\n`);
const text = (text) => ({ content: [{ type: 'text', text }] });

export const uri = `chain://${name}/note`;
export const names = ['ada', 'alan', 'bob'];
let kept = 'first';

/** The form of `order`. */
export const form = {
  message: 'How many?',
  requestedSchema: { type: 'object', properties: { amount: { type: 'integer', minimum: 1 } }, required: ['amount'] },
};

/** What `consult` asks the model. */
export const prompt = (topic, tools) => ({
  messages: [{ role: 'user', content: { type: 'text', text: topic } }],
  maxTokens: 50,
  ...(tools && {
    tools: [{ name: 'look_up', description: 'Looks a word up.', inputSchema: { type: 'object', properties: { word: { type: 'string' } } } }],
    toolChoice: { mode: 'auto' },
  }),
});

export function ordered({ action, content }) {
  if (action !== 'accept') return text('nothing ordered');
  note(`ordered ${content.amount}`);
  return text(`ordered ${content.amount}`);
}

export function replied({ content }) {
  const [block] = [content].flat();
  return text(block.type === 'tool_use' ? `wants ${block.name} ${JSON.stringify(block.input)}` : `said ${block.text}`);
}

/** Three reports and three messages. `send` sends a notification of the call. */
export async function work(token, log, send) {
  for (let step = 1; step <= 3; step += 1) {
    if (token !== undefined) {
      const params = { progressToken: token, progress: step, total: 3, message: `step ${step}` };
      await send({ method: 'notifications/progress', params });
    }
    await log('info', `step ${step}`);
    await sleep(60);
  }
  return text('worked');
}

export async function slow(signal) {
  note(`slow began in ${process.pid}`);
  await new Promise((resolve) => {
    const patience = setTimeout(resolve, 60_000);
    signal.addEventListener('abort', () => {
      note('slow cancelled');
      clearTimeout(patience);
      resolve();
    });
  });
  return text('not cancelled');
}

export function change(words) {
  kept = words;
}

export const contents = () => ({ contents: [{ uri, mimeType: 'text/plain', text: kept }] });
export const process_id = () => text(String(process.pid));
export const greeting = (who) => ({ messages: [{ role: 'user', content: { type: 'text', text: `Greet ${who}.` } }] });
export const starting = (value) => names.filter((one) => one.startsWith(value));
export { name, text };
