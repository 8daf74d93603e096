// Views in the official host: `AppBridge` with the official client, and the examples `flights` and `pipelines` as
// servers.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

import { expect, test } from '@playwright/test';

import { WAYS_OUT, WAYS_UP, countingServer, countingStun, innerFrame, press, pressEnter, startExample, startHost } from './views/servers.mjs';

const FLIGHT = 'AL143-04';

let flights;
let host;

test.beforeAll(async () => {
  flights = await startExample('flights');
  host = await startHost(flights);
});

test.afterAll(() => {
  host.close();
  flights.close();
});

const inView = (page) => page.frameLocator('#view').frameLocator('iframe');

async function connected(page, options) {
  const problems = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  await page.goto(host.url);
  await page.evaluate((options) => window.connect(options), options);
  return problems;
}

const showMap = (page, more = {}) =>
  page.evaluate((shown) => window.showTool(shown), { name: 'seat_map', args: { flight: FLIGHT }, ...more });

test('a view gets its input and its result, calls a tool by keyboard, and ends', async ({ page }) => {
  const problems = await connected(page);
  expect(await showMap(page)).toEqual({ name: 'seats', version: '1.0.0' });
  const view = inView(page);
  await expect(view.getByRole('heading', { name: `Seats of ${FLIGHT}` })).toBeVisible();
  await expect(view.getByText('4 of 48 seats are free.')).toBeVisible();
  await expect(view.getByRole('radio', { disabled: false })).toHaveCount(4);

  const inner = await innerFrame(page);
  await inner.evaluate(() => (document.querySelector('.row').dataset.old = ''));
  await view.getByRole('button', { name: 'Refresh' }).focus();
  const before = await page.evaluate(() => window.wire.length);
  await page.keyboard.press('Enter');
  const called = () => page.evaluate((from) => window.wire.slice(from).find(({ method }) => method === 'tools/call'), before);
  await expect.poll(called).toMatchObject({ params: { name: 'seat_map', arguments: { flight: FLIGHT } } });
  // The map is drawn again, so the host has answered.
  await expect(view.locator('[data-old]')).toHaveCount(0);
  await expect(view.getByText('4 of 48 seats are free.')).toBeVisible();

  await expect.poll(() => page.evaluate(() => window.sizes.at(-1)?.height)).toBeGreaterThan(300);
  await page.evaluate(() => window.closeView());
  const wire = await page.evaluate(() => window.wire);
  // The first request of the host has the id 0.
  const end = wire.find(({ method }) => method === 'ui/resource-teardown');
  expect(end.id).toBe(0);
  expect(wire.at(-1)).toMatchObject({ from: 'view', id: 0, result: {} });
  const methods = wire.map(({ method }) => method).filter(Boolean);
  expect(methods.indexOf('ui/notifications/tool-input')).toBeGreaterThan(methods.indexOf('ui/notifications/initialized'));
  expect(problems).toEqual([]);
});

test('a view proposes a message, and shows what the host refuses', async ({ page }) => {
  await connected(page);
  await showMap(page);
  await page.evaluate(() => {
    window.said = [];
    window.bridge.onmessage = async ({ content }) => {
      window.said.push(content);
      return window.said.length > 1 ? { isError: true } : {};
    };
  });
  const view = inView(page);
  await press(view.getByRole('radio', { disabled: false }).first());
  await press(view.getByRole('button', { name: 'Take this seat' }));
  await expect.poll(() => page.evaluate(() => window.said[0]?.[0].text)).toMatch(/^I would like seat \d+[A-D] on AL143-04\.$/);
  await press(view.getByRole('button', { name: 'Take this seat' }));
  await expect(view.getByText('the host refused `ui/message`')).toBeVisible();
});

for (const [era, mode] of [['since 2026-07-28', { pin: '2026-07-28' }], ['in a session', 'legacy']]) {
  test(`a question is answered by its view, and in a form with the same result, ${era}`, async ({ page, context }) => {
    await connected(page, { mode });
    const call = (page) => page.evaluate((flight) => window.callTool('choose_seat', { flight }), FLIGHT);
    const shown = call(page);
    const view = inView(page);
    await expect(view.getByRole('heading', { name: `Which seat on ${FLIGHT}?` })).toBeVisible();
    await view.getByRole('radio', { disabled: false }).first().focus();
    await page.keyboard.press('ArrowDown');
    pressEnter(page);
    const byView = await shown;
    const { chosen } = byView.structuredContent;
    expect(byView.structuredContent.free).toContain(chosen);
    const [question] = await page.evaluate(() => window.questions);
    expect(question._meta.ui).toEqual({ resourceUri: 'ui://flights/seats' });

    const declined = call(page);
    await expect(view.getByRole('button', { name: 'None of these' })).toBeVisible();
    await press(view.getByRole('button', { name: 'None of these' }));
    expect((await declined).structuredContent.chosen).toBeUndefined();

    // A client without views gets the flat form, with the same message and schema.
    const other = await context.newPage();
    const answer = { action: 'accept', content: { seat: chosen } };
    await connected(other, { mode, views: false, answer });
    const byForm = await call(other);
    expect(JSON.stringify(byForm)).toBe(JSON.stringify(byView));
    const [flat] = await other.evaluate(() => window.questions);
    expect(flat._meta?.ui).toBeUndefined();
    expect([flat.message, flat.requestedSchema]).toEqual([question.message, question.requestedSchema]);
  });
}

test('a view reaches only the origins that it declares', async ({ page }) => {
  const [declared, other, stun] = await Promise.all([countingServer(), countingServer(), countingStun()]);
  await connected(page);
  const script = WAYS_OUT({ other: other.url, declared: declared.url, stun: stun.port });
  await showMap(page, { html: `<!-- view --><script>${script}</script>`, csp: { connectDomains: [declared.url] } });
  const tried = await (await innerFrame(page)).evaluate(() => window.tried);
  expect(declared.requests).toEqual(['/declared']);
  // A beacon says `true` although it is blocked, so the server decides.
  expect([other.requests, other.connections]).toEqual([[], 0]);
  for (const way of ['fetch', 'image', 'script', 'socket', 'worker', 'nested', 'eval']) expect(tried[way], way).toMatch(/^blocked/);
  expect(tried.violations).toContain('connect-src');
  // No policy stops WebRTC: the guide says so. This line fails when a browser closes the hole.
  await expect.poll(() => stun.packets).toBeGreaterThan(0);
  for (const server of [declared, other, stun]) server.close();
});

test('a hostile view reaches nothing of its host', async ({ page }) => {
  const other = await countingServer();
  await connected(page);
  await page.evaluate(() => {
    document.cookie = 'session=secret';
    localStorage.setItem('key', 'secret');
  });
  await showMap(page, { html: `<!-- view --><script>${WAYS_UP(other.url)}</script>` });
  const inner = await innerFrame(page);
  const reached = await inner.evaluate(() => window.reached);
  for (const [what, result] of Object.entries(reached)) expect(result, what).toMatch(/^blocked/);
  await inner.evaluate((url) => void (location.href = url), `${other.url}/self`).catch(() => {});
  await page.waitForTimeout(500);
  expect(page.url()).toBe(host.url);
  // A browser can open a connection for a navigation that it then blocks.
  expect(other.requests).toEqual([]);
  other.close();
});

/** Runs axe in the view, in both themes. An evaluated script runs whatever the policy says. */
async function findings(page) {
  const inner = await innerFrame(page);
  await inner.evaluate(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
  const found = [];
  for (const theme of ['dark', 'light']) {
    await page.evaluate((theme) => window.bridge.sendHostContextChange({ theme }), theme);
    await expect.poll(() => inner.evaluate(() => document.documentElement.dataset.theme)).toBe(theme);
    const { violations } = await inner.evaluate(() => window.axe.run());
    found.push(...violations.map(({ id, nodes }) => `${theme} ${id}: ${nodes.map(({ html }) => html).join(' ')}`));
  }
  return found;
}

test('axe finds nothing in the seat map', async ({ page }) => {
  await connected(page);
  await showMap(page);
  await expect(inView(page).getByText('4 of 48 seats are free.')).toBeVisible();
  expect(await findings(page)).toEqual([]);
});

test('a chart shows a run, and refreshes itself with a tool that only views call', async ({ page }) => {
  const data = fileURLToPath(new URL('../../examples/pipelines/data', import.meta.url));
  const pipelines = await startExample('pipelines', ['--data', data]);
  const own = await startHost(pipelines);
  try {
    await page.goto(own.url);
    await page.evaluate(() => window.connect());
    const args = { action: 'run', params: { name: 'product_sales', inputs: { product: 'tea' }, wait: true } };
    await page.evaluate((args) => window.showTool({ name: 'pipelines', args }), args);
    const view = inView(page);
    await expect(view.getByRole('heading', { name: 'product_sales' })).toBeVisible();
    await expect(view.getByRole('row')).toHaveCount(3);
    await expect(view.getByRole('row', { name: 'tea-black 56' })).toBeVisible();
    const calls = () => page.evaluate(() => window.wire.filter(({ method }) => method === 'tools/call').map(({ params }) => params));
    await expect.poll(async () => (await calls())[0]).toMatchObject({ name: 'chart_rows', arguments: { name: 'product_sales' } });
    await press(view.getByRole('checkbox', { name: 'Refresh every 10 seconds', checked: true }));
    const before = (await calls()).length;
    await press(view.getByRole('button', { name: 'Refresh' }));
    await expect.poll(async () => (await calls()).length).toBeGreaterThan(before);
    await expect(view.getByText('2 rows.')).toBeVisible();
    expect(await findings(page)).toEqual([]);
  } finally {
    own.close();
    pipelines.close();
  }
});
