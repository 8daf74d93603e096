// A game against a real model, if there is one: `MCP_MODEL` names it. The assistant that calls the tool is the script.

import { expect, test } from "./chat.mjs";

const { MCP_MODEL, MCP_MODEL_URL } = process.env;

test.use({ environment: { MCP_MODEL, MCP_MODEL_URL, CHAT_ASSISTANT: "scripted" } });
test.skip(!MCP_MODEL, "`MCP_MODEL` is not set");

test("a game against a real model is played to its end", async ({ chat }) => {
  test.setTimeout(10 * 60_000);
  await chat.say("a game");
  const game = chat.call("Tic-tac-toe");
  for (let turn = 0; turn < 5; turn += 1) {
    const free = game.getByRole("button", { name: /, free$/ }).first();
    const over = game.getByText("Done", { exact: true });
    await expect(free.or(over).first()).toBeVisible({ timeout: 5 * 60_000 });
    if (await over.isVisible()) break;
    const before = await game.getByRole("listitem").count();
    await free.click();
    await expect(game.getByRole("listitem")).not.toHaveCount(before);
  }
  await expect(game).toContainText(/The (model|user) won|It is a draw|no legal move/);
  await chat.screenshot("game-against-a-model");
});
