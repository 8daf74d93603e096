// The resources, prompts and completions of the example `docs_server`.

import assert from 'node:assert/strict';

/** Runs the tests of one client. */
export async function docs(client, test) {
  await test('docs_server', 'lists resources and templates', {}, async (session) => {
    const uris = [];
    let cursor;
    do {
      const page = await session.resources(cursor);
      uris.push(...page.resources.map(({ uri }) => uri));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    assert.deepEqual([...new Set(uris)].sort(), [
      'docs://files/guide/install.md',
      'docs://files/pot.png',
      'docs://files/start.md',
      'docs://outlines/guide/install.md',
      'docs://outlines/start.md',
      'skill://answering/SKILL.md',
      'skill://answering/references/quoting.md',
      'skill://summaries/SKILL.md',
    ]);
    const templates = (await session.templates()).map(({ uriTemplate }) => uriTemplate);
    assert.deepEqual(templates, ['docs://files/{+path}', 'docs://outlines/{+page}']);
  });

  await test('docs_server', 'reads text and bytes', {}, async (session) => {
    const [page] = (await session.read('docs://files/start.md')).contents;
    assert.equal(page.mimeType, 'text/markdown');
    assert.match(page.text, /^# Start\n/);
    const [picture] = (await session.read('docs://files/pot.png')).contents;
    assert.equal(picture.mimeType, 'image/png');
    assert.equal(Buffer.from(picture.blob, 'base64').subarray(1, 4).toString(), 'PNG');
    const [outline] = (await session.read('docs://outlines/guide/install.md')).contents;
    assert.equal(outline.text, '- Install\n  - Soil\n  - Pot\n');
    const [part] = (await session.read('docs://files/start.md?offset=2&length=5')).contents;
    assert.equal(part.text, 'Start');
    if (client.revision >= '2025-06-18') assert.equal(part._meta.nextUri, 'docs://files/start.md?offset=7&length=5');
  });

  await test('docs_server', 'refuses unknown resources', {}, async (session) => {
    // Version 2 of the client turns the older code into the newer one.
    const isNewer = client.revision >= '2026-07-28' || client.label.startsWith('client 2');
    for (const uri of ['docs://files/none.md', 'docs://files/../Cargo.toml', 'docs://outlines/none.md']) {
      await assert.rejects(session.read(uri), (error) => {
        assert.ok(client.isProtocolError(error), error);
        assert.equal(error.code, isNewer ? -32602 : -32002);
        return true;
      });
    }
  });

  await test('docs_server', 'gets prompts', {}, async (session) => {
    assert.deepEqual((await session.prompts()).map(({ name }) => name), ['explain', 'summarize']);
    const { messages } = await session.prompt('explain', { page: 'start.md', question: 'How often?' });
    assert.equal(messages[0].content.resource.uri, 'docs://files/start.md');
    assert.match(messages[1].content.text, /How often\?$/);
    await assert.rejects(session.prompt('explain', {}), (error) => error.code === -32602);
    await assert.rejects(session.prompt('explain', { page: 'none.md', question: '?' }), /there is no page `none.md`/);
  });

  await test('docs_server', 'completes', {}, async (session) => {
    const prompt = await session.complete({ type: 'ref/prompt', name: 'explain' }, 'page', 'inst');
    assert.deepEqual(prompt, { values: ['guide/install.md'], total: 1, hasMore: false });
    const template = { type: 'ref/resource', uri: 'docs://outlines/{+page}' };
    assert.deepEqual((await session.complete(template, 'page', 's')).values, ['start.md', 'guide/install.md']);
  });

  await test('docs_server', 'reads again after an aborted read', {}, async (session) => {
    const stop = new AbortController();
    stop.abort('enough');
    await assert.rejects(session.read('docs://files/start.md', { signal: stop.signal }));
    assert.match((await session.read('docs://files/start.md')).contents[0].text, /^# Start/);
  });
}
