// The log of all messages on the page of `dev`.

import { expect, test } from "./dev.mjs";

test.use({ viewport: { width: 1440, height: 900 } });

const rows = (page) => page.getByRole("listbox", { name: "Messages" }).getByRole("option");
const log = (page) => page.getByRole("listbox", { name: "Messages" });

test.describe("with 100,000 messages", () => {
  test.use({ messages: 100_000 });

  test("few rows are in the document, and any can be scrolled to", async ({ dev, page, mock }) => {
    await dev.open("#messages");
    await expect(page.getByText("100,000 of 100,000")).toBeVisible();
    // It follows the end.
    await expect(page.getByRole("option", { name: /^100000, received, error/ })).toBeVisible();
    await dev.screenshot("messages");
    for (const part of [0, 0.1, 0.37, 0.5, 0.99]) {
      await log(page).evaluate((list, part) => (list.scrollTop = part * (list.scrollHeight - list.clientHeight)), part);
      const first =
        Math.floor((part * (100_000 * 26 - (await log(page).evaluate((list) => list.clientHeight)))) / 26) + 1;
      await expect(page.getByRole("option", { name: new RegExp(`^${first + 3}, `) })).toBeVisible();
      expect(await rows(page).count()).toBeLessThan(120);
      expect(await page.locator("body *").count()).toBeLessThan(1500);
    }
    expect(await rows(page).first().getAttribute("aria-setsize")).toBe("100000");
    await expect(page.getByRole("checkbox", { name: "Follow" })).not.toBeChecked();
    // New messages do not move what is read.
    const before = await log(page).evaluate((list) => list.scrollTop);
    mock.wire({ direction: "sent", kind: "ping", body: { jsonrpc: "2.0", id: 1, method: "ping" } });
    await expect(page.getByText("100,001 of 100,001")).toBeVisible();
    expect(await log(page).evaluate((list) => list.scrollTop)).toBe(before);
    await page.getByRole("button", { name: "Jump to the end" }).click();
    await expect(page.getByRole("option", { name: /^100001, sent, ping/ })).toBeVisible();
    // And it follows again.
    await expect(page.getByRole("checkbox", { name: "Follow" })).toBeChecked();
    mock.wire({ direction: "received", kind: "result", body: { jsonrpc: "2.0", id: 1, result: {} } });
    await expect(page.getByRole("option", { name: /^100002, received, result/ })).toBeVisible();
  });

  test("memory stays bounded while all of it is scrolled", async ({ dev, page }) => {
    await dev.open("#messages");
    await expect(rows(page).last()).toBeVisible();
    for (let part = 0; part <= 100; part += 1) {
      await log(page).evaluate((list, part) => (list.scrollTop = (part / 100) * list.scrollHeight), part);
      await page.waitForTimeout(10);
    }
    await expect(page.getByRole("option", { name: /^100000, / })).toBeVisible();
    expect(await page.locator("body *").count()).toBeLessThan(1500);
    const inspector = await page.context().newCDPSession(page);
    await inspector.send("HeapProfiler.collectGarbage");
    const { usedSize } = await inspector.send("Runtime.getHeapUsage");
    expect(usedSize).toBeLessThan(40_000_000);
  });

  test("filters by text, direction, kind and call", async ({ dev, page }) => {
    await dev.open("#messages");
    const filters = page.getByRole("search", { name: "Filter the messages" });
    await filters.getByRole("combobox", { name: "Kind" }).selectOption("error");
    await expect(page.getByText("100 of 100,000")).toBeVisible();
    await expect(rows(page).last()).toHaveAccessibleName(/^100000, received, error/);
    await filters.getByRole("combobox", { name: "Kind" }).selectOption("All");
    await filters.getByRole("searchbox", { name: "Text" }).fill("reply 77776");
    await expect(page.getByText("1 of 100,000")).toBeVisible();
    await expect(rows(page)).toHaveCount(1);
    await filters.getByRole("searchbox", { name: "Text" }).fill("");
    await filters.getByRole("combobox", { name: "Direction" }).selectOption("Sent");
    await expect(page.getByText("50,000 of 100,000")).toBeVisible();
    await page.goto(`${new URL(page.url()).origin}/?token=t0ken#messages?call=old-5000`);
    await expect(page.getByText("10 of 100,000")).toBeVisible();
  });

  test("a link opens a message in the middle", async ({ dev, page }) => {
    await dev.open("#messages?message=50001");
    await expect(page.getByRole("heading", { name: "Message 50001: tools/call" })).toBeVisible();
    await expect(page.getByRole("option", { name: /^50001, / })).toHaveAttribute("aria-selected", "true");
    await expect(page.getByRole("option", { name: /^50001, / })).toBeInViewport();
  });
});

test.describe("with a million messages", () => {
  test.use({ messages: 1_000_000 });

  test("the ends are reached, beyond the tallest element", async ({ dev, page }) => {
    await dev.open("#messages");
    await expect(page.getByRole("option", { name: /^1000000, / })).toBeInViewport();
    await log(page).press("Home");
    await expect(page.getByRole("option", { name: /^1, sent/ })).toBeInViewport();
    await log(page).press("End");
    await expect(page.getByRole("option", { name: /^1000000, / })).toBeInViewport();
    await dev.page.goto(`${new URL(page.url()).origin}/?token=t0ken#messages?message=654321`);
    await expect(page.getByRole("option", { name: /^654321, / })).toBeInViewport();
  });
});

test("a message is shown in full, by keyboard", async ({ dev, page }) => {
  await dev.open("#tool/transfer_money");
  await dev.form.getByRole("button", { name: "Use the example" }).click();
  const lane = await dev.call();
  await lane.getByRole("button", { name: "Messages" }).click();
  await expect(dev.tab("Messages")).toHaveAttribute("aria-selected", "true");
  await expect(rows(page)).toHaveCount(2);
  await expect(rows(page).first()).toHaveAccessibleName(/^1, sent, tools\/call/);
  await log(page).focus();
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowUp");
  await expect(rows(page).first()).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Enter");
  const detail = page.getByRole("region", { name: "Message", exact: true });
  await expect(detail).toBeFocused();
  await expect(detail.getByRole("heading", { name: "Message 1: tools/call" })).toBeVisible();
  await expect(detail.getByLabel("Text of the message")).toContainText('"cents": 1200');
  await expect(detail.getByRole("table", { name: "Headers" })).toContainText("mcp-protocol-version");
  await dev.screenshot("message");
  await detail.getByRole("button", { name: "Raw" }).click();
  await expect(detail.getByLabel("Text of the message")).toContainText('"cents":1200');
  await expect(detail.getByRole("button", { name: "Raw" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(log(page)).toBeFocused();
});

test("a message of a host has the name of its client", async ({ dev, page, mock }) => {
  mock.wire({ direction: "sent", kind: "tools/list", host: "claude-code 2.0", body: { method: "tools/list" } });
  await dev.open();
  await dev.tab("Messages").click();
  const row = page.getByRole("option", { name: "1, sent, tools/list, of claude-code 2.0" });
  await expect(row.locator(".of")).toHaveText("claude-code 2.0");
  await row.dblclick();
  await expect(page.getByRole("region", { name: "Message", exact: true })).toContainText("claude-code 2.0");
});

test("a round links to its messages, whatever the filter", async ({ dev, page }) => {
  await dev.open("#tool/find_hotel?input=%7B%22city%22%3A%22Oslo%22%7D");
  await dev.call();
  await dev.tab("Messages").click();
  await page.getByRole("combobox", { name: "Kind" }).selectOption("stderr");
  await expect(page.getByText("0 of 1", { exact: true })).toBeVisible();
  await dev.tab("Calls").click();
  await dev.lane().getByRole("button", { name: "request 1" }).click();
  await expect(page.getByRole("heading", { name: "Message 1: tools/call" })).toBeVisible();
  await expect(page.getByRole("option", { name: /^1, sent/ })).toBeInViewport();
});

test("dropped messages are counted, and the rows stay right", async ({ dev, page, mock }) => {
  for (let n = 0; n < 50; n += 1) mock.wire({ direction: "sent", kind: "ping", body: { n } });
  await dev.open("#messages");
  await expect(page.getByText("50 of 50")).toBeVisible();
  mock.log.messages.splice(0, 20);
  mock.log.dropped = 20;
  mock.wire({ direction: "sent", kind: "ping", body: { n: 51 } });
  await expect(page.getByText("31 of 31, 20 dropped")).toBeVisible();
  await log(page).press("Home");
  await expect(rows(page).first()).toHaveAccessibleName(/^21, sent/);
});

test("an answer that is older than what the stream has said does not count", async ({ dev, page, mock }) => {
  mock.begin({ request: { kind: "tool", name: "find_hotel", arguments: { city: "Oslo" } } });
  for (let n = 1; n < 50; n += 1) mock.wire({ direction: "sent", kind: "ping", body: { n } });
  // What the page reads when it has connected is complete only after this.
  let release;
  const released = new Promise((resolve) => (release = resolve));
  const asked = new Promise((resolve) => {
    void page.route("**/api/calls", async (route) => {
      resolve();
      await released;
      await route.continue();
    });
  });
  await dev.open("#messages");
  await asked;
  await expect(page.getByText("50 of 50")).toBeVisible();
  await expect(dev.lane()).not.toBeAttached();
  mock.log.messages.splice(0, 20);
  mock.log.dropped = 20;
  mock.wire({ direction: "sent", kind: "ping", body: { n: 50 } });
  await expect(page.getByText("31 of 31, 20 dropped")).toBeVisible();
  release();
  await expect(dev.lane()).toBeAttached();
  await page.getByRole("combobox", { name: "Kind" }).selectOption("stderr");
  await expect(page.getByText("0 of 31, 20 dropped")).toBeVisible();
});
