// What lasts: reloads, restarts of the server, lost connections, and several tabs.

import { expect, test } from "./chat.mjs";

test("a reload finds the call and its question again", async ({ chat, page }) => {
  await chat.say("a flight");
  const call = chat.call("Book a flight");
  await call.getByRole("radio", { name: "06:40 ARN" }).check();
  await call.getByRole("button", { name: "Choose this flight" }).click();
  await expect(call.getByRole("checkbox", { name: "Book it" })).toBeVisible();
  await page.reload();
  await expect(call.getByText("Seat: No preference")).toBeVisible();
  await expect(page.getByText("in another tab")).toBeHidden();
  await call.getByRole("checkbox", { name: "Book it" }).check();
  await call.getByRole("button", { name: "Submit" }).click();
  await expect(chat.answer).toContainText("Booked");
  await page.reload();
  await expect(chat.answer).toContainText("Booked");
  await expect(call).toContainText("Done");
});

test("the page goes on after a restart of the server", async ({ chat, page, server }) => {
  await chat.say("a flight");
  const call = chat.call("Book a flight");
  await call.getByRole("radio", { name: "06:40 ARN" }).check();
  await call.getByRole("button", { name: "Choose this flight" }).click();
  await expect(call.getByRole("checkbox", { name: "Book it" })).toBeVisible();
  await server.kill();
  await expect(page.getByText("The connection is lost.")).toBeVisible();
  await chat.screenshot("connection-lost");
  await server.start();
  await expect(page.getByText("The connection is lost.")).toBeHidden();
  await call.getByRole("checkbox", { name: "Book it" }).check();
  await call.getByRole("button", { name: "Submit" }).click();
  await expect(chat.answer).toContainText("Booked");
});

test("a restart between two visits is not noticed", async ({ chat, page, server }) => {
  await chat.say("a game");
  await chat.call("Tic-tac-toe").getByRole("button", { name: "centre, free" }).click();
  await expect(chat.call("Tic-tac-toe").getByText("Cell: 5")).toBeVisible();
  await page.goto("about:blank");
  await server.restart();
  await page.goto(server.url);
  const game = chat.call("Tic-tac-toe");
  await expect(game.getByRole("button", { name: "centre, X" })).toBeVisible();
  await game.getByRole("button", { name: "Give up" }).click();
  await expect(game).toContainText("The user gave up");
  await expect(page.getByRole("button", { name: "Send" })).toBeVisible();
});

test("two tabs agree: the first answer wins", async ({ chat, page, context }) => {
  await chat.say("a flight");
  const here = chat.call("Book a flight");
  await expect(here).toContainText("Your turn");
  const other = await context.newPage();
  await other.goto(chat.server.url);
  const there = other.getByRole("article", { name: "Book a flight" });
  await there.getByRole("button", { name: "None of these" }).click();
  await expect(here.getByText("(in another tab)")).toBeVisible();
  await expect(here.getByRole("button", { name: "None of these" })).toBeHidden();
  await chat.screenshot("answered-in-another-tab");
  await expect(there.getByText("(in another tab)")).toBeHidden();
  await expect(other.locator(".assistant").last()).toContainText("none of these flights");
  await expect(chat.answer).toContainText("none of these flights");

  await page.getByRole("button", { name: "New conversation" }).click();
  for (const tab of [page, other]) await expect(tab.getByText("What can I do for you?")).toBeVisible();
});

test("nobody sees the conversation of another user", async ({ chat, browser }) => {
  await chat.say("hello");
  await expect(chat.answer).toContainText("I am a script");
  const stranger = await browser.newContext();
  const page = await stranger.newPage();
  await page.goto(chat.server.url);
  await expect(page.getByText("What can I do for you?")).toBeVisible();
  await stranger.close();
});
