// The landing page of a server, without scripts, in both colours, and on a narrow screen.

import { spawn } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { AxeBuilder } from "@axe-core/playwright";
import { expect, test } from "@playwright/test";

const root = fileURLToPath(new URL("../../", import.meta.url));
const programs = path.dirname(process.env.CHAT ?? path.join(root, "target/debug/chat"));
const reports = process.env.REPORTS ?? path.join(root, "target/browser");

let server;
let url;

test.beforeAll(async () => {
  const arguments_ = ["http", "--addr", "127.0.0.1:0"];
  const cwd = path.join(root, "examples/code_search/fixture");
  server = spawn(path.join(programs, "code_search"), arguments_, { cwd, stdio: ["ignore", "inherit", "pipe"] });
  url = await new Promise((resolve, reject) => {
    server.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
    let said = "";
    server.stderr.on("data", (part) => {
      // A line can come in parts.
      said += part;
      const found = /serving MCP clients at (http:\S+)\/mcp\n/.exec(said);
      if (found) resolve(`${found[1]}/`);
    });
  });
});

test.afterAll(() => {
  server.removeAllListeners("exit");
  server.kill();
});

for (const colorScheme of ["light", "dark"]) {
  test.describe(`in ${colorScheme} colours`, () => {
    test.use({ colorScheme });

    test("axe finds nothing, and the browser loads nothing else", async ({ page }) => {
      const requests = [];
      const messages = [];
      page.on("request", (request) => requests.push(request.url()));
      page.on("console", (message) => messages.push(message.text()));
      await page.goto(url);
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("Code search");
      for (const summary of await page.locator("summary").all()) await summary.click();
      await page.screenshot({ path: path.join(reports, `landing-open-${colorScheme}.png`), fullPage: true });
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`)).toEqual([]);
      // A browser asks for an icon by itself.
      expect(requests.filter((request) => !request.endsWith("/favicon.ico"))).toEqual([url]);
      expect(messages.filter((message) => /Content.Security.Policy/i.test(message))).toEqual([]);
    });
  });
}

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false, viewport: { width: 360, height: 700 } });

  test("a narrow screen shows everything, and nothing is too wide", async ({ page }) => {
    await page.goto(url);
    await page.screenshot({ path: path.join(reports, "landing-narrow.png"), fullPage: true });
    await expect(page.getByText(`${url}mcp`, { exact: true })).toBeVisible();
    await expect(page.getByRole("link", { name: "Add to Cursor" })).toHaveAttribute("href", /^cursor:\/\//);
    await page.getByText("Claude Code", { exact: true }).click();
    await expect(page.getByText("claude mcp add", { exact: false })).toBeVisible();
    await page.getByText("parameters").first().click();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(360);
  });
});
