// A booking, in all the ways it can go.

import { expect, test } from "./chat.mjs";

test("a flight is booked", async ({ chat }) => {
  await chat.screenshot("empty");
  await chat.page.getByRole("button", { name: "Book a flight" }).click();
  const call = chat.call("Book a flight");
  await expect(call).toContainText("Your turn");
  await expect(call.getByRole("radio", { name: "06:40 ARN" })).toBeVisible();
  await chat.screenshot("flights");

  // Nothing is chosen: the form says so, and the focus is where to choose.
  await call.getByRole("button", { name: "Choose this flight" }).click();
  await expect(call.getByText("Choose a flight.")).toBeVisible();
  await expect(call.getByRole("radio", { name: "06:40 ARN" })).toBeFocused();
  await chat.screenshot("flights-nothing-chosen");

  await call.getByRole("radio", { name: "06:55 ARN" }).check();
  await call.getByRole("radio", { name: "Aisle" }).check();
  await call.getByRole("button", { name: "Choose this flight" }).click();
  await expect(call.getByText("Seat: Aisle")).toBeVisible();
  await call.getByRole("checkbox", { name: "Book it" }).check();
  await chat.screenshot("confirm");
  await call.getByRole("button", { name: "Submit" }).click();
  await expect(call).toContainText("Done");
  await expect(call).toContainText("an aisle seat. The ticket is");
  await expect(chat.answer).toContainText("Booked Alpenlinie");
  await chat.screenshot("booked");
  await expect(chat.page.getByRole("button", { name: "Send" })).toBeVisible();
});

test("a form is declined, closed, and its call is cancelled", async ({ chat }) => {
  for (const [button, outcome] of [
    ["None of these", "The user wants none of these flights."],
    ["Close", "The user closed the form."],
  ]) {
    await chat.say("a flight");
    const call = chat.call("Book a flight").last();
    await call.getByRole("button", { name: button }).click();
    await expect(chat.answer).toContainText(outcome);
  }
  await chat.say("a flight");
  const call = chat.call("Book a flight").nth(2);
  await call.getByRole("button", { name: "Cancel the call" }).click();
  await expect(call).toContainText("Cancelled");
  await expect(chat.answer).toContainText("the call was cancelled");
  await chat.screenshot("cancelled");
});

test("Escape closes a form without an answer", async ({ chat }) => {
  await chat.say("a flight");
  const call = chat.call("Book a flight").last();
  await call.getByRole("radio", { name: "06:40 ARN" }).focus();
  await chat.page.keyboard.press("Escape");
  await expect(call).toContainText("Closed without an answer");
  await expect(chat.answer).toContainText("The user closed the form.");

  await chat.say("a flight");
  const next = chat.call("Book a flight").last();
  await next.getByRole("radio", { name: "06:55 ARN" }).check();
  await next.getByRole("button", { name: "Choose this flight" }).click();
  await next.getByRole("checkbox", { name: "Book it" }).focus();
  await chat.page.keyboard.press("Escape");
  await expect(next).toContainText("Closed without an answer");
});

test("the assistant is stopped", async ({ chat }) => {
  await chat.say("a flight");
  await expect(chat.call("Book a flight")).toContainText("Your turn");
  await chat.say("and now?", { atWork: true });
  await expect(chat.page.getByText("the assistant is still at work")).toBeVisible();
  await chat.page.getByRole("button", { name: "Stop the assistant" }).click();
  await expect(chat.call("Book a flight")).toContainText("Cancelled");
  await expect(chat.page.getByRole("button", { name: "Send" })).toBeVisible();
  await chat.say("hello");
  await expect(chat.answer).toContainText("I am a script");
});

test("two calls of one message run side by side", async ({ chat }) => {
  await chat.say("do both");
  const [flight, game] = [chat.call("Book a flight"), chat.call("Tic-tac-toe")];
  await expect(flight).toContainText("Your turn");
  await game.getByRole("button", { name: "Give up" }).click();
  await expect(game).toContainText("Done");
  await flight.getByRole("button", { name: "None of these" }).click();
  await expect(chat.answer).toContainText("none of these flights");
});
