// Tools with effects, played with every fault in both eras: what the page says is what the ledger says.

import { answerAll, expect, inject, test } from "./dev-program.mjs";

const FAULTS = {
  "Lose the next reply": { state: "finished", after: 1 },
  "Send the next request twice": { state: "finished", after: 1 },
  "Answer late": { state: "failed", after: 0, isModern: true },
  "Answer wrongly": { state: "finished", after: 1 },
  "Answer a spent state": { state: "finished", after: 1, isModern: true },
  "Close the connection": { state: "finished", after: 1 },
  "Use the other instance": { state: "finished", after: 1, isModern: true },
  "Kill the process": { state: "finished", after: 1 },
  "Clock forward": { state: "failed", after: 0 },
};

/** What a session cannot promise: it lives in one connection of one process, and a repeated request is a new call. */
const IN_SESSIONS = {
  "Lose the next reply": { state: "finished", after: 2, isBroken: true },
  "Close the connection": { state: "finished", after: 1, isBroken: true },
  "Kill the process": { state: "failed", after: 0, isBroken: true },
  "Clock forward": { state: "failed", after: 0, isBroken: true },
};

const PLAYED = [
  ["flights", "book_flight", { destination: "HEL" }],
  ["transfer", "transfer", { from: "household", to: "landlord", amount: "10.00" }],
];

for (const [name, tool, input] of PLAYED) {
  for (const revision of ["2026-07-28", "2025-11-25"]) {
    const isModern = revision === "2026-07-28";
    for (const [fault, promised] of Object.entries(FAULTS)) {
      if (promised.isModern && !isModern) continue;
      test.describe(() => {
        test.use({ example: { name }, viewport: { width: 1440, height: 1000 } });

        test(`${tool}, ${revision}: ${fault}`, async ({ dev, page, program }) => {
          const { state, after, isBroken = false } = { ...promised, ...(!isModern && IN_SESSIONS[fault]) };
          await dev.open(`#tool/${tool}?input=${encodeURIComponent(JSON.stringify(input))}`);
          await page.getByRole("combobox", { name: "Revision", exact: true }).selectOption(revision);
          const lane = await dev.call();
          await lane.locator(".questions form").waitFor();
          const record = lane.getByRole("button", { name: "State and record" });
          if ((await record.getAttribute("aria-expanded")) === "false") await record.click();
          await lane.getByText("Faults: break this call").click();
          await inject(lane, fault);
          // In a session, the call is over with its process.
          if (state === "finished" || isModern) await answerAll(lane);
          await expect(lane).toHaveAttribute("data-state", state);
          const finding = new RegExp(`^${isBroken ? "Not as" : "As"} promised \\(${fault}\\)`);
          await expect(lane.getByText(finding).first()).toBeVisible();

          // The record of the ledger says the same.
          const { calls } = await program.request("GET", "/api/calls");
          const read = () => program.request("GET", `/api/calls/${calls[0].id}/record`);
          // What has run is reported beside the reply.
          await expect.poll(async () => (await read()).ran["`after`"] ?? 0).toBe(after);
          const remembered = await read();
          if (isModern) expect(remembered.record.status).toBe(state === "finished" ? "done" : "open");
          if (isModern) await expect(lane.locator(".lane-panel")).toContainText(state === "finished" ? "done" : "open");
        });
      });
    }
  }
}
