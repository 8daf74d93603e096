// Calls on the page of `dev`: lanes, rounds, questions and results.

import { expect, test } from "./dev.mjs";
import { SETUP } from "./dev-mock.mjs";

test.use({ viewport: { width: 1440, height: 900 } });

for (const revision of ["2025-06-18", "2026-07-28"]) {
  test(`a call is one lane in ${revision}`, async ({ dev, page }) => {
    await dev.open("#tool/transfer_money");
    await page.getByRole("combobox", { name: "Revision", exact: true }).selectOption(revision);
    await dev.form.getByRole("button", { name: "Use the example" }).click();
    const lane = await dev.call();
    await expect(lane.getByRole("heading", { name: "Round 1" })).toBeVisible();
    await expect(lane.getByText("Ran so far: before once")).toBeVisible();
    await expect(lane.getByText("found the owner · 1 of 2")).toBeVisible();
    await lane.getByText("1 message").click();
    await expect(lane.getByText("looking up the owner")).toBeVisible();

    // An answer that is refused is asked for again, with the reason at its field.
    await lane.getByRole("checkbox", { name: "Send it" }).check();
    await lane.getByRole("textbox", { name: "Reference" }).fill("bad");
    await lane.getByRole("button", { name: "Submit" }).click();
    await expect(lane.getByText("`bad` is not a reference: use letters and digits")).toBeVisible();
    await expect(lane.getByRole("checkbox", { name: "Send it" })).toBeChecked();
    await lane.getByRole("textbox", { name: "Reference" }).fill("rent");
    await lane.getByRole("button", { name: "Submit" }).click();
    await expect(lane.getByText("answered by hand Send it: true · Reference: rent")).toBeVisible();
    await expect(lane.getByRole("heading", { name: "Round 2" })).toBeVisible();
    await expect(lane.getByText("Ran so far: client 2 times, after once")).toBeVisible();
    await expect(lane.getByText("Done", { exact: true })).toBeVisible();
    await expect(lane.getByLabel("Structured content")).toContainText(`"revision": "${revision}"`);
    await expect(page.locator(".lane")).toHaveCount(1);
  });
}

test("answers are declined, closed, and written as JSON", async ({ dev }) => {
  await dev.open("#tool/transfer_money");
  await dev.form.getByRole("button", { name: "Use the example" }).click();
  const lane = await dev.call();
  await lane.getByRole("button", { name: "Decline" }).click();
  await expect(lane.getByText("answered by hand declined")).toBeVisible();
  const second = await dev.call();
  await second.getByRole("button", { name: "Answer in JSON" }).click();
  await second.getByRole("textbox", { name: "Content" }).fill('{"confirmed": "perhaps"}');
  await second.getByRole("button", { name: "Send" }).click();
  await expect(second.getByText("answered by hand Send it: perhaps")).toBeVisible();
  expect(dev.last("POST /api/calls/call-2/answers")).toEqual({
    seq: 1,
    action: "accept",
    content: { confirmed: "perhaps" },
  });
});

test("several questions are open at once", async ({ dev }) => {
  await dev.open("#tool/ask_twice");
  const lane = await dev.call();
  const colour = lane.getByRole("group", { name: "Question colour" });
  const size = lane.getByRole("group", { name: "Question size" });
  await expect(colour).toBeVisible();
  await size.getByRole("textbox", { name: "Size" }).fill("4");
  await size.getByRole("button", { name: "Submit" }).click();
  await expect(size).toBeHidden();
  await colour.getByRole("radio", { name: "green" }).check();
  await colour.getByRole("button", { name: "Submit" }).click();
  await expect(lane.getByText("green, 4")).toBeVisible();
});

test("requests to the model are answered by hand, in JSON, and by the model", async ({ dev }) => {
  await dev.open("#tool/ask_model");
  const first = await dev.call();
  await expect(first.getByLabel("Messages to the model")).toContainText("Name a colour.");
  await expect(first.getByLabel("Messages to the model")).toContainText("You are terse.");
  await dev.screenshot("sampling");
  await first.getByRole("button", { name: "Send the reply" }).click();
  await expect(first.getByText("Write a reply.")).toBeVisible();
  await first.getByRole("textbox", { name: "Reply of the model" }).fill("green");
  await first.getByRole("button", { name: "Send the reply" }).click();
  await expect(first.getByText("The model said: green")).toBeVisible();

  const second = await dev.call();
  await second.getByRole("button", { name: "Reply in JSON" }).click();
  await second
    .getByRole("textbox", { name: "Result as JSON" })
    .fill('{"role":"assistant","model":"me","content":{"type":"text","text":"red"}}');
  await second.getByRole("button", { name: "Send the reply" }).click();
  await expect(second.getByText("The model said: red")).toBeVisible();

  const third = await dev.call();
  await third.getByRole("button", { name: "Let ollama:qwen3:8b reply" }).click();
  await expect(third.getByText("answered by the model")).toBeVisible();
  await expect(third.getByText("The model said: blue, says the model")).toBeVisible();
});

test("roots are sent, and pages are opened", async ({ dev }) => {
  await dev.open("#tool/ask_roots");
  const roots = await dev.call();
  await roots.getByRole("textbox", { name: "Roots, one URI on each line" }).fill("file:///a\n\nfile:///b");
  await roots.getByRole("button", { name: "Send the roots" }).click();
  await expect(roots.getByText("file:///a file:///b")).toBeVisible();
  await dev.choose("open_page");
  const page = await dev.call();
  await expect(page.getByRole("link", { name: "https://example.com/login" })).toHaveAttribute(
    "rel",
    "noopener noreferrer",
  );
  await page.getByRole("button", { name: "I have opened it" }).click();
  await expect(page.getByText("Logged in.")).toBeVisible();
});

test("a question is asked in its view, and the result is shown in the view of its tool", async ({ dev }) => {
  await dev.open("#tool/seat_map");
  await dev.form.getByRole("button", { name: "Use the example" }).click();
  const lane = await dev.call();
  const view = lane.frameLocator("iframe");
  await expect(view.getByText("Which seat on AL143?")).toBeVisible();
  // Without the mouse, as `press` of `views/servers.mjs` says.
  await view.getByRole("button", { name: "Take 1A" }).dispatchEvent("click");
  await expect(lane.getByText("answered by hand Seat: 1A")).toBeVisible();
  await expect(view.getByText('Result: {"flight":"AL143"}')).toBeVisible();
  await dev.screenshot("view");
});

test("shows images, sound, links and resources", async ({ dev }) => {
  await dev.open("#tool/show_media");
  const lane = await dev.call();
  const image = lane.getByRole("img", { name: /Image of the result/ });
  await expect(image).toBeVisible();
  expect(await image.evaluate(async (image) => (await image.decode(), image.naturalWidth))).toBe(40);
  await expect(lane.locator("audio")).toHaveJSProperty("error", null);
  await expect.poll(() => lane.locator("audio").evaluate((audio) => audio.duration)).toBe(1);
  await expect(lane.getByText("Data that is not shown: image/svg+xml")).toBeVisible();
  await expect(lane.getByRole("link", { name: "Report (https://example.com/report)" })).toBeVisible();
  await expect(lane.getByRole("link", { name: "Not a page" })).toHaveCount(0);
  await expect(lane.getByText('{"a":1}')).toBeVisible();
  await dev.screenshot("media");
});

test("a question that has changed is shown beside the old one", async ({ dev, page }) => {
  await dev.open("#tool/renamed");
  const lane = await dev.call();
  await expect(lane.getByText("The question has changed")).toBeVisible();
  await expect(lane.locator(".sides")).toContainText("It was");
  await expect(lane.locator(".question")).toHaveCount(1);
  await expect(lane.getByRole("textbox", { name: "Class" })).toBeVisible();
  await dev.screenshot("changed");
  await lane.getByRole("button", { name: "Start the call again" }).click();
  await expect(page.locator(".lane")).toHaveCount(2);
});

test("errors, cancelled calls and long logs", async ({ dev }) => {
  await dev.open("#tool/fails");
  const failed = await dev.call();
  await expect(failed.getByText("the account X does not exist: use one of A, B")).toBeVisible();
  await expect(failed.getByRole("heading", { name: "Error -32602" })).toBeVisible();
  await dev.choose("waits");
  const waits = await dev.call();
  await waits.getByRole("button", { name: "Cancel" }).click();
  await expect(waits.getByText("The call was cancelled.")).toBeVisible();
  await dev.choose("floods");
  const floods = await dev.call();
  await floods.getByText("5000 messages").click();
  await expect(floods.getByLabel("Log").getByRole("listitem")).toHaveCount(200);
});

test("old calls are folded, and the oldest leave the document", async ({ dev, page, mock }) => {
  for (let call = 0; call < 100; call += 1)
    mock.begin({ request: { kind: "tool", name: "find_hotel", arguments: { city: `city ${call}` } } });
  const open = mock.begin({ request: { kind: "tool", name: "waits", arguments: {} } });
  await dev.open();
  await expect(page.getByText("41 older calls are not shown.")).toBeVisible();
  await expect(page.locator(".lane")).toHaveCount(60);
  expect(await page.locator(".lane-body:not([hidden])").count()).toBeLessThanOrEqual(9);
  await expect(dev.lane()).toContainText("waits");
  await page.locator(".lane").nth(30).getByRole("button").first().click();
  await expect(
    page
      .locator(".lane")
      .nth(30)
      .getByText(/Found 3 hotels/),
  ).toBeVisible();
  open.cancel();
  await expect(dev.lane()).toContainText("Cancelled");
});

test("calls of others appear, with what they ask", async ({ dev, mock }) => {
  await dev.open();
  const call = mock.begin({
    request: { kind: "tool", name: "transfer_money", arguments: { to: "DE-1", cents: 5 } },
    setup: { ...SETUP, principal: { name: "ada", scopes: [] } },
  });
  await expect(dev.lane()).toContainText("as ada");
  await expect(dev.lane().getByText("Send 5 cents to DE-1?").first()).toBeVisible();
  // Answered elsewhere.
  call.answer({ seq: 1, action: "decline" });
  await expect(dev.lane().getByText("Nothing is sent.")).toBeVisible();
  await expect(dev.lane().locator(".question")).toHaveCount(0);
});
