// The gateway is killed between the rounds of a call, and another instance with the same store goes on.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

import { version2 } from '../clients.mjs';
import { text, until } from './calls.mjs';
import { behind, fixture } from './servers.mjs';

/** Over HTTP, to a gateway that can be killed and started again at the same port. */
function overKilled() {
  let program;
  let url;
  let start;
  const way = {
    label: ' over HTTP',
    async open({ command, env }) {
      start = async (address) => {
        program = spawn(command, ['http', '--addr', address], { env, stdio: ['ignore', 'ignore', 'pipe'] });
        url = await new Promise((resolve, reject) => {
          program.once('exit', (code) => reject(new Error(`the gateway ended with ${code}`)));
          createInterface({ input: program.stderr }).on('line', (line) => {
            const found = line.match(/http:\S+/);
            if (found) resolve(new URL(found[0]));
          });
        });
      };
      await start('127.0.0.1:0');
      return { transport: new StreamableHTTPClientTransport(url), end: () => program.kill() };
    },
    async replace() {
      const ended = once(program, 'exit');
      program.kill('SIGKILL');
      await ended;
      await start(url.host);
    },
  };
  return way;
}

/** Runs the tests. */
export async function crashes({ command, programs, python }, check) {
  for (const { name, era } of behind) {
    await check(`the gateway dies between the rounds, ${name}`, async () => {
      const files = fixture(programs, python, { store: true, only: name });
      const way = overKilled();
      const client = version2('pinned to 2026-07-28', { pin: '2026-07-28' }, '2026-07-28', way);
      let asked = 0;
      const answer = async () => {
        asked += 1;
        await way.replace();
        await isListed();
        return { action: 'accept', content: { amount: 3 } };
      };
      const session = await client.connect({ command, env: files.env }, { onLog: () => {}, answer });
      // On a busy machine the server begins after the gateway has listed the others.
      const isListed = () =>
        until(async () => (await session.tools()).some((tool) => tool.name === `${name}_order`), 'the tool was listed', 60_000);
      try {
        await isListed();
        const call = session.call(`${name}_order`, {});
        if (era === 'modern') {
          assert.equal(text(await call), 'ordered 3');
          assert.deepEqual(files.done(name), ['ordered 3']);
        } else {
          const { isError, content } = await call;
          assert.equal(isError, true);
          assert.ok(content[0].text.startsWith(`the call at the server \`${name}\` has ended, and is not sent again`));
          assert.match(content[0].text, /keeps a call only as long as its connection/);
          assert.deepEqual(files.done(name), []);
        }
        assert.equal(asked, 1);
      } finally {
        await session.close();
        files.end();
      }
    });
  }
}
