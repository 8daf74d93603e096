// What the pages are built from.

import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

import { expect, test } from "@playwright/test";

const web = fileURLToPath(new URL("../../examples/chat/web/", import.meta.url));
const dev = fileURLToPath(new URL("../../mcp-runtime/dev-page/", import.meta.url));

/** Runs the work with a copy of the page's sources. */
function withCopy(work) {
  const copy = mkdtempSync(path.join(tmpdir(), "page-"));
  try {
    for (const name of ["src", "index.html", "package.json", "tsconfig.json", "vite.config.js"]) {
      cpSync(path.join(web, name), path.join(copy, name), { recursive: true });
    }
    symlinkSync(path.join(web, "node_modules"), path.join(copy, "node_modules"));
    return work(copy);
  } finally {
    rmSync(copy, { recursive: true });
  }
}

const files = ["index.html", "assets/page.js", "assets/page.css"];

test("the built page in the repository is up to date", () => {
  withCopy((copy) => {
    execFileSync("npx", ["vite", "build"], { cwd: copy, stdio: "pipe" });
    for (const name of files) {
      const [built, kept] = [copy, web].map((folder) => readFileSync(path.join(folder, "dist", name), "utf8"));
      expect(built === kept, `${name} differs: run \`npm run build\` in examples/chat/web`).toBe(true);
    }
  });
});

test("the page is small", () => {
  const sizes = files.map((name) => gzipSync(readFileSync(path.join(web, "dist", name))).length);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  console.log(`the page has ${total} bytes, compressed`);
  expect(total).toBeLessThan(60_000);
});

test("the built page of `dev` in the repository is up to date", () => {
  const built = mkdtempSync(path.join(tmpdir(), "dev-page-"));
  try {
    // The page is built from parts of the chat page, so it is built where it is.
    execFileSync("npx", ["tsc", "--noEmit"], { cwd: dev, stdio: "pipe" });
    execFileSync("npx", ["vite", "build", "--outDir", built, "--emptyOutDir"], { cwd: dev, stdio: "pipe" });
    for (const name of ["page.js", "page.css"]) {
      const isSame =
        readFileSync(path.join(built, name), "utf8") === readFileSync(path.join(dev, "dist", name), "utf8");
      expect(isSame, `${name} differs: run \`npm run build\` in mcp-runtime/dev-page`).toBe(true);
    }
  } finally {
    rmSync(built, { recursive: true });
  }
});

test("the page of `dev` is small, and one document can hold it", () => {
  const [script, style] = ["page.js", "page.css"].map((name) => readFileSync(path.join(dev, "dist", name), "utf8"));
  const total = gzipSync(script + style).length;
  console.log(`the page of \`dev\` has ${total} bytes, compressed`);
  expect(total).toBeLessThan(60_000);
  // Nothing ends its element, loads anything, or makes code or markup of a text.
  expect(script).not.toMatch(
    /<\/script|<!--|innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|\bimport\(/,
  );
  expect(style).not.toMatch(/<\/style|@import|url\(/);
});

test("a page of a view knows the data of its tools", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "view-"));
  const view = path.join(folder, "view.ts");
  const types = path.join(web, "views/mcp-view.d.ts");
  const flags = ["--ignoreConfig", "--noEmit", "--strict", "--target", "ES2022", "--types", "", types, view];
  const check = (script) => {
    writeFileSync(view, script);
    return spawnSync("node_modules/.bin/tsc", flags, { cwd: web, encoding: "utf8" }).stdout;
  };
  const script = `
    const view = connectView<"ui://flights/seats">({
      name: "seats",
      onInput: ({ flight }) => console.log(flight.length),
      onResult: ({ structuredContent }) => console.log(structuredContent?.free.join(" ")),
      onQuestion: ({ requestedSchema }) => ({ action: "accept", content: { seat: String(requestedSchema.properties.seat?.enum) } }),
    });
    export const free = async () => (await view.callTool("seat_map", { flight: "AL143-04" })).structuredContent?.free;
  `;
  try {
    expect(check(script)).toBe("");
    for (const [word, wrong, told] of [
      ["{ flight })", "{ fligth })", "fligth"],
      ["?.free.join", "?.seats.join", "'seats' does not exist"],
      ["{ seat: String", "{ seats: String", "seats"],
      ["seat_map", "delete_everything", "delete_everything"],
      ["ui://flights/seats", "ui://flights/map", "ui://flights/map"],
    ]) {
      expect(check(script.replace(word, wrong)), wrong).toContain(told);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("a page that lacks a form does not compile", () => {
  withCopy((copy) => {
    const check = () => spawnSync("npx", ["tsc", "--noEmit"], { cwd: copy, encoding: "utf8" });
    expect(check().stdout).toBe("");
    const handlers = path.join(copy, "src/forms/handlers.ts");
    const complete = readFileSync(handlers, "utf8");
    const lacking = complete.replace(/^ *confirm: .*\n/m, "");
    expect(lacking).not.toBe(complete);
    writeFileSync(handlers, lacking);
    expect(check().stdout).toContain("Property 'confirm' is missing");

    // A form that the tool gets later.
    writeFileSync(handlers, complete);
    const types = path.join(copy, "src/plugins/plugin-types.d.ts");
    const more = readFileSync(types, "utf8").replace(
      "      confirm: {",
      "      pay: { card: string };\n      confirm: {",
    );
    writeFileSync(types, more);
    expect(check().stdout).toContain("Property 'pay' is missing");
  });
});
