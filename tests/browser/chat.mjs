// A chat server of its own for each test, and what a user does on its page.

import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { test as base, expect } from "@playwright/test";

const root = fileURLToPath(new URL("../../", import.meta.url));
const program = process.env.CHAT ?? path.join(root, "target/debug/chat");
const reports = process.env.REPORTS ?? path.join(root, "target/browser");

/** A running server. It can be killed and started again with the same data. */
class Server {
  data = mkdtempSync(path.join(tmpdir(), "chat-"));
  address = "127.0.0.1:0";
  url = "";

  constructor(environment) {
    this.environment = environment;
  }

  async start() {
    this.child = spawn(program, {
      cwd: path.join(root, "examples/code_search"),
      env: { PATH: process.env.PATH, CHAT_ADDR: this.address, CHAT_DATA: this.data, ...this.environment },
      stdio: ["ignore", "pipe", "inherit"],
    });
    this.url = await new Promise((resolve, reject) => {
      this.child.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
      this.child.stdout.once("data", (line) => resolve(String(line).trim()));
    });
    // After a restart the page finds the server where it was.
    this.address = new URL(this.url).host;
  }

  /** Ends the server without warning. */
  async kill() {
    this.child.removeAllListeners("exit");
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = new Promise((resolve) => this.child.once("exit", resolve));
    this.child.kill("SIGKILL");
    await ended;
  }

  async restart() {
    await this.kill();
    await this.start();
  }

  async end() {
    await this.kill();
    rmSync(this.data, { recursive: true, force: true });
  }
}

/** What a user does on the page. */
export class Chat {
  constructor(page, server) {
    this.page = page;
    this.server = server;
  }

  async open(page = this.page) {
    await page.goto(this.server.url);
    await expect(page.getByRole("textbox", { name: "Message" })).toBeFocused();
  }

  /** Says something, by default when the assistant has finished. */
  async say(text, { atWork = false } = {}) {
    if (!atWork) await expect(this.page.getByRole("button", { name: "Send" })).toBeVisible();
    await this.page.getByRole("textbox", { name: "Message" }).fill(text);
    await this.page.keyboard.press("Enter");
  }

  /** The card of a call. */
  call(name) {
    return this.page.getByRole("article", { name });
  }

  /** The text of the last message of the assistant. */
  get answer() {
    return this.page.locator(".assistant").last();
  }

  async screenshot(name) {
    mkdirSync(reports, { recursive: true });
    await this.page.screenshot({ path: path.join(reports, `${name}.png`) });
  }
}

export const test = base.extend({
  environment: [{}, { option: true }],
  server: async ({ environment }, use) => {
    const server = new Server(environment);
    await server.start();
    await use(server);
    await server.end();
  },
  chat: async ({ page, server }, use) => {
    const problems = [];
    page.on("pageerror", (error) => problems.push(String(error)));
    const chat = new Chat(page, server);
    await chat.open();
    await use(chat);
    expect(problems).toEqual([]);
  },
});

export { expect };
