// The command `dev` of a real program for each test, and its page.

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

import { Dev, expect, test as mocked } from "./dev.mjs";

export const root = fileURLToPath(new URL("../../", import.meta.url));

/** The folder of the built programs. */
export const built = path.dirname(process.env.CHAT ?? path.join(root, "target/debug/chat"));

/** A running command. */
export class Program {
  data = mkdtempSync(path.join(tmpdir(), "dev-"));
  lines = [];

  /** Starts a program. `dev` are the arguments behind the command. */
  constructor(file, { cwd, own = [], dev = ["--no-build"], env = {} }) {
    Object.assign(this, { file, cwd, own, dev, env });
  }

  async start() {
    const words = [...this.own, "dev", "--data", this.data, ...this.dev];
    this.child = spawn(this.file, words, { cwd: this.cwd, env: { ...process.env, ...this.env }, stdio: ["ignore", "inherit", "pipe"] });
    this.ended = new Promise((resolve) => this.child.once("exit", (code, signal) => resolve(code ?? signal)));
    this.url = await new Promise((resolve, reject) => {
      this.child.once("exit", () => reject(new Error(`the command ended:\n${this.lines.join("\n")}`)));
      createInterface({ input: this.child.stderr }).on("line", (line) => {
        this.lines.push(line);
        if (this.lines.length > 2000) this.lines.shift();
        const page = /the page is (\S+)/.exec(line)?.[1];
        if (page) resolve(page);
      });
    });
  }

  get origin() {
    return new URL(this.url).origin;
  }

  get token() {
    return new URL(this.url).searchParams.get("token");
  }

  /** Makes a request of the page's interface. */
  async request(method, route, body) {
    const response = await fetch(this.origin + route, {
      method,
      headers: { authorization: `Bearer ${this.token}`, ...(body && { "content-type": "application/json" }) },
      body: body && JSON.stringify(body),
    });
    return response.json();
  }

  async end() {
    this.child.kill("SIGINT");
    await this.ended;
    rmSync(this.data, { recursive: true, force: true });
  }
}

/** The program of an example, in the folder of the example. */
export function example(name, options = {}) {
  return new Program(path.join(built, name), { cwd: path.join(root, "examples", name), ...options });
}

export const test = mocked.extend({
  /** The name of an example, and how it is started. */
  example: [{ name: "flights" }, { option: true }],
  program: async ({ example: { name, ...options } }, use) => {
    const program = example(name, options);
    await program.start();
    await use(program);
    await program.end();
  },
  mock: async ({ program }, use) => use(program),
});

/** Injects a fault, and waits until it has happened, or is armed for the next request. */
export async function inject(lane, fault) {
  const button = lane.getByRole("button", { name: fault });
  await button.click();
  if (/^(Kill|Clock)/.test(fault)) await expect(lane.getByText(`Fault: ${fault}`)).toBeVisible();
  // It answers the open question at once.
  else if (fault === "Answer wrongly") await expect(lane.getByText("answered by a script").first()).toBeVisible();
  else await expect(button).toHaveAttribute("aria-pressed", "true");
}

/** Answers the open questions of a lane until the call has ended. */
export async function answerAll(lane, most = 20) {
  const ended = /^(finished|failed|cancelled)$/;
  for (let round = 0; round < most; round++) {
    // The form of a question stays, busy, while its answer is sent.
    const question = lane.locator(".questions form:not([aria-busy])").first();
    // A call that works asks or ends. A fault can answer what it has asked.
    await expect.poll(async () => ended.test(await lane.getAttribute("data-state")) || (await question.isVisible())).toBe(true);
    if (ended.test(await lane.getAttribute("data-state"))) return;
    // A handle is this question, also if another one takes its place.
    const asked = await question.elementHandle({ timeout: 2_000 }).catch(() => null);
    if (!asked) continue;
    try {
      await fill(asked);
      // What happens on a page that the user opens is not tested here.
      const opensPage = (await asked.$(".visit")) !== null;
      await (await asked.$(opensPage ? 'button:text-is("Decline")' : "button[type=submit]")).click();
      await asked.waitForElementState("hidden");
    } catch (error) {
      // It was answered in the meantime.
      if (await asked.isVisible()) throw error;
    }
  }
}

/** Gives each field of a form a value that fits most tools. */
async function fill(form) {
  for (const group of await form.$$("fieldset:visible")) await (await group.$("input")).check();
  for (const box of await form.$$("div.field input[type=checkbox]:visible")) await box.check();
  for (const field of await form.$$("input[type=date]:visible")) await field.fill("2030-01-31");
  for (const field of await form.$$("input[type=datetime-local]:visible")) await field.fill("2030-01-31T12:00");
  for (const select of await form.$$("select:visible")) await select.selectOption({ index: 1 });
  await fillTexts(form);
}

/** Gives each empty field for a text or a number a value. */
export async function fillTexts(form) {
  const fields = ["text", "email", "url"].map((type) => `input[type=${type}]:visible`).join(", ");
  for (const field of await form.$$(`${fields}, textarea:visible`)) {
    if ((await field.inputValue()) !== "") continue;
    const type = await field.getAttribute("type");
    const isNumber = (await field.getAttribute("inputmode")) !== null;
    await field.fill(type === "email" ? "ada@example.com" : type === "url" ? "https://example.com" : isNumber ? "1" : "example");
  }
}

export { Dev, expect };
