// A mock of the command `dev` for each test, and what a developer does on its page.

import { mkdirSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { AxeBuilder } from "@axe-core/playwright";
import { test as base, expect } from "@playwright/test";

import { DevMock } from "./dev-mock.mjs";

const reports = process.env.REPORTS ?? fileURLToPath(new URL("../../target/browser", import.meta.url));

/** What a developer does on the page. */
export class Dev {
  constructor(page, mock) {
    this.page = page;
    this.mock = mock;
  }

  async open(hash = "") {
    await this.page.goto(this.mock.url + hash);
    await expect(this.page.getByRole("heading", { level: 1 })).toBeVisible();
    // The mock tells a page only what happens after it follows.
    if (this.mock instanceof DevMock) await expect.poll(() => this.mock.followers).toBeGreaterThan(0);
  }

  /** Chooses an item in the list. */
  async choose(name) {
    const link = this.page.getByRole("navigation").getByRole("link", { name }).first();
    await link.click();
    await expect(link).toHaveAttribute("aria-current", "page");
    await expect(this.item).toBeVisible();
  }

  get item() {
    return this.page.locator(".item");
  }

  get form() {
    return this.page.getByRole("form", { name: "Input" });
  }

  async call() {
    const begun = this.page.waitForResponse(
      (response) => response.url().endsWith("/api/calls") && response.status() === 201,
    );
    await this.form.getByRole("button", { name: /^(Call|Read|Get the prompt)$/ }).click();
    await begun;
    // The page moves the keyboard there when it is done.
    await expect(this.lane()).toBeFocused();
    return this.lane();
  }

  /** The newest lane. */
  lane() {
    return this.page.locator(".lane").first();
  }

  tab(name) {
    return this.page.getByRole("tab", { name });
  }

  /** The last request of the page to this route. */
  last(route) {
    return this.mock.requests.findLast((request) => request.route === route)?.body;
  }

  async findings() {
    const { violations } = await new AxeBuilder({ page: this.page }).analyze();
    return violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join(" ")}`,
    );
  }

  /** Waits until a text is read aloud. The next one takes its place at once. */
  async hears(text) {
    await expect.poll(() => this.page.evaluate(() => heard.join("\n"))).toContain(text);
  }

  async screenshot(name) {
    mkdirSync(reports, { recursive: true });
    await this.page.screenshot({ path: path.join(reports, `dev-${name}.png`) });
  }
}

export const test = base.extend({
  messages: [0, { option: true }],
  mock: async ({ messages }, use) => {
    const mock = new DevMock({ messages });
    await mock.start();
    await use(mock);
    await mock.end();
  },
  dev: async ({ page, mock }, use) => {
    const problems = [];
    await page.addInitScript(() => {
      window.heard = [];
      new MutationObserver((changes) => {
        for (const { target } of changes)
          if (target.nodeType === 1 && target.matches("body > [aria-live=polite]")) heard.push(target.textContent);
      }).observe(document, { childList: true, subtree: true });
    });
    page.on("pageerror", (error) => problems.push(String(error)));
    // What the policy of the document forbids is said on the console.
    page.on("console", (message) => {
      if (message.type() === "error" && !/Failed to load resource|ERR_/.test(message.text()))
        problems.push(message.text());
    });
    await use(new Dev(page, mock));
    expect(problems).toEqual([]);
  },
});

export { expect };
