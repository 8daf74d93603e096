// “Make this a test”: what was played on the page is a test of the example's package, which compiles and passes.

import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { answerAll, expect, inject, root, test } from "./dev-program.mjs";

const PLAYED = [
  ["flights", "book_flight", { destination: "HEL" }, "Lose the next reply"],
  ["transfer", "transfer", { from: "household", to: "landlord", amount: "10.00" }, "Kill the process"],
];

for (const [name, tool, input, fault] of PLAYED) {
  test.describe(() => {
    test.use({ example: { name }, viewport: { width: 1440, height: 1000 } });

    test(`a call of ${name} becomes a test of its package`, async ({ dev }) => {
      test.setTimeout(1_800_000);
      await dev.open(`#tool/${tool}?input=${encodeURIComponent(JSON.stringify(input))}`);
      const lane = await dev.call();
      await lane.locator(".questions form").waitFor();
      await lane.getByText("Faults: break this call").click();
      await inject(lane, fault);
      await answerAll(lane);
      await expect(lane).toHaveAttribute("data-state", "finished");
      await lane.getByRole("button", { name: "Make this a test" }).click();
      const source = await lane.getByLabel("Source of the test").textContent();
      expect(source).toContain("Fault::");

      const file = path.join(root, "examples", name, "tests", `played_${name}.rs`);
      try {
        writeFileSync(file, source);
        // With the features of `cargo test`, so that the crates are built once.
        const flags = ["test", "--locked", "--test", `played_${name}`];
        const printed = execFileSync("cargo", flags, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
        expect(printed).toContain("1 passed");
        execFileSync("rustfmt", ["--check", "--edition", "2024", "--config-path", path.join(root, "rustfmt.toml"), file]);
      } finally {
        rmSync(file, { force: true });
      }
    });
  });
}
