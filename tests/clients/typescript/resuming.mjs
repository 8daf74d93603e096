// Streams that end before their call does: the client comes again, and reads on where it was.

import assert from 'node:assert/strict';
import { connect, createServer } from 'node:net';
import { once } from 'node:events';

/** A proxy that breaks the connection of each stream behind its first message, as often as it is told to. */
async function breaking(url, times) {
  const open = new Set();
  let broken = 0;
  const proxy = createServer((client) => {
    const server = connect(Number(url.port), url.hostname);
    for (const end of [client, server]) {
      open.add(end);
      end.on('error', () => {}).on('close', () => open.delete(end));
    }
    client.pipe(server);
    client.on('close', () => server.destroy());
    server.on('close', () => client.destroy());
    server.on('data', (chunk) => {
      client.write(chunk);
      if (broken < times && /^data: \{/m.test(chunk.toString())) {
        broken += 1;
        // What was written is to arrive.
        setTimeout(() => client.destroy(), 5);
      }
    });
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  return {
    url: new URL(`http://127.0.0.1:${proxy.address().port}${url.pathname}`),
    broken: () => broken,
    end: () => {
      proxy.close();
      open.forEach((end) => end.destroy());
    },
  };
}

/** The same way, over connections that break. */
export function overBroken(way, times) {
  const proxies = [];
  return {
    ...way,
    label: ' over HTTP that breaks',
    broken: () => proxies.at(-1).broken(),
    open: (server) =>
      way.open(server, async (url) => {
        const proxy = await breaking(url, times);
        proxies.push(proxy);
        return proxy;
      }),
  };
}

/** What holds for a client that comes again. */
export async function resuming(test, client) {
  await test('conformance', 'is sent away, and has the result when it comes again', {}, async (session) => {
    const result = await session.call('test_reconnection', {});
    assert.equal(result.content[0].text, 'Reconnection test completed');
  });

  await test('conformance', 'misses nothing where connections break', {}, async (session, logs) => {
    const result = await session.call('test_tool_with_logging', {});
    assert.equal(result.content[0].text, 'Tool with logging executed successfully');
    assert.deepEqual(logs.map((log) => log.data), [
      'Tool execution started',
      'Tool processing data',
      'Tool execution completed',
    ]);
    assert.ok(client.way.broken() > 0, 'a connection was broken');
  });

  const forms = { answer: () => ({ action: 'accept', content: { username: 'ada', email: 'ada@example.com' } }) };
  await test('conformance', 'is asked once where the connection of the question broke', forms, async (session) => {
    const result = await session.call('test_elicitation', { message: 'Who are you?' });
    assert.match(result.content[0].text, /ada@example.com/);
    assert.equal(session.sent.filter((message) => message.result?.action === 'accept').length, 1);
    assert.ok(client.way.broken() > 0, 'a connection was broken');
  });
}
