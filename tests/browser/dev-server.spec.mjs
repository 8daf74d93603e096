// The build, the server, `check`, recordings and lost connections on the page of `dev`.

import { readFileSync } from "node:fs";

import { expect, test } from "./dev.mjs";
import { FAILED_BUILD, STATE } from "./dev-items.mjs";

test.use({ viewport: { width: 1440, height: 900 } });

test("a compile error appears, is read aloud, and goes", async ({ dev, page, mock }) => {
  await dev.open();
  await expect(page.getByRole("link", { name: "Built" })).toBeVisible();
  mock.change({ build: { ...STATE.build, status: "building", number: 4 } });
  await expect(page.getByRole("link", { name: "Building…" })).toBeVisible();
  mock.change({ build: FAILED_BUILD });
  await dev.hears("The build has failed: 2 errors, 1 warning");
  await expect(page).toHaveTitle("Build failed · bank · dev");
  await page.getByRole("link", { name: "Show them" }).click();
  await expect(page.getByRole("heading", { name: "error: cannot find value `amount` in this scope" })).toBeVisible();
  await expect(page.getByText("src/main.rs:12:9", { exact: true })).toBeVisible();
  await dev.screenshot("build");
  mock.change({ build: { ...STATE.build, number: 5 }, server: { ...STATE.server, starts: 4 } });
  await expect(page.getByText("Show them")).toBeHidden();
  await dev.hears("The build has succeeded");
  await dev.hears("The server has started");
});

test("shows the output, restarts the server, and moves its clock", async ({ dev, page, mock }) => {
  await dev.open("#server");
  await expect(page.getByLabel("Output of the server")).toContainText("listening on 127.0.0.1:41234");
  await page.getByRole("button", { name: "Restart the server" }).click();
  await expect(page.getByText("Processes started").locator("..")).toContainText("4");
  await page.getByRole("button", { name: "Clock forward by an hour" }).click();
  await expect(page.getByText("1 h 0 min ahead")).toBeVisible();
  mock.change({
    server: {
      ...STATE.server,
      status: "crashed",
      reason: "exit status 101",
      retryAt: Date.now() + 3_600_000,
      output: ["thread 'main' panicked"],
    },
  });
  await expect(page.getByRole("link", { name: "Server: crashed" })).toBeVisible();
  await expect(page.getByText("exit status 101", { exact: true })).toBeVisible();
  await expect(page.getByText(/in (1 h 0|5\d) min/)).toBeVisible();
  await dev.hears("The server has crashed. exit status 101");
});

test("a new build lists the items again, and keeps what is written", async ({ dev, page, mock }) => {
  await dev.open("#tool/transfer_money");
  await dev.form.getByRole("textbox", { name: "To" }).fill("DE-9");
  await dev.form.getByRole("textbox", { name: "Cents" }).focus();
  mock.items.tools.push({
    name: "brand_new",
    description: "New.",
    inputSchema: { type: "object", properties: {} },
    tokens: 3,
  });
  mock.change({ server: { ...STATE.server, starts: 4 } });
  await expect(page.getByRole("link", { name: "brand_new" })).toBeVisible();
  await expect(dev.form.getByRole("textbox", { name: "To" })).toHaveValue("DE-9");
  await expect(dev.form.getByRole("textbox", { name: "Cents" })).toBeFocused();
  mock.items.tools.pop();
  mock.emit({ type: "items_changed" });
  await expect(page.getByRole("link", { name: "brand_new" })).toHaveCount(0);

  // A schema that has changed is drawn anew, with what was written.
  mock.items.tools[0].inputSchema.properties.currency = { type: "string" };
  mock.emit({ type: "items_changed" });
  await expect(dev.form.getByRole("textbox", { name: "Currency" })).toBeVisible();
  await expect(dev.form.getByRole("textbox", { name: "To" })).toHaveValue("DE-9");
});

test("shows the findings of check, and the tokens by tool", async ({ dev, page }) => {
  await dev.open();
  await dev.tab("Check").click();
  await expect(page.getByRole("table", { name: "Findings" }).getByRole("row").nth(1)).toContainText(
    "errorroot-is-objectstrange",
  );
  await expect(page.getByText("The list of tools needs about 1,290 tokens of a model's context.")).toBeVisible();
  await expect(page.getByRole("table", { name: "Tokens by tool" }).getByRole("row").nth(1)).toContainText(
    "draw_shape420",
  );
  await dev.screenshot("check");
});

test("saves a recording", async ({ dev, page }) => {
  await dev.open();
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save a recording" }).click();
  const download = await saved;
  expect(download.suggestedFilename()).toMatch(/^bank-.*\.mcp-dev\.jsonl$/);
  expect(readFileSync(await download.path(), "utf8")).toBe('{"version":1}\n');
});

test("in a recording, nothing is offered that needs a server", async ({ dev, page, mock }) => {
  mock.begin({ request: { kind: "tool", name: "transfer_money", arguments: { to: "DE-1", cents: 5 } } });
  mock.state.source = { kind: "recording", file: "bug.mcp-dev.jsonl" };
  mock.state.abilities = { faults: [], processes: false, records: false, transports: [], tokens: false, model: null };
  mock.state.build = { status: "none", number: 0, diagnostics: [] };
  await dev.open("#tool/transfer_money");
  await expect(page.getByText("recorded in bug.mcp-dev.jsonl")).toBeVisible();
  await expect(dev.lane()).toContainText("Send 5 cents to DE-1?");
  for (const name of [
    "Call",
    "Cancel",
    "Call again",
    "State and record",
    "Save a recording",
    "Submit",
    "Restart the server",
  ]) {
    await expect(page.getByRole("button", { name, exact: true })).toHaveCount(0);
  }
  await expect(page.getByRole("tab")).toHaveText(["Calls", "Messages"]);
  await expect(page.getByRole("form", { name: "Client" })).toBeHidden();
  await dev.tab("Messages").click();
  await expect(page.getByRole("option", { name: /^1, sent, tools\/call/ })).toBeVisible();
});

test("attached to a URL, nothing is offered that needs its process", async ({ dev, page, mock }) => {
  mock.state.source = { kind: "url", url: "https://mcp.example.com/mcp" };
  mock.state.abilities = {
    faults: ["lose_reply", "other_revision"],
    processes: false,
    records: false,
    transports: ["http"],
    tokens: false,
    model: null,
  };
  mock.state.build = { status: "none", number: 0, diagnostics: [] };
  await dev.open("#tool/transfer_money");
  await expect(page.getByText("at https://mcp.example.com/mcp")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Principal" })).toHaveCount(0);
  await expect(page.getByRole("combobox", { name: "Instance" })).toHaveCount(0);
  await dev.form.getByRole("button", { name: "Use the example" }).click();
  const lane = await dev.call();
  await lane.getByText("Faults: break this call").click();
  await expect(lane.locator(".fault-button")).toHaveText(["Lose the next reply", "Again in the other era"]);
  await expect(lane.getByRole("button", { name: "State and record" })).toHaveCount(0);
  await expect(lane.getByRole("button", { name: "Again in", exact: true })).toBeVisible();
});

test("a lost connection is said, and nothing is missed", async ({ dev, page, mock }) => {
  await dev.open();
  const call = mock.begin({ request: { kind: "tool", name: "transfer_money", arguments: { to: "DE-1", cents: 5 } } });
  const lane = dev.lane();
  await expect(lane.getByRole("button", { name: "Submit" })).toBeVisible();
  mock.lose();
  await expect(page.getByText("The connection is lost. Trying again…")).toBeVisible();
  await dev.screenshot("connection-lost");
  // What happens meanwhile.
  call.answer({ seq: 1, action: "accept", content: { confirmed: true } });
  const other = mock.begin({ request: { kind: "tool", name: "ask_twice", arguments: {} } });
  mock.change({ build: FAILED_BUILD });
  await page.waitForTimeout(600);
  mock.back();
  await expect(page.getByText("The connection is lost. Trying again…")).toBeHidden();
  expect(mock.resumedFrom).toMatch(/^\d+$/);
  await expect(page.locator(".lane")).toHaveCount(2);
  await expect(page.locator(".lane").last().getByText("Done", { exact: true })).toBeVisible();
  await expect(
    page
      .locator(".lane")
      .last()
      .getByRole("heading", { name: /^Round/ }),
  ).toHaveText(["Round 1", "Round 2"]);
  await expect(
    page
      .locator(".lane")
      .last()
      .getByText(/^answered by hand/),
  ).toHaveCount(1);
  await expect(page.getByText("Build failed: 2 errors, 1 warning")).toBeVisible();
  await expect(dev.lane().locator(".question")).toHaveCount(2);
  other.cancel();
});

test("what the stream has forgotten is read again", async ({ dev, page, mock }) => {
  await dev.open();
  const call = mock.begin({ request: { kind: "tool", name: "transfer_money", arguments: { to: "DE-1", cents: 5 } } });
  await expect(dev.lane().getByRole("button", { name: "Submit" })).toBeVisible();
  mock.lose();
  await expect(page.getByText("The connection is lost. Trying again…")).toBeVisible();
  call.answer({ seq: 1, action: "accept", content: { confirmed: true } });
  await expect.poll(() => call.status).toBe("finished");
  mock.forget();
  mock.back();
  await expect(dev.lane().getByText("Done", { exact: true })).toBeVisible();
  await expect(dev.lane().getByText("answered by hand Send it: true")).toBeVisible();
  await expect(dev.lane().locator(".question")).toHaveCount(0);
});

test("a wrong token is said", async ({ page, mock }) => {
  await page.goto(mock.url);
  await page.evaluate(() => history.replaceState(null, "", "/?token=wrong"));
  await page.route("**/?token=wrong", async (route) =>
    route.fulfill({ contentType: "text/html", body: await (await fetch(mock.url)).text() }),
  );
  await page.reload();
  await expect(page.getByRole("alert")).toHaveText(/the token is missing or wrong\. Open the address that it prints\./);
});
