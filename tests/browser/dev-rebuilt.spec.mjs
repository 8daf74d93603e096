// A program that changes while its tools are called: open calls continue in the new program, and compile errors come and go.

import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { built, expect, Program, root, test as base } from "./dev-program.mjs";

const MANIFEST = `[package]
name = "letters"
version = "0.1.0"
edition = "2024"

[features]
dev = ["mcp-runtime/dev"]

[dependencies]
mcp-runtime = { path = ${JSON.stringify(path.join(root, "mcp-runtime"))}, features = ["cli"] }
schemars = "1"
serde = { version = "1", features = ["derive"] }
tokio = { version = "1", features = ["macros", "rt"] }

[workspace]
`;

const SOURCE = `use std::process::ExitCode;

use mcp_runtime::{Result, prelude::*};

#[elicits]
enum Letter {
    Whom { name: String },
    Really { sure: bool },
}

struct Send;

/// Sends a letter.
#[handoff]
impl Send {
    async fn before(&self, text: String) -> String {
        text
    }

    async fn client(ctx: &Ctx<Letter>, text: &String) -> Result<Option<String>> {
        let Whom { name } = ctx.elicit::<Whom>("To whom?").strict().await?;
        let Really { sure } = ctx.elicit::<Really>(format!("Send \`{text}\` to {name}?")).strict().await?;
        Ok(sure.then_some(name))
    }

    async fn after(&self, text: String, name: Option<String>) -> String {
        name.map_or("nothing is sent".to_owned(), |name| format!("sent to {name}: {text}"))
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    Server::new("letters", "0.1.0").tool(Send).run().await
}
`;

const target = path.dirname(built);

const test = base.extend({
  project: [
    async ({}, use) => {
      const folder = mkdtempSync(path.join(tmpdir(), "letters-"));
      mkdirSync(path.join(folder, "src"));
      writeFileSync(path.join(folder, "Cargo.toml"), MANIFEST);
      writeFileSync(path.join(folder, "src/main.rs"), SOURCE);
      for (const name of ["Cargo.lock", "rust-toolchain.toml"]) copyFileSync(path.join(root, name), path.join(folder, name));
      // The crates of the registry are those of the other steps.
      execFileSync("cargo", ["build", "--features", "dev"], { cwd: folder, stdio: "inherit", env: { ...process.env, CARGO_TARGET_DIR: target } });
      await use(folder);
      rmSync(folder, { recursive: true });
    },
    { scope: "worker", timeout: 1_800_000 },
  ],
  program: async ({ project }, use) => {
    writeFileSync(path.join(project, "src/main.rs"), SOURCE);
    const program = new Program(path.join(built, "letters"), { cwd: project, dev: [], env: { CARGO_TARGET_DIR: target } });
    await program.start();
    await use(program);
    await program.end();
  },
});

/** Changes the source file. */
function change(project, from, to) {
  const file = path.join(project, "src/main.rs");
  const source = readFileSync(file, "utf8");
  expect(source).toContain(from);
  // At once: a build must not find half of it.
  writeFileSync(`${file}~`, source.replace(from, to));
  renameSync(`${file}~`, file);
}

const built_ = async (program, number) =>
  expect.poll(async () => (await program.request("GET", "/api/state")).build, { timeout: 600_000 }).toMatchObject({ status: "built", number });

test.describe.configure({ mode: "serial", timeout: 1_800_000 });
test.use({ viewport: { width: 1440, height: 1000 } });

async function ask(dev) {
  await dev.open(`#tool/send?input=${encodeURIComponent('{"text":"Hello"}')}`);
  const lane = await dev.call();
  await lane.getByRole("textbox", { name: "Name" }).fill("Ada");
  await lane.getByRole("button", { name: "Submit" }).click();
  await expect(lane.getByRole("form", { name: "Send `Hello` to Ada?" })).toBeVisible();
  return lane;
}

test("a call ends with the answer of the new code", async ({ dev, project, program }) => {
  await built_(program, 1);
  const lane = await ask(dev);
  change(project, "sent to {name}", "posted to {name}");
  await built_(program, 2);
  await lane.getByRole("checkbox", { name: "Sure" }).check();
  await lane.getByRole("button", { name: "Submit" }).click();
  await expect(lane).toHaveAttribute("data-state", "finished");
  await expect(lane).toContainText("posted to Ada: Hello");
  await expect(lane.getByText(/Not as promised/)).toHaveCount(0);
});

test("a question that has changed is shown beside the one before, and answered", async ({ dev, project, program }) => {
  await built_(program, 1);
  const lane = await ask(dev);
  change(project, "Send \\`{text}\\` to {name}?".replaceAll("\\", ""), "Post it to {name} for 2 euros?");
  await built_(program, 2);
  await lane.getByRole("checkbox", { name: "Sure" }).check();
  await lane.getByRole("button", { name: "Submit" }).click();
  const changed = lane.getByText("The question has changed").locator("..");
  await expect(changed).toBeVisible();
  await expect(lane).toContainText("Send `Hello` to Ada?");
  await expect(lane.getByRole("form", { name: "Post it to Ada for 2 euros?" })).toBeVisible();
  await expect(lane.getByRole("button", { name: "Start the call again" })).toBeVisible();
  await dev.screenshot("changed");
  await lane.getByRole("checkbox", { name: "Sure" }).check();
  await lane.getByRole("button", { name: "Submit" }).click();
  await expect(lane).toContainText("sent to Ada: Hello");
});

test("a compile error appears and goes, and the program before it keeps running", async ({ dev, page, project, program }) => {
  await built_(program, 1);
  const lane = await ask(dev);
  change(project, "Ok(sure.then_some(name))", "Ok(sure.then_some(nobody))");
  await expect(page.getByRole("status").filter({ hasText: "The build has failed: 1 error" }).first()).toBeAttached({ timeout: 600_000 });
  await dev.tab("Build and server").click();
  await expect(page.getByText("cannot find value `nobody` in this scope").first()).toBeVisible();
  await expect(page.getByText("src/main.rs", { exact: false }).first()).toBeVisible();
  await dev.screenshot("compile-error");
  expect(program.lines.join("\n")).toContain("cannot find value `nobody`");
  await dev.tab("Calls").click();
  await lane.getByRole("checkbox", { name: "Sure" }).check();
  await lane.getByRole("button", { name: "Submit" }).click();
  await expect(lane).toContainText("sent to Ada: Hello");
  change(project, "nobody", "name");
  await built_(program, 3);
  await dev.tab("Build and server").click();
  await expect(page.getByText("cannot find value")).toHaveCount(0);
});
