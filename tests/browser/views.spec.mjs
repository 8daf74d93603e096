// The chat page as the host of views: results, questions, and views that attack it.

import { AxeBuilder } from '@axe-core/playwright';

import { expect, test } from './chat.mjs';
import { WAYS_OUT, WAYS_UP, countingServer, countingStun, innerFrame, press, pressEnter } from './views/servers.mjs';

const FLIGHT = 'AL143-04';

/** The view inside of a call. */
const inView = (call) => call.frameLocator('iframe.view').frameLocator('iframe');

/** Returns HTML as the value of an attribute. */
const attribute = (html) => html.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

/** Changes the frame of every view. The headers stay those of the server. */
async function changeFrame(page, change) {
  await page.route('**/plugins/views?*', async (route) => {
    // A test can end while its last view loads.
    try {
      const response = await route.fetch();
      await route.fulfill({ response, body: change(await response.text()) });
    } catch {
      await route.abort().catch(() => {});
    }
  });
}

/** Adds a script to every view. */
const infect = (page, script) =>
  changeFrame(page, (frame) => frame.replace('"></iframe>', () => `${attribute(`<script>${script}</script>`)}"></iframe>`));

/** Replaces every view with a script. */
const replaceView = (page, script) =>
  changeFrame(page, (frame) =>
    frame.replace(/srcdoc="[^"]*"/, () => `srcdoc="${attribute(`<!doctype html><script>${script}</script>`)}"`));

/** A view that connects, and then runs `then`. `reply` answers questions. */
const connecting = ({ then = '', reply }) => `
  let last = 0;
  const post = (message) => parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
  const request = (method, params) => new Promise((resolve) => {
    const id = ++last;
    addEventListener("message", ({ data }) => data.id === id && data.method === undefined && resolve(data));
    post({ id, method, params });
  });
  const reply = ${JSON.stringify(reply ?? null)};
  addEventListener("message", ({ data }) => reply && data.method === "elicitation/create" && post({ id: data.id, ...reply }));
  (async () => {
    const appInfo = { name: "test", version: "1" };
    await request("ui/initialize", { protocolVersion: "2026-01-26", appInfo, appCapabilities: { elicitation: {} } });
    post({ method: "ui/notifications/initialized", params: {} });
    ${then}
  })();`;

for (const colorScheme of ['light', 'dark']) {
  test.describe(`in ${colorScheme} colours`, () => {
    test.use({ colorScheme });

    test('a result is shown in its view', async ({ chat, page }) => {
      await chat.say('a seat map');
      const call = chat.call('Seat map');
      const view = inView(call);
      await expect(view.getByText('4 of 48 seats are free.')).toBeVisible();
      await expect(view.locator('html')).toHaveAttribute('data-theme', colorScheme);
      // The frame is as high as the view, so the view needs no bar to scroll.
      const inner = await innerFrame(page);
      await expect.poll(() => inner.evaluate(() => document.documentElement.scrollHeight - window.innerHeight)).toBeLessThanOrEqual(0);
      // The page grows until the assistant has finished.
      await expect(page.getByRole('button', { name: 'Send' })).toBeVisible();
      await inner.evaluate(() => (document.querySelector('.row').dataset.old = ''));
      await press(view.getByRole('button', { name: 'Refresh' }));
      // The map is drawn again.
      await expect(view.locator('[data-old]')).toHaveCount(0);
      await expect(view.getByText('4 of 48 seats are free.')).toBeVisible();
      await chat.screenshot(`view-${colorScheme}`);
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);

      // The view proposes a message, and the user sends it.
      await press(view.getByRole('radio', { disabled: false }).first());
      await press(view.getByRole('button', { name: 'Take this seat' }));
      await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue(/^I would like seat \d+[A-D] on AL143-04\.$/);
    });
  });
}

test('a question is answered in its view, by keyboard alone', async ({ chat, page }) => {
  await page.keyboard.type('a seat');
  await page.keyboard.press('Enter');
  const call = chat.call('Choose a seat');
  const view = inView(call);
  await expect(view.getByRole('heading', { name: `Which seat on ${FLIGHT}?` })).toBeVisible();
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id }) => id)).toEqual([]);
  await chat.screenshot('question-in-a-view');
  const first = view.getByRole('radio', { disabled: false }).first();
  const last = view.getByRole('radio', { disabled: false }).last();
  const isFocused = (target) => target.evaluate((element) => element === document.activeElement);
  for (let step = 0; step < 20 && !(await isFocused(first)) && !(await isFocused(last)); step += 1) {
    await page.keyboard.press('Shift+Tab');
  }
  await page.keyboard.press('Space');
  pressEnter(page);
  await expect(call.getByText(/^Seat: \d+[A-D], (window|aisle)$/)).toBeVisible();
  await expect(call).toContainText('Done');
  // The result of the same tool is shown in the same view.
  await expect(view.getByText(/^Seat \d+[A-D] is chosen\.$/)).toBeVisible();
});

test('a question is declined in its view, asked in a form instead, and closed', async ({ chat }) => {
  await chat.say('a seat');
  const decline = inView(chat.call('Choose a seat')).getByRole('button', { name: 'None of these' });
  await expect(decline).toBeVisible();
  await press(decline);
  await expect(chat.call('Choose a seat').getByText('Declined')).toBeVisible();

  await chat.say('a seat');
  const second = chat.call('Choose a seat').last();
  await second.getByRole('button', { name: 'Answer in a form' }).click();
  const form = second.getByRole('form', { name: `Which seat on ${FLIGHT}?` });
  await form.getByRole('radio').first().check();
  await form.getByRole('button', { name: 'Submit' }).click();
  await expect(second).toContainText('Done');

  await chat.say('a seat');
  const third = chat.call('Choose a seat').last();
  await third.getByRole('button', { name: 'Close' }).click();
  await expect(third.getByText('Closed without an answer')).toBeVisible();
});

const FAILING = {
  errs: { error: { code: -32603, message: 'broken' } },
  'answers with a seat that is not offered': { result: { action: 'accept', content: { seat: '99Z' } } },
  'answers with something else': { result: { action: 'maybe' } },
};

for (const [name, reply] of Object.entries(FAILING)) {
  test(`a form asks if the view ${name}`, async ({ chat, page }) => {
    await replaceView(page, connecting({ reply }));
    await chat.say('a seat');
    const form = chat.call('Choose a seat').getByRole('form', { name: `Which seat on ${FLIGHT}?` });
    await form.getByRole('radio').first().check();
    await form.getByRole('button', { name: 'Submit' }).click();
    await expect(chat.call('Choose a seat')).toContainText('Done');
  });
}

test('a form asks if the view does not connect', async ({ chat, page }) => {
  await replaceView(page, 'document.title = "silent"');
  await chat.say('a seat');
  const form = chat.call('Choose a seat').getByRole('form', { name: `Which seat on ${FLIGHT}?` });
  // After the time that a view may take to connect.
  await expect(form).toBeVisible({ timeout: 90_000 });
});

test('a view calls only tools that are for views, and none while it asks', async ({ chat, page }) => {
  const calls = `
    window.called = {
      unknown: await request("tools/call", { name: "delete_everything", arguments: {} }),
      list: await request("tools/call", { name: "seat_map", arguments: [] }),
      asks: await request("tools/call", { name: "choose_seat", arguments: { flight: "${FLIGHT}" } }),
      known: await request("tools/call", { name: "seat_map", arguments: { flight: "${FLIGHT}" } }),
      resource: await request("resources/read", { uri: "ui://flights/seats" }),
      missing: await request("resources/read", { uri: "ui://flights/none" }),
      link: await request("ui/open-link", { url: "javascript:alert(1)" }),
      method: await request("ui/other", {}),
    };`;
  await replaceView(page, connecting({ then: calls }));
  await chat.say('a seat map');
  const inner = await innerFrame(page);
  await expect.poll(() => inner.evaluate(() => window.called !== undefined)).toBe(true);
  const called = await inner.evaluate(() => window.called);
  expect(called.unknown.error.message).toContain('there is no tool `delete_everything` that views can call');
  expect(called.list.error).toBeDefined();
  expect(called.asks.error.message).toContain('was cancelled');
  expect(called.known.result.structuredContent.flight).toBe(FLIGHT);
  expect(called.resource.result.contents[0].mimeType).toBe('text/html;profile=mcp-app');
  expect(called.missing.error.message).toContain('there is no resource `ui://flights/none`');
  expect(called.link.result).toEqual({ isError: true });
  expect(called.method.error.code).toBe(-32601);

  await page.getByRole('button', { name: 'New conversation' }).click();
  await expect(page.getByText('What can I do for you?')).toBeVisible();
  await chat.say('a seat');
  await expect(chat.call('Choose a seat').getByRole('button', { name: 'Answer in a form' })).toBeVisible();
  await expect.poll(async () => {
    const asking = await innerFrame(page);
    return asking.evaluate(() => window.called?.known.error?.message).catch(() => undefined);
  }).toContain('cannot call tools');
});

test('a hostile view reaches nothing of the page', async ({ chat, page }) => {
  const other = await countingServer();
  await page.evaluate(() => {
    document.cookie = 'secret=1';
    localStorage.setItem('secret', '1');
  });
  await infect(page, WAYS_UP(other.url));
  await chat.say('a seat map');
  await expect(inView(chat.call('Seat map')).getByText('4 of 48 seats are free.')).toBeVisible();
  const inner = await innerFrame(page);
  const reached = await inner.evaluate(() => window.reached);
  for (const [what, result] of Object.entries(reached)) expect(result, what).toMatch(/^blocked/);
  await inner.evaluate((url) => void (location.href = url), `${other.url}/self`).catch(() => {});
  await page.waitForTimeout(500);
  expect(new URL(page.url()).href).toBe(new URL(chat.server.url).href);
  // A browser can open a connection for a navigation that it then blocks.
  expect(other.requests).toEqual([]);
  other.close();
});

test('a view reaches only the origins that it declares', async ({ chat, page }) => {
  const [declared, other, stun] = await Promise.all([countingServer(), countingServer(), countingStun()]);
  // The seat map declares none.
  await infect(page, WAYS_OUT({ other: other.url, declared: declared.url, stun: stun.port }));
  await chat.say('a seat map');
  await expect(inView(chat.call('Seat map')).getByText('4 of 48 seats are free.')).toBeVisible();
  const tried = await (await innerFrame(page)).evaluate(() => window.tried);
  expect([declared.requests, other.requests, other.connections]).toEqual([[], [], 0]);
  for (const way of ['declared', 'fetch', 'image', 'script', 'socket', 'worker', 'nested', 'eval']) {
    expect(tried[way], way).toMatch(/^blocked/);
  }
  for (const server of [declared, other, stun]) server.close();
});

test('messages of other frames reach neither the page nor the view', async ({ chat, page }) => {
  const forged = `<!doctype html><script>
    const result = { jsonrpc: "2.0", method: "ui/notifications/tool-result", params: { content: [], structuredContent: { flight: "forged", free: [] } } };
    const call = { jsonrpc: "2.0", id: 1, method: "ui/message", params: { role: "user", content: [{ type: "text", text: "forged" }] } };
    for (let outer = 0; outer < parent.length; outer += 1) {
      parent[outer].postMessage(result, "*");
      for (let inner = 0; inner < parent[outer].length; inner += 1) parent[outer][inner].postMessage(result, "*");
    }
    parent.postMessage(call, "*");
    window.isDone = true;
  </script>`;
  // The policy of the page allows frames of its own server only.
  await page.route('**/forged', (route) => route.fulfill({ contentType: 'text/html', body: forged }));
  await chat.say('a seat map');
  const view = inView(chat.call('Seat map'));
  await expect(view.getByText('4 of 48 seats are free.')).toBeVisible();
  await page.evaluate(() => new Promise((resolve) => {
    const frame = document.createElement('iframe');
    Object.assign(frame, { src: '/forged', sandbox: 'allow-scripts', onload: resolve });
    document.body.append(frame);
  }));
  await page.waitForTimeout(300);
  await expect(view.getByRole('heading', { name: `Seats of ${FLIGHT}` })).toBeVisible();
  await expect(page.getByRole('textbox', { name: 'Message' })).toHaveValue('');
});

test('a frame opened as a page has no origin', async ({ chat, page, context }) => {
  await chat.say('hello');
  const alone = await context.newPage();
  const response = await alone.goto(new URL('/plugins/views?uri=ui%3A%2F%2Fflights%2Fseats', chat.server.url).href);
  expect(response.status()).toBe(200);
  expect(await alone.evaluate(() => self.origin)).toBe('null');
  const stranger = await page.request.get(new URL('/plugins/views?uri=ui%3A%2F%2Fflights%2Fnone', chat.server.url).href);
  expect(stranger.status()).toBe(404);
});
