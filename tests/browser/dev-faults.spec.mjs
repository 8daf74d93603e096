// Faults, what they have done, and what is behind a call.

import { expect, test } from "./dev.mjs";

test.use({ viewport: { width: 1440, height: 1000 } });

async function open(dev) {
  await dev.open("#tool/transfer_money");
  await dev.form.getByRole("button", { name: "Use the example" }).click();
  return dev.call();
}

async function send(lane) {
  await lane.getByRole("checkbox", { name: "Send it" }).check();
  await lane.getByRole("button", { name: "Submit" }).click();
}

test("a fault is armed, happens, and has a finding", async ({ dev }) => {
  const lane = await open(dev);
  await lane.getByText("Faults: break this call").click();
  const button = lane.getByRole("button", { name: "Lose the next reply" });
  await expect(button).toHaveAccessibleDescription("The next reply is lost, and the client sends its request again.");
  await expect(button).toHaveAttribute("aria-pressed", "false");
  await button.click();
  await expect(button).toHaveAttribute("aria-pressed", "true");
  await expect(lane.getByText("Armed: Lose the next reply")).toBeVisible();
  await dev.screenshot("faults");
  await send(lane);
  await expect(lane.getByText("Fault: Lose the next reply")).toBeVisible();
  await expect(lane.getByRole("heading", { name: "Round 1 again" })).toBeVisible();
  await expect(
    lane.getByText(
      "As promised (Lose the next reply): The server answered with the recorded reply. before ran once, after ran once.",
    ),
  ).toBeVisible();
  await expect(lane.getByText("Armed:")).toBeHidden();
  await dev.screenshot("finding");
});

test("a fault that is armed is taken back", async ({ dev, mock }) => {
  const lane = await open(dev);
  await lane.getByText("Faults: break this call").click();
  const button = lane.getByRole("button", { name: "Lose the next reply" });
  await button.press("Enter");
  await expect(button).toHaveAttribute("aria-pressed", "true");
  await dev.hears("Press it again to take it back.");
  await button.press("Enter");
  await expect(button).toHaveAttribute("aria-pressed", "false");
  await expect(button).toBeFocused();
  await expect(lane.getByText("Armed:")).toBeHidden();
  expect(mock.requests.at(-1).route).toBe("DELETE /api/calls/call-1/faults");
  await send(lane);
  await expect(lane.getByText("Done", { exact: true })).toBeVisible();
  await expect(lane.getByText("Fault: Lose the next reply")).toHaveCount(0);
});

test("a promise that is not kept is said in words", async ({ dev }) => {
  const lane = await open(dev);
  await lane.getByText("Faults: break this call").click();
  const button = lane.getByRole("button", { name: "Send the next request twice" });
  await button.click();
  await expect(button).toHaveAttribute("aria-pressed", "true");
  await send(lane);
  await expect(
    lane.getByText("Not as promised (Send the next request twice): transfer_money ran twice."),
  ).toBeVisible();
  await dev.hears("Not as promised: `transfer_money` ran twice.");
});

test("each fault that the command offers can be injected", async ({ dev, page, mock }) => {
  await open(dev);
  const lane = page.locator(".lane").last();
  await lane.getByText("Faults: break this call").click();
  const offered = mock.state.abilities.faults.filter((fault) => fault !== "cancel");
  await expect(lane.locator(".fault-button")).toHaveCount(offered.length);
  const injected = () =>
    mock.requests.filter(({ route }) => route === "POST /api/calls/call-1/faults").map(({ body }) => body.fault);
  for (const [index, name] of (await lane.locator(".fault-button > span:first-child").allTextContents()).entries()) {
    await lane.getByRole("button", { name }).click();
    await expect.poll(() => injected().length).toBe(index + 1);
  }
  expect(injected().toSorted()).toEqual(offered.toSorted());
});

test("a call begins with a fault", async ({ dev }) => {
  await dev.open("#tool/find_hotel?input=%7B%22city%22%3A%22Oslo%22%7D");
  await dev.form.getByRole("combobox", { name: "With" }).selectOption("Lose the next reply");
  const lane = await dev.call();
  expect(dev.last("POST /api/calls").fault).toBe("lose_reply");
  await expect(lane.getByText(/As promised/)).toBeVisible();
  await expect(dev.form.getByRole("combobox", { name: "With" })).toHaveValue("");
});

test("the same call again, by other clients", async ({ dev, page, mock }) => {
  const lane = await open(dev);
  const first = page.locator(".lane").last();
  await lane.getByRole("combobox", { name: "Another revision" }).selectOption("2025-03-26");
  await lane.getByRole("button", { name: "Again in" }).first().click();
  await expect(page.locator(".lane")).toHaveCount(2);
  expect(dev.last("POST /api/calls")).toMatchObject({
    setup: { revision: "2025-03-26" },
    request: { arguments: { to: "DE-77" } },
  });
  await first.getByRole("button", { name: "Call again" }).click();
  await expect(page.locator(".lane")).toHaveCount(3);
  expect(mock.calls[2].setup.revision).toBe("2026-07-28");
  await first.getByText("Faults: break this call").click();
  await first.getByRole("button", { name: "Again without elicitation" }).click();
  await expect(page.locator(".lane")).toHaveCount(4);
  expect(mock.calls[3].setup.capabilities).toMatchObject({ elicitation: false, sampling: true });
  await expect(
    first.getByText("Fault: Again without elicitation: another client makes the same call: call-4"),
  ).toBeVisible();
  // What is not possible is not offered: this client has no elicitation already.
  await expect(page.locator(".lane").first().getByRole("button", { name: "Again without elicitation" })).toHaveCount(0);
  // After the end only new calls can be made.
  await send(first);
  await expect(first.getByText("Done", { exact: true })).toBeVisible();
  await expect(first.locator(".fault-button").filter({ visible: true })).toHaveText([
    "Again in the other era",
    "Again without elicitation",
    "Again without sampling",
  ]);
});

test("a session is offered no fault that needs a state", async ({ dev, page }) => {
  await dev.open("#tool/waits");
  await page.getByRole("combobox", { name: "Revision", exact: true }).selectOption("2025-06-18");
  const lane = await dev.call();
  await lane.getByText("Faults: break this call").click();
  await expect(lane.getByRole("button", { name: "Lose the next reply" })).toBeVisible();
  for (const name of ["Answer late", "Answer a spent state", "Use the other instance"]) {
    await expect(lane.getByRole("button", { name })).toHaveCount(0);
  }
});

test("opens the state and the record", async ({ dev }) => {
  const lane = await open(dev);
  await lane.getByRole("button", { name: "State and record" }).click();
  const panel = lane.getByRole("group", { name: "State and record" });
  await expect(panel.getByText("sealed, opened with the keys of this session")).toBeVisible();
  await expect(panel.getByText("812 B")).toBeVisible();
  await expect(panel.getByText(/in 1[0-5] min \d+ s/)).toBeVisible();
  await expect(panel.getByText("running: an instance has leased the round")).toBeVisible();
  await expect(panel.getByText(/first, ends in [12]\d min \d+ s/)).toBeVisible();
  const before = await panel.locator("time").first().textContent();
  await expect(panel.locator("time").first()).not.toHaveText(before);
  await expect(panel.getByLabel("Journal", { exact: true })).toContainText('"owner": "Ada"');
  await expect(panel.getByRole("table", { name: "What has run" })).toContainText("client2 times");
  await dev.screenshot("record");
});

test("shows spans as a time line and as a table, and metrics", async ({ dev }) => {
  const lane = await open(dev);
  await lane.getByRole("button", { name: "Spans and metrics" }).click();
  await expect(lane.getByRole("table", { name: "Spans" }).getByRole("row")).toHaveCount(3);
  await expect(lane.getByRole("table", { name: "Spans" })).toContainText("13 mstool=transfer_money");
  await expect(lane.getByRole("table", { name: "Metrics" })).toContainText("mcp.calls");
  expect((await lane.locator(".bar").first().boundingBox()).width).toBeGreaterThan(20);
  await dev.screenshot("spans");
});

test("gives the command of an input that was not called yet, and follows the input", async ({ dev, page }) => {
  const answers = [{ key: "confirm", action: "decline" }];
  await dev.open(`#tool/transfer_money?answers=${encodeURIComponent(JSON.stringify(answers))}`);
  await dev.form.getByRole("button", { name: "Use the example" }).click();
  expect(dev.last("POST /api/commands")).toBeUndefined();
  await dev.form.locator("summary").filter({ hasText: "As a command" }).press("Enter");
  const command = dev.form.getByRole("group", { name: "As a command" });
  await expect(command).toHaveText("bank call transfer_money --to 'DE-77' --answer confirm");
  await dev.form.getByRole("textbox", { name: "To", exact: true }).fill("FI-21");
  await expect(command).toHaveText("bank call transfer_money --to 'FI-21' --answer confirm");
  await expect(dev.form.getByRole("group", { name: "As curl" })).toHaveCount(0);
  await page.getByRole("combobox", { name: "Transport" }).selectOption("http");
  await expect(dev.form.getByRole("group", { name: "As curl" })).toContainText("curl -sS");
  expect(dev.last("POST /api/commands").setup.transport).toBe("http");
  expect(await dev.findings()).toEqual([]);
  await dev.screenshot("input-commands");
  await expect(page.locator(".lane")).toHaveCount(0);
});

test("gives the command, curl and a test", async ({ dev, page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await dev.open("#tool/find_hotel?input=%7B%22city%22%3A%22Oslo%22%7D");
  await page.getByRole("combobox", { name: "Transport" }).selectOption("http");
  const lane = await dev.call();
  await lane.getByRole("button", { name: "Commands" }).click();
  await lane.getByRole("button", { name: "Copy as a command" }).click();
  await expect.poll(copied).toBe("bank call find_hotel --to 'DE-77'");
  await lane.getByRole("button", { name: "Copy as curl" }).click();
  await expect.poll(copied).toContain("curl -sS");
  await lane.getByRole("button", { name: "Make this a test" }).click();
  await expect(lane.getByText("tests/find_hotel.rs")).toBeVisible();
  await expect(lane.getByLabel("Source of the test")).toContainText("async fn find_hotel()");
  await lane.getByRole("button", { name: "Copy the test" }).click();
  await expect.poll(copied).toContain("#[tokio::test]");
  await dev.form.getByRole("button", { name: "Copy link" }).click();
  await expect.poll(copied).toMatch(/#tool\/find_hotel\?input=.*Oslo/);
});
