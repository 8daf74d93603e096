// Keyboards, screen readers, narrow screens, and long texts.

import { AxeBuilder } from "@axe-core/playwright";

import { expect, test } from "./chat.mjs";

async function findings(page) {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}

for (const colorScheme of ["light", "dark"]) {
  test.describe(`in ${colorScheme} colours`, () => {
    test.use({ colorScheme });

    test("axe finds nothing", async ({ chat, page }) => {
      expect(await findings(page)).toEqual([]);
      await chat.screenshot(`empty-${colorScheme}`);
      await chat.say("hello");
      await expect(chat.answer).toContainText("I am a script");
      await chat.say("do both");
      await expect(chat.call("Book a flight")).toContainText("Your turn");
      await chat.call("Book a flight").getByRole("button", { name: "Choose this flight" }).click();
      await chat.call("Tic-tac-toe").getByRole("button", { name: "centre, free" }).click();
      await expect(chat.call("Tic-tac-toe").getByText("Cell: 5")).toBeVisible();
      expect(await findings(page)).toEqual([]);
      await chat.screenshot(`both-${colorScheme}`);
      await chat.call("Book a flight").getByRole("radio", { name: "06:40 ARN" }).check();
      await chat.call("Book a flight").getByRole("button", { name: "Choose this flight" }).click();
      await expect(chat.call("Book a flight").getByRole("checkbox")).toBeVisible();
      expect(await findings(page)).toEqual([]);
    });
  });
}

test("everything is done with the keyboard alone", async ({ chat, page }) => {
  const { keyboard } = page;
  await keyboard.type("a flight");
  await keyboard.press("Enter");
  const call = chat.call("Book a flight");
  await expect(call).toContainText("Your turn");
  // From the message back to the form above it.
  const tabTo = async (target, key = "Tab") => {
    for (let step = 0; step < 40; step += 1) {
      if (await target.evaluate((element) => element === document.activeElement)) return;
      await keyboard.press(key);
    }
    throw new Error("the keyboard does not reach it");
  };
  // Backwards, a group of choices is entered at its last one.
  await tabTo(call.getByRole("radio", { name: "06:10 ARN" }), "Shift+Tab");
  await keyboard.press("ArrowDown");
  await expect(call.getByRole("radio", { name: "06:40 ARN" })).toBeChecked();
  await keyboard.press("Enter");
  // The keyboard is on the next question at once.
  await expect(call.getByRole("checkbox", { name: "Book it" })).toBeFocused();
  await keyboard.press("Space");
  await keyboard.press("Enter");
  await expect(chat.answer).toContainText("Booked");

  await expect(page.getByRole("button", { name: "Send" })).toBeVisible();
  await tabTo(page.getByRole("textbox", { name: "Message" }));
  await keyboard.type("a game");
  await keyboard.press("Enter");
  const game = chat.call("Tic-tac-toe");
  await tabTo(game.getByRole("button", { name: "top left, free" }), "Shift+Tab");
  await keyboard.press("ArrowRight");
  await keyboard.press("ArrowDown");
  await keyboard.press("Enter");
  await expect(game.getByText("Cell: 5, centre")).toBeVisible();
  // In the next turn, the keyboard is on the board again.
  await expect(game.locator(".cell:focus")).toBeVisible();
});

test("a question is read aloud", async ({ chat, page }) => {
  await chat.say("a flight");
  await expect(page.locator("[aria-live=polite]")).toContainText("Question: Which flight to HEL?");
});

test.describe("on a screen of 320 pixels", () => {
  test.use({ viewport: { width: 320, height: 640 } });

  test("nothing is cut off", async ({ chat, page }) => {
    await chat.say("hello");
    await expect(chat.answer).toContainText("I am a script");
    await chat.say("do both");
    await expect(chat.call("Book a flight")).toContainText("Your turn");
    await expect(chat.call("Tic-tac-toe").getByRole("button", { name: "centre, free" })).toBeVisible();
    const widest = await page.evaluate(() => Math.max(...[...document.querySelectorAll("body *")].map((element) => element.scrollWidth && element.getBoundingClientRect().right)));
    expect(widest).toBeLessThanOrEqual(320);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    await chat.screenshot("narrow");
  });
});

test("data is shown on demand", async ({ chat }) => {
  await chat.say("search the code");
  const call = chat.call("Search code");
  await expect(call).toContainText("Done");
  await call.getByText(/Result \(\d+ lines\)/).click();
  await expect(call.getByLabel("Result")).toContainText("async fn");
  await chat.screenshot("search");
});

test("long logs and long texts stay short", async ({ chat, page }) => {
  const event = (id, type, members) => `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify({ id, at: 0, type, ...members })}\n\n`;
  const text = Array.from({ length: 400 }, (_, line) => `Line ${line + 1} of a long text.`).join("\n");
  const events = [
    event(1, "started", { tool: "book_flight", arguments: {} }),
    ...Array.from({ length: 5000 }, (_, line) => event(line + 2, "log", { level: "info", data: `message ${line + 1}` })),
    event(5002, "log", { level: "error", data: { is: "an object" } }),
    event(5003, "finished", { result: { content: [{ type: "text", text }] } }),
  ];
  await page.route("**/plugins/calls/*/events", (route) =>
    route.fulfill({ contentType: "text/event-stream", body: events.join("") }),
  );
  await chat.say("a flight");
  const call = chat.call("Book a flight");
  await expect(call).toContainText("Done");
  await call.getByText("5001 messages").click();
  await expect(call.getByLabel("Log").getByRole("listitem")).toHaveCount(200);
  await expect(call.getByLabel("Log").getByRole("listitem").last()).toContainText('{"is":"an object"}');
  const [folded] = [await call.boundingBox()];
  await chat.screenshot("long-log");
  await call.getByRole("button", { name: "Show all" }).click();
  expect((await call.boundingBox()).height).toBeGreaterThan(folded.height + 5000);
  await call.getByRole("button", { name: "Show less" }).click();
});

test.describe("with reduced motion", () => {
  test.use({ reducedMotion: "reduce" });

  test("nothing moves", async ({ chat, page }) => {
    await chat.say("a flight");
    await expect(chat.call("Book a flight")).toContainText("Your turn");
    const moving = await page.evaluate(() => document.getAnimations().filter(({ playState }) => playState === "running").length);
    expect(moving).toBe(0);
  });
});
