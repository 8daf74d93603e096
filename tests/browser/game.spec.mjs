// A game of tic-tac-toe.

import { expect, test } from "./chat.mjs";

test("Escape closes the board without an answer", async ({ chat }) => {
  await chat.page.getByRole("button", { name: "Play a game" }).click();
  const game = chat.call("Tic-tac-toe");
  await game.getByRole("button", { name: "centre, free", exact: true }).focus();
  await chat.page.keyboard.press("Escape");
  await expect(game).toContainText("Closed without an answer");
});

test("a whole game is played by clicking", async ({ chat }) => {
  await chat.page.getByRole("button", { name: "Play a game" }).click();
  const game = chat.call("Tic-tac-toe");
  // The script takes the centre, then corners.
  for (const [move, cell] of [
    ["top left", "1, top left"],
    ["top right", "3, top right"],
    ["bottom", "8, bottom"],
    ["left", "4, left"],
  ].entries()) {
    const [place, answer] = cell;
    const button = game.getByRole("button", { name: `${place}, free`, exact: true });
    await expect(button).toBeVisible();
    if (move === 2) await chat.screenshot("board");
    await button.click();
    await expect(game.getByText(`Cell: ${answer}`)).toBeVisible();
    if (await game.getByText("won").isVisible()) break;
  }
  await expect(game).toContainText("Done");
  await expect(game).toContainText(/The (model|user) won|draw/);
  await expect(chat.answer).toContainText(/won|draw/);
  await chat.screenshot("game-over");
});

test("a taken cell cannot be chosen", async ({ chat }) => {
  await chat.say("a game");
  const game = chat.call("Tic-tac-toe");
  await game.getByRole("button", { name: "centre, free" }).click();
  const taken = game.getByRole("button", { name: "centre, X" });
  await expect(taken).toHaveAttribute("aria-disabled", "true");
  await taken.click({ force: true });
  await expect(game).toContainText("Your turn");
});
