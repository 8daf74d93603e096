// Answers that are prepared before a call, and the same call again with its answers.

import { expect, test } from "./dev.mjs";

test.use({ viewport: { width: 1440, height: 1000 } });

test("a reply of the model is prepared, without a form in the call", async ({ dev, page }) => {
  await dev.open("#tool/ask_model");
  await dev.form.getByText("Prepared answers").click();
  const reply = dev.form.getByRole("textbox", { name: "Reply of the model" });
  await reply.fill("green");
  await dev.form.getByRole("button", { name: "Add the reply" }).click();
  await expect(reply).toHaveValue("");
  await expect(dev.form.getByText("sampling: reply green")).toBeVisible();
  await expect(dev.form.locator("summary").filter({ hasText: "Prepared answers" })).toHaveText("Prepared answers 1");
  expect(await dev.findings()).toEqual([]);
  await dev.screenshot("prepared");
  const lane = await dev.call();
  expect(dev.last("POST /api/calls").answers).toEqual([{ kind: "sampling", action: "reply", text: "green" }]);
  await expect(lane.getByText("answered as prepared green")).toBeVisible();
  await expect(lane.getByText("The model said: green")).toBeVisible();

  // The link has the answers, too.
  await page.reload();
  await expect(dev.form.getByText("sampling: reply green")).toBeVisible();
  await dev.form.getByRole("button", { name: "Remove answer 1" }).click();
  await expect(dev.form.locator(".prepared li")).toHaveCount(0);
  await expect(dev.form.getByText("Prepared answers", { exact: true })).toBeFocused();
  await expect(page).not.toHaveURL(/answers/);
});

test("the list is written as JSON, and says what is wrong at its field", async ({ dev, page }) => {
  await dev.open("#tool/transfer_money");
  await dev.form.getByRole("button", { name: "Use the example" }).click();
  await dev.form.getByText("Prepared answers").click();
  const json = dev.form.getByRole("textbox", { name: "All answers as JSON" });
  const call = dev.form.getByRole("button", { name: "Call" });
  for (const [text, problem] of [
    ["[{", "This is not JSON: line 1, column 3 has the end of the text where it cannot be"],
    ["{}", "This is not a list. It begins with [ and ends with ]."],
    ['[{"action":"send"}]', "Answer 1 needs an action of: accept, decline, cancel, reply, model, roots."],
    ['[{"kind":"roots","action":"accept"}]', "Answer 1 needs an action of: roots."],
    ['[{"action":"reply"}]', "Answer 1 needs a text or a result."],
  ]) {
    await json.fill(text);
    await call.click();
    await expect(json).toBeFocused();
    await expect(json).toHaveAccessibleDescription(new RegExp(problem.replace(/[[\]]/g, "\\$&")));
    await expect(json).toHaveAttribute("aria-invalid", "true");
  }
  await expect(page.locator(".lane")).toHaveCount(0);
  await json.fill('[{"key":"confirm","action":"accept","content":{"confirmed":true}}]');
  await expect(json).not.toHaveAttribute("aria-invalid", "true");
  await expect(dev.form.getByText('confirm: accept {"confirmed":true}')).toBeVisible();
  const lane = await dev.call();
  await expect(lane.getByText("answered as prepared Send it: true")).toBeVisible();
  await expect(lane.getByText("Done", { exact: true })).toBeVisible();

  // A recent input brings them back.
  await dev.open("#tool/transfer_money");
  await dev.form.getByRole("combobox", { name: "Recent inputs" }).selectOption({ index: 1 });
  await expect(dev.form.getByText('confirm: accept {"confirmed":true}')).toBeVisible();
});

test("a question for which nothing is prepared waits", async ({ dev, page }) => {
  const answers = [{ key: "size", action: "accept", content: { size: 4 } }];
  await dev.open(`#tool/ask_twice?answers=${encodeURIComponent(JSON.stringify(answers))}`);
  const lane = await dev.call();
  await expect(lane.getByText("answered as prepared Size: 4")).toBeVisible();
  await expect(lane.getByRole("group", { name: "Question size" })).toHaveCount(0);
  await lane.getByRole("radio", { name: "green" }).check();
  await lane.getByRole("button", { name: "Submit" }).click();
  await expect(lane.getByText("green, 4")).toBeVisible();

  // Both answers are given to the same call again, without the person.
  const again = lane.getByRole("button", { name: "Again, with the same answers" });
  await again.press("Enter");
  await expect(page.locator(".lane")).toHaveCount(2);
  expect(dev.last("POST /api/calls").answers).toEqual([
    { kind: "form", key: "colour", action: "accept", content: { colour: "green" } },
    { kind: "form", key: "size", action: "accept", content: { size: 4 } },
  ]);
  await expect(page.locator(".lane").first().getByText("green, 4")).toBeVisible();
  expect(await dev.findings()).toEqual([]);
});

test("only a call that has ended and was answered begins again with its answers", async ({ dev, page }) => {
  await dev.open("#tool/ask_roots");
  await page.getByRole("combobox", { name: "Revision", exact: true }).selectOption("2025-06-18");
  const lane = await dev.call();
  const again = lane.getByRole("button", { name: "Again, with the same answers" });
  await expect(lane.getByRole("button", { name: "Call again" })).toBeVisible();
  await expect(again).toBeHidden();
  await lane.getByRole("textbox", { name: "Roots, one URI on each line" }).fill("file:///home/ada");
  await lane.getByRole("button", { name: "Send the roots" }).click();
  await again.click();
  // The questions of a session have no keys.
  await expect.poll(() => dev.last("POST /api/calls").answers).toEqual([
    { kind: "roots", action: "roots", roots: [{ uri: "file:///home/ada" }] },
  ]);
  await page.goto("about:blank");
  await dev.open("#tool/show_media");
  const unasked = await dev.call();
  await expect(unasked.getByText("Done", { exact: true })).toBeVisible();
  await expect(unasked.getByRole("button", { name: "Again, with the same answers" })).toBeHidden();
});
