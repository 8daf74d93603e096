// Inputs on the page of `dev`: fields from schemas, JSON, links, recent inputs, completions.

import { expect, test } from "./dev.mjs";

test("draws a field for each property of a flat schema", async ({ dev }) => {
  await dev.open("#tool/find_hotel");
  const { form } = dev;
  await expect(form.getByRole("textbox", { name: "Nights" })).toHaveValue("2");
  await expect(form.getByText("Where to look.")).toBeVisible();
  await expect(form.getByRole("radio", { name: "economy" })).toBeChecked();
  await form.getByRole("button", { name: "Call" }).click();
  await expect(form.getByRole("textbox", { name: "City" })).toBeFocused();
  await expect(form.getByText("Fill this in.")).toBeVisible();
  await form.getByRole("textbox", { name: "City" }).fill("Oslo");
  await form.getByRole("textbox", { name: "Nights" }).fill("31");
  await form.getByRole("button", { name: "Call" }).click();
  await expect(form.getByText("Must be at most 30.")).toBeVisible();
  await form.getByRole("textbox", { name: "Nights" }).fill("3");
  await form.getByRole("textbox", { name: "Price" }).fill("99.5");
  await form.getByLabel("Arrival").fill("2026-12-05");
  await form.getByRole("radio", { name: "Aisle" }).check();
  await form.getByRole("group", { name: "Level" }).getByRole("radio", { name: "2" }).check();
  await dev.call();
  expect(dev.last("POST /api/calls").request).toEqual({
    kind: "tool",
    name: "find_hotel",
    arguments: { city: "Oslo", nights: 3, price: 99.5, arrival: "2026-12-05", class: "economy", seat: "a", level: 2 },
  });
});

test("draws objects, lists and variants of a nested schema", async ({ dev }) => {
  await dev.open("#tool/draw_shape");
  const { form } = dev;
  await form.getByRole("textbox", { name: "Street" }).fill("Main");
  await form.getByRole("textbox", { name: "Tags 1" }).fill("a");
  await form.getByRole("button", { name: "Add to Tags" }).click();
  await expect(form.getByRole("textbox", { name: "Tags 2" })).toBeFocused();
  await form.getByRole("textbox", { name: "Tags 2" }).fill("b");
  await form.getByRole("checkbox", { name: "green" }).check();
  await form.getByRole("checkbox", { name: "Give Points" }).check();
  await form.getByRole("button", { name: "Add to Points" }).click();
  await form.getByRole("textbox", { name: "X", exact: true }).fill("1");
  await form.getByRole("textbox", { name: "Y", exact: true }).fill("2.5");
  await form.getByRole("combobox", { name: "Kind of Shape" }).selectOption("Square");
  await form.getByRole("textbox", { name: "Side" }).fill("4");
  await form.getByRole("textbox", { name: "Extra (optional)" }).fill('{"k": "v"}');
  await dev.screenshot("nested");
  await dev.call();
  const nested = {
    address: { street: "Main" },
    tags: ["a", "b"],
    colours: ["green"],
    points: [{ x: 1, y: 2.5 }],
    shape: { kind: "square", side: 4 },
    extra: { k: "v" },
  };
  expect(dev.last("POST /api/calls").request.arguments).toEqual(nested);

  // The fields show the same after a reload, from the address.
  await dev.page.reload();
  await expect(form.getByRole("textbox", { name: "Tags 2" })).toHaveValue("b");
  await expect(form.getByRole("combobox", { name: "Kind of Shape" })).toHaveValue("1");
  await form.getByRole("button", { name: "Remove Tags 1" }).click();
  await dev.call();
  expect(dev.last("POST /api/calls").request.arguments).toEqual({ ...nested, tags: ["b"] });
});

test("switches between fields and JSON, and says where JSON is wrong", async ({ dev }) => {
  await dev.open("#tool/transfer_money");
  const { form } = dev;
  await form.getByRole("textbox", { name: "To" }).fill("DE-1");
  await form.getByRole("button", { name: "JSON" }).click();
  const json = form.getByRole("textbox", { name: "Input as JSON" });
  await expect(json).toHaveValue('{\n  "to": "DE-1"\n}');
  await json.fill('{\n  "to": "DE-2",\n  "cents": }');
  await form.getByRole("button", { name: "Call" }).click();
  await expect(form.getByText("This is not JSON: line 3, column 12 has `}` where it cannot be")).toBeVisible();
  await expect(json).toBeFocused();
  await json.fill('{"to": "DE-2", "cents": 5}');
  await form.getByRole("button", { name: "Fields" }).click();
  await expect(form.getByRole("textbox", { name: "To" })).toHaveValue("DE-2");

  // What fields cannot show stays JSON, and is sent as it is.
  await form.getByRole("button", { name: "JSON" }).click();
  await json.fill('{"to": 5, "more": [null]}');
  await form.getByRole("button", { name: "Fields" }).click();
  await expect(form.getByText("The fields cannot show all of this input, so it stays JSON.")).toBeVisible();
  await form.getByRole("button", { name: "Call" }).click();
  await expect(dev.lane()).toBeVisible();
  expect(dev.last("POST /api/calls").request.arguments).toEqual({ to: 5, more: [null] });
});

test("a link opens the item with its input", async ({ dev, page, context }) => {
  await dev.open("#tool/find_hotel");
  await dev.form.getByRole("textbox", { name: "City" }).fill("Ålesund & co");
  await expect(page).toHaveURL(/#tool\/find_hotel\?input=/);
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(other.getByRole("textbox", { name: "City" })).toHaveValue("Ålesund & co");
  await expect(page).toHaveTitle("bank · dev");

  // Back and forward.
  await dev.choose("Transfer money");
  await page.goBack();
  await expect(dev.form.getByRole("textbox", { name: "City" })).toHaveValue("Ålesund & co");
});

for (const hash of [
  "#tool/none",
  "#tool/%E0%A4%A",
  "#tool/find_hotel?input={",
  "#tool/find_hotel?input=[1]",
  "#messages?message=x",
  "#__proto__/x",
  "#tool/transfer_money?input=%7B%22__proto__%22%3A%7B%22x%22%3A1%7D%7D",
]) {
  test(`an address that is wrong opens the page: ${hash}`, async ({ dev, page }) => {
    await dev.open(hash);
    await expect(page.getByRole("link", { name: "Find a hotel" })).toBeVisible();
    await dev.choose("Transfer money");
    await expect(dev.form.getByRole("button", { name: "Call" })).toBeVisible();
    expect(await page.evaluate(() => ({}).x)).toBeUndefined();
  });
}

test("remembers recent inputs for each item, and offers the example", async ({ dev, page }) => {
  await dev.open("#tool/transfer_money");
  await dev.form.getByRole("button", { name: "Use the example" }).click();
  await expect(dev.form.getByRole("textbox", { name: "Cents" })).toHaveValue("1200");
  await dev.call();
  await dev.form.getByRole("textbox", { name: "Cents" }).fill("7");
  await dev.call();
  await dev.choose("Find a hotel");
  await expect(dev.form.getByRole("combobox", { name: "Recent inputs" })).toBeHidden();
  await dev.choose("Transfer money");
  const recent = dev.form.getByRole("combobox", { name: "Recent inputs" });
  await expect(recent.getByRole("option")).toHaveText([
    "Choose…",
    '{"to":"DE-77","cents":7}',
    '{"to":"DE-77","cents":1200}',
  ]);
  await recent.selectOption({ index: 2 });
  await expect(dev.form.getByRole("textbox", { name: "Cents" })).toHaveValue("1200");
  expect(await page.evaluate(() => Object.keys(localStorage))).toContain("mcp-dev:bank:recent");
});

test("completes the arguments of a prompt by keyboard", async ({ dev, page }) => {
  await dev.open("#prompt/summarize");
  const field = dev.form.getByRole("combobox", { name: "Document" });
  await field.focus();
  await page.keyboard.type("annual");
  const list = dev.form.getByRole("listbox", { name: "Suggestions for Document" });
  await expect(list.getByRole("option")).toHaveText(["annual report", "annual budget"]);
  expect(dev.last("POST /api/completions")).toMatchObject({
    ref: { type: "ref/prompt", name: "summarize" },
    argument: { name: "document", value: "annual" },
  });
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await expect(list.getByRole("option", { name: "annual budget" })).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Enter");
  await expect(field).toHaveValue("annual budget");
  await expect(list).toBeHidden();
  await page.keyboard.type("x");
  await page.keyboard.press("Escape");
  await expect(dev.lane()).toBeHidden();
  await field.fill("minutes");
  const lane = await dev.call();
  await expect(lane.getByLabel("Messages of the prompt")).toContainText('Summarize {"document":"minutes"}');
  expect(dev.last("POST /api/calls").request).toEqual({
    kind: "prompt",
    name: "summarize",
    arguments: { document: "minutes" },
  });
});

test("reads resources, expands templates and opens skills", async ({ dev }) => {
  await dev.open();
  await dev.choose("Account");
  await dev.form.getByRole("combobox", { name: "Account" }).fill("a b/c");
  await dev.form.getByRole("combobox", { name: "Year" }).fill("2026");
  await dev.call();
  expect(dev.last("POST /api/calls").request).toEqual({ kind: "resource", uri: "bank://accounts/a%20b%2Fc?year=2026" });
  await dev.choose("Notes");
  const lane = await dev.call();
  await expect(lane.getByText("The text of file:///notes.txt")).toBeVisible();
  await dev.choose("accounting");
  await dev.call();
  expect(dev.last("POST /api/calls").request).toEqual({ kind: "resource", uri: "skill://accounting/SKILL.md" });
});

test("shows a view by itself, with the example of its tool", async ({ dev }) => {
  await dev.open("#view/ui%3A%2F%2Fflights%2Fseats");
  await dev.item.getByRole("button", { name: "Show it with the example of seat_map" }).click();
  await expect(dev.item.frameLocator("iframe").getByText('{"flight":"AL143"}')).toBeVisible();
});

test("the client of the next call is chosen above, and remembered", async ({ dev, page }) => {
  await dev.open("#tool/fails");
  const client = page.getByRole("form", { name: "Client" });
  await client.getByRole("combobox", { name: "Revision" }).selectOption("2025-06-18");
  await expect(client.getByRole("textbox", { name: "Principal" })).toBeDisabled();
  await client.getByRole("combobox", { name: "Transport" }).selectOption("http");
  await client.getByRole("checkbox", { name: "sampling" }).uncheck();
  await client.getByRole("textbox", { name: "Principal" }).fill("ada");
  await client.getByRole("textbox", { name: "Scopes" }).fill("read, write");
  await client.getByRole("combobox", { name: "Instance" }).selectOption("Second");
  await dev.call();
  expect(dev.last("POST /api/calls").setup).toEqual({
    revision: "2025-06-18",
    transport: "http",
    capabilities: { elicitation: true, sampling: false, roots: true, views: true },
    principal: { name: "ada", scopes: ["read", "write"] },
    otherInstance: true,
  });
  await page.reload();
  await expect(client.getByRole("combobox", { name: "Revision" })).toHaveValue("2025-06-18");
  await expect(client.getByRole("textbox", { name: "Scopes" })).toHaveValue("read write");
});
