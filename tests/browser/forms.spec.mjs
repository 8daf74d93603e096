// A form with a field of every kind, drawn from its schema.

import { expect, test } from "./chat.mjs";

const schema = {
  type: "object",
  properties: {
    name: { type: "string", title: "Name", description: "As in your passport.", minLength: 2, maxLength: 10 },
    about: { type: "string", title: "About you", maxLength: 500 },
    mail: { type: "string", title: "Mail", format: "email" },
    page: { type: "string", title: "Page", format: "uri" },
    day: { type: "string", title: "Day", format: "date" },
    moment: { type: "string", title: "Moment", format: "date-time" },
    guests: { type: "integer", title: "Guests", minimum: 1, maximum: 9, default: 2 },
    price: { type: "number", title: "Price", maximum: 99.5 },
    seat: { type: "string", title: "Seat", enum: ["window", "aisle"] },
    meal: { type: "string", title: "Meal", oneOf: "abcdefgh".split("").map((id) => ({ const: id, title: `Meal ${id}` })) },
    extras: { type: "array", title: "Extras", minItems: 1, maxItems: 2, items: { anyOf: ["bag", "wifi", "lounge"].map((id) => ({ const: id, title: `The ${id}` })) } },
    agreed: { type: "boolean", title: "I agree" },
  },
  required: ["name", "guests", "seat", "extras", "agreed"],
};

test("every kind of field is drawn, checked and sent", async ({ chat, page }) => {
  const question = { seq: 1, key: "confirm", mode: "form", form: "confirm", message: "Who are you?", schema };
  const call = { id: "c", tool: "book_flight", arguments: {}, status: "input_required", startedAt: 0, lastEvent: 2, question };
  const event = (id, type, members) => `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify({ id, at: 0, type, ...members })}\n\n`;
  const sent = [];
  let answered;
  const isAnswered = new Promise((resolve) => (answered = resolve));
  await page.route("**/plugins/calls/*", (route) => route.fulfill({ json: call }));
  let streams = 0;
  await page.route("**/plugins/calls/*/events", async (route) => {
    // The first stream breaks after the question; the next one has the end of the call.
    streams += 1;
    if (streams > 1) await isAnswered;
    const first = event(1, "started", { tool: "book_flight", arguments: {} }) + event(2, "elicit", { question });
    const rest = event(3, "answered", { seq: 1, key: "confirm", action: "accept", content: sent.at(-1)?.content });
    const end = event(4, "finished", { result: { content: [{ type: "text", text: "Thank you." }] } });
    await route.fulfill({ contentType: "text/event-stream", body: streams === 1 ? first : rest + end });
  });
  await page.route("**/plugins/calls/*/answers", async (route) => {
    sent.push(route.request().postDataJSON());
    if (sent.length === 1) {
      const problems = [{ field: "name", message: "this name is taken" }, { field: null, message: "Try again." }];
      await route.fulfill({ status: 422, json: { error: { code: "invalid_answer", message: "no", problems } } });
    } else {
      await route.fulfill({ json: {} });
      answered();
    }
  });
  await chat.say("a flight");
  const form = chat.call("Book a flight").getByRole("form", { name: "Who are you?" });
  const field = (name) => form.getByRole("textbox", { name });
  const submit = form.getByRole("button", { name: "Submit" });

  // Every mistake is told at its field, and the focus is on the first one.
  await field("Mail").fill("nobody");
  await field("Page").fill("example");
  await field("Guests").fill("12");
  await field("Price").fill("100");
  await submit.click();
  await expect(field("Name")).toBeFocused();
  await expect(field("Name")).toHaveAttribute("aria-invalid", "true");
  for (const told of [
    "Write an email address.",
    "Write a complete address, such as https://example.com.",
    "Must be at most 9.",
    "Must be at most 99.5.",
    "Choose at least 1.",
  ]) {
    await expect(form.getByText(told)).toBeVisible();
  }
  await expect(form.getByText("Fill this in.")).toHaveCount(2);
  expect(sent).toEqual([]);
  await chat.screenshot("form-with-mistakes");

  await field("Name").fill("A very long name");
  await field("Guests").fill("2.5");
  await submit.click();
  await expect(form.getByText("Write at most 10 characters; these are 16.")).toBeVisible();
  await expect(form.getByText("Write a whole number.")).toBeVisible();

  await field("Name").fill("Ann");
  await field("About you").fill("One line.\nAnother one.");
  await field("Mail").fill("ann@example.com");
  await field("Page").fill("https://example.com");
  await form.getByLabel("Day").fill("2026-12-04");
  await form.getByLabel("Moment").fill("2026-12-04T10:30");
  await field("Guests").fill("3");
  await field("Price").fill("99,5");
  await form.getByRole("radio", { name: "window" }).check();
  await form.getByRole("combobox", { name: "Meal" }).selectOption("Meal c");
  await form.getByRole("checkbox", { name: "The bag" }).check();
  await form.getByRole("checkbox", { name: "The wifi" }).check();
  await form.getByRole("checkbox", { name: "I agree" }).check();
  await submit.click();

  // What the server has refused is told at its field, and nothing has to be typed again.
  await expect(form.getByText("this name is taken")).toBeVisible();
  await expect(form.getByRole("alert")).toContainText("Try again.");
  await expect(field("Name")).toHaveValue("Ann");
  await expect(form.getByRole("combobox", { name: "Meal" })).toHaveValue("c");
  await expect(form.getByRole("checkbox", { name: "The wifi" })).toBeChecked();
  await field("Name").fill("Anna");
  await submit.click();
  await expect(chat.call("Book a flight")).toContainText("Thank you.");
  expect(sent.at(-1)).toEqual({
    seq: 1,
    action: "accept",
    content: {
      name: "Anna",
      about: "One line.\nAnother one.",
      mail: "ann@example.com",
      page: "https://example.com",
      day: "2026-12-04",
      moment: "2026-12-04T10:30:00.000Z",
      guests: 3,
      price: 99.5,
      seat: "window",
      meal: "c",
      extras: ["bag", "wifi"],
      agreed: true,
    },
  });
});

test("a page to open is a link", async ({ chat, page }) => {
  const question = { seq: 1, key: "connect", mode: "url", message: "Connect your calendar", url: "https://example.com/connect" };
  const call = { id: "c", tool: "book_flight", arguments: {}, status: "input_required", startedAt: 0, lastEvent: 1, question };
  const sent = [];
  await page.route("**/plugins/calls/*", (route) => route.fulfill({ json: call }));
  let streams = 0;
  await page.route("**/plugins/calls/*/events", (route) => {
    streams += 1;
    // The first stream breaks after the question. Nothing comes on the next one: the form would be drawn again.
    if (streams > 1) return;
    return route.fulfill({ contentType: "text/event-stream", body: `id: 1\nevent: elicit\ndata: ${JSON.stringify({ id: 1, at: 0, type: "elicit", question })}\n\n` });
  });
  await page.route("**/plugins/calls/*/answers", (route) => {
    sent.push(route.request().postDataJSON());
    return route.fulfill({ json: {} });
  });
  await chat.say("a flight");
  const form = chat.call("Book a flight").getByRole("form", { name: "Connect your calendar" });
  await expect(form.getByRole("link", { name: "https://example.com/connect" })).toHaveAttribute("rel", "noopener noreferrer");
  await form.getByRole("button", { name: "I have opened it" }).click();
  await expect.poll(() => sent).toEqual([{ seq: 1, action: "accept", content: {} }]);
});
