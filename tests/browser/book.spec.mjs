// The book: axe on ten pages in both colours, without scripts, by keyboard, on narrow screens, and what it loads.

import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { AxeBuilder } from "@axe-core/playwright";
import { expect, test } from "@playwright/test";

const root = fileURLToPath(new URL("../../", import.meta.url));
// Cargo's folder.
const target = path.join(process.env.CHAT ?? path.join(root, "target/debug/chat"), "../..");
const book = path.join(target, "book/html");
const reports = process.env.REPORTS ?? path.join(root, "target/browser");

// One of each kind: prose, code, tables, diagrams, commands, compile errors.
const pages = [
  "introduction",
  "tutorial/index",
  "tutorial/handoff",
  "guides/choosing",
  "guides/asking",
  "guides/deploying",
  "coming-from/rmcp",
  "how-it-works/rounds",
  "how-it-works/numbers",
  "reference/revisions",
];

const types = { ".css": "text/css", ".html": "text/html", ".js": "text/javascript", ".svg": "image/svg+xml" };
let server;
let url;

test.beforeAll(async () => {
  expect(existsSync(book), "run `.ci/book build` first").toBe(true);
  server = createServer((request, response) => {
    const file = path.join(book, decodeURIComponent(new URL(request.url, "http://book").pathname));
    if (!file.startsWith(book) || !existsSync(file) || !statSync(file).isFile()) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { "Content-Type": types[path.extname(file)] ?? "application/octet-stream" });
    createReadStream(file).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${server.address().port}`;
});

test.afterAll(() => server.close());

for (const colorScheme of ["light", "dark"]) {
  test.describe(`in ${colorScheme} colours`, () => {
    test.use({ colorScheme });

    for (const name of pages) {
      test(`axe finds nothing on ${name}, which loads nothing from elsewhere`, async ({ page }) => {
        const requests = [];
        page.on("request", (request) => requests.push(request.url()));
        await page.goto(`${url}/${name}.html`);
        await expect(page.getByRole("heading", { level: 1 }).last()).toBeVisible();
        await page.screenshot({ path: path.join(reports, `book-${name.replace("/", "-")}-${colorScheme}.png`), fullPage: true });
        const { violations } = await new AxeBuilder({ page }).analyze();
        expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`)).toEqual([]);
        expect(requests.filter((request) => !request.startsWith(url))).toEqual([]);
      });
    }
  });
}

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("a page shows its text, its code, and the way to the next one", async ({ page }) => {
    await page.goto(`${url}/tutorial/first-tool.html`);
    await expect(page.locator("main h1")).toBeVisible();
    await expect(page.locator("main pre").first()).toBeVisible();
    await page.locator("a.next:visible").first().click();
    await expect(page).toHaveURL(/tutorial\/parameters\.html$/);
  });

  test("the menu leads to every part", async ({ page }) => {
    await page.goto(`${url}/introduction.html`);
    const menu = page.frameLocator("iframe.sidebar-iframe-outer");
    await expect(menu.getByRole("link", { name: "Asking the user" })).toBeVisible();
  });
});

test.describe("on a narrow screen", () => {
  test.use({ viewport: { width: 320, height: 700 } });

  for (const name of pages) {
    test(`${name} is not wider than the screen`, async ({ page }) => {
      await page.goto(`${url}/${name}.html`);
      await page.screenshot({ path: path.join(reports, `book-${name.replace("/", "-")}-narrow.png`), fullPage: true });
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width).toBeLessThanOrEqual(320);
    });
  }
});

test("a search finds a page", async ({ page }) => {
  await page.goto(`${url}/introduction.html`);
  await page.keyboard.press("s");
  await page.locator("#mdbook-searchbar").pressSequentially("idempotency");
  await expect(page.locator("#mdbook-searchresults a").first()).toBeVisible();
});
