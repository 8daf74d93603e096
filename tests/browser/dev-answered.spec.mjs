// Answers that are prepared before a call of a real program: nobody touches a form.

import { answerAll, expect, test } from "./dev-program.mjs";

const REVISIONS = ["2026-07-28", "2025-11-25"];

/** Opens a tool as a client of this revision. */
async function open(dev, page, revision, tool, input, answers) {
  const query = new URLSearchParams({ input: JSON.stringify(input), answers: JSON.stringify(answers) });
  await dev.open(`#tool/${tool}?${query}`);
  await page.getByRole("combobox", { name: "Revision", exact: true }).selectOption(revision);
}

/** How often the effects of the newest call ran. */
async function effects(program) {
  const { calls } = await program.request("GET", "/api/calls");
  const { ran } = await program.request("GET", `/api/calls/${calls[0].id}/record`);
  return ran["`after`"];
}

for (const revision of REVISIONS) {
  test.describe(revision, () => {
    test.use({ viewport: { width: 1440, height: 1000 } });

    test.describe(() => {
      test.use({ example: { name: "transfer" } });

      test("a transfer is confirmed by a prepared answer, as its command line does it", async ({ dev, page, program }) => {
        const answer = { kind: "form", action: "accept", content: { confirmed: true } };
        const input = { from: "household", to: "landlord", amount: "10.00" };
        const key = revision === REVISIONS[0] ? { key: "confirm" } : {};
        await open(dev, page, revision, "transfer", input, [{ ...key, ...answer }]);
        await page.getByRole("combobox", { name: "Transport" }).selectOption("http");
        await dev.form.locator("summary").filter({ hasText: "As a command" }).click();
        await expect(dev.form.getByRole("group", { name: "As curl" })).toContainText("tools/call");
        const curl = await dev.form.getByRole("group", { name: "As curl" }).textContent();
        const lane = await dev.call();
        await expect(lane).toHaveAttribute("data-state", "finished");
        await expect(lane.getByText("answered as prepared Send it: true")).toBeVisible();
        await lane.getByRole("button", { name: "Commands" }).click();
        await expect(lane.getByRole("group", { name: "As curl" })).toHaveText(curl);
        const command = await lane.getByRole("group", { name: "As a command" }).textContent();
        if (key.key) await expect(dev.form.getByRole("group", { name: "As a command" })).toHaveText(command);
        await expect.poll(() => effects(program)).toBe(1);
      });
    });

    test("a booking is made again with its answers and the reply of its model", async ({ dev, page, program }) => {
      const reply = { kind: "sampling", action: "reply", text: "Enjoy Helsinki!" };
      await open(dev, page, revision, "book_flight", { destination: "HEL" }, [reply]);
      const first = await dev.call();
      await answerAll(first);
      await expect(first).toHaveAttribute("data-state", "finished");
      await expect(first.getByText("answered as prepared Enjoy Helsinki!")).toBeVisible();
      await first.getByRole("button", { name: "Again, with the same answers" }).click();
      await expect(page.locator(".lane")).toHaveCount(2);
      const again = dev.lane();
      await expect(again).toHaveAttribute("data-state", "finished");
      await expect(again.getByText("answered as prepared")).toHaveCount(3);
      await expect.poll(() => effects(program)).toBe(1);
    });

    test("a fault that is armed is taken back", async ({ dev, page }) => {
      await open(dev, page, revision, "book_flight", { destination: "HEL" }, []);
      const lane = await dev.call();
      await lane.locator(".questions form").waitFor();
      await lane.getByText("Faults: break this call").click();
      const fault = lane.getByRole("button", { name: "Lose the next reply" });
      await fault.click();
      await expect(fault).toHaveAttribute("aria-pressed", "true");
      await fault.click();
      await expect(fault).toHaveAttribute("aria-pressed", "false");
      await answerAll(lane);
      await expect(lane).toHaveAttribute("data-state", "finished");
      await expect(lane.getByText("Fault: Lose the next reply")).toHaveCount(0);
    });
  });
}
