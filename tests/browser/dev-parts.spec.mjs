// Parts of the page of `dev` without a browser, against the engine's own JSON, the examples of RFC 6570, and random schemas.

import { rmSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";

import { build } from "esbuild";

import { expect, test } from "@playwright/test";

const source = (name) => fileURLToPath(new URL(`../../mcp-runtime/dev-page/src/${name}.ts`, import.meta.url));

/** Builds a file, and returns what it exports. */
async function load(name, info) {
  const outfile = info.outputPath(`${name.replaceAll("/", "-")}.mjs`);
  // Other parts of the page create elements when they are loaded.
  const banner = { js: "const document = { createElement: () => ({ setAttribute() {}, append() {} }) };" };
  await build({ entryPoints: [source(name)], bundle: true, format: "esm", outfile, banner, logLevel: "error" });
  const module = await import(pathToFileURL(outfile).href);
  rmSync(outfile);
  return module;
}

/** The same numbers in every run. */
function numbers(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

test("agrees with the engine on what is JSON, and never reads beyond the text", async ({}, info) => {
  const { brokenAt } = await load("input/json-position", info);
  const isJson = (text) => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };
  const next = numbers(1);
  const good = [
    '{"a":[1,-2.5e+3,true,null],"b\\u00e9":"\\n\\"x"}',
    "[]",
    " { } ",
    '"x"',
    "0",
    "[[[]],{}]",
    '{"":{"":[""]}}',
  ];
  const pieces = [
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    '"',
    "0",
    "1",
    "-",
    ".",
    "e",
    "\\",
    "\n",
    " ",
    "true",
    "null",
    "x",
    "\u0000",
  ];
  const wrong = [];
  let broken = 0;
  for (let round = 0; round < 30_000; round += 1) {
    let text = good[next(good.length)];
    for (let edit = next(3); edit > 0; edit -= 1) {
      const at = next(text.length + 1);
      text = text.slice(0, at) + (next(2) === 0 ? pieces[next(pieces.length)] : "") + text.slice(at + next(2));
    }
    const at = brokenAt(text);
    if ((at === undefined) !== isJson(text) || at > text.length) wrong.push(text);
    if (at !== undefined) broken += 1;
  }
  expect(wrong).toEqual([]);
  expect(broken).toBeGreaterThan(5_000);
  expect(brokenAt("[".repeat(1_000_000))).toBe(1_000_000);
  expect(brokenAt('{\n  "a": 1,\n}')).toBe(12);
});

test("expands templates as the examples of RFC 6570", async ({}, info) => {
  const { expand, variablesOf } = await load("input/template", info);
  const values = { var: "value", hello: "Hello World!", path: "/foo/bar", x: "1024", y: "768", empty: "" };
  for (const [template, uri] of [
    ["{var}", "value"],
    ["{hello}", "Hello%20World%21".replace("%21", "!")],
    ["{+path}/here", "/foo/bar/here"],
    ["here?ref={+path}", "here?ref=/foo/bar"],
    ["X{#var}", "X#value"],
    ["map?{x,y}", "map?1024,768"],
    ["{/var,x}/here", "/value/1024/here"],
    ["X{.x,y}", "X.1024.768"],
    ["{;x,y}", ";x=1024;y=768"],
    ["{?x,y}", "?x=1024&y=768"],
    ["?fixed=yes{&x}", "?fixed=yes&x=1024"],
    ["{?undef}", ""],
    ["no variable", "no variable"],
  ]) {
    expect(expand(template, values), template).toBe(uri);
  }
  expect(variablesOf("a/{x}{?y,z*}{x:3}")).toEqual(["x", "y", "z"]);
});

test("an address that is written is read again", async ({}, info) => {
  const { parse, write } = await load("address", info);
  for (const address of [
    { panel: "calls" },
    { panel: "server" },
    { panel: "messages", call: "a&b#c", message: 7 },
    { panel: "calls", item: { kind: "tool", name: "x/y?z#%", input: { a: [1, "ü&="] } } },
    { panel: "calls", item: { kind: "template", name: "bank://{a}{?b}" } },
  ]) {
    expect(parse(write(address))).toEqual(address);
  }
  // A long input is not written.
  const item = { kind: "tool", name: "x", input: "x".repeat(100_000) };
  expect(write({ panel: "calls", item })).toBe("#tool/x");
});

test("finds a shape for any schema, and always ends", async ({}, info) => {
  const { shapeOf } = await load("input/shape", info);
  const next = numbers(2);
  const names = [
    "type",
    "properties",
    "items",
    "oneOf",
    "anyOf",
    "enum",
    "const",
    "$ref",
    "required",
    "default",
    "title",
    "additionalProperties",
  ];
  const values = [
    null,
    true,
    5,
    "string",
    "object",
    "array",
    "#",
    "#/properties/a",
    "#/$defs/~1",
    {},
    [],
    ["string", "null"],
  ];
  const random = (depth) => {
    if (depth === 0 || next(3) === 0) return values[next(values.length)];
    if (next(4) === 0) return Array.from({ length: next(3) }, () => random(depth - 1));
    const member = () => {
      const name = next(4) === 0 ? "a" : names[next(names.length)];
      return [name, /Of$/.test(name) && next(2) === 0 ? [random(depth - 1), random(depth - 1)] : random(depth - 1)];
    };
    return Object.fromEntries(Array.from({ length: next(5) }, member));
  };
  const visit = (schema, root, depth) => {
    const shape = shapeOf(schema, root, depth);
    if (shape.kind === "object") for (const [, inner] of shape.properties) visit(inner, root, depth + 1);
    if (shape.kind === "list") visit(shape.items, root, depth + 1);
    if (shape.kind === "union") for (const { schema } of shape.options) visit(schema, root, depth + 1);
    return shape.kind;
  };
  const kinds = new Set();
  for (let round = 0; round < 20_000; round += 1) {
    const schema = random(4);
    kinds.add(visit(schema, schema !== null && typeof schema === "object" ? schema : {}, 0));
  }
  expect([...kinds].toSorted()).toEqual(["constant", "json", "leaf", "list", "object", "union"]);
});
