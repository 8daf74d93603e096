// A recorded server for the mock of the command `dev`: its state, its items, and the report of `check`.

/** Tools with schemas of every kind. */
const SCHEMAS = {
  flat: {
    type: "object",
    properties: {
      city: { type: "string", title: "City", description: "Where to look.", minLength: 2 },
      nights: { type: "integer", minimum: 1, maximum: 30, default: 2 },
      price: { type: "number", description: "At most this much." },
      breakfast: { type: "boolean" },
      arrival: { type: "string", format: "date" },
      mail: { type: "string", format: "email" },
      class: { type: "string", enum: ["economy", "business", "first"], default: "economy" },
      seat: {
        oneOf: [
          { const: "w", title: "Window" },
          { const: "a", title: "Aisle" },
        ],
      },
      level: { enum: [1, 2, 3] },
      note: { type: ["string", "null"], maxLength: 500 },
    },
    required: ["city", "nights"],
  },
  nested: {
    type: "object",
    properties: {
      address: { $ref: "#/$defs/Address" },
      tags: { type: "array", items: { type: "string" }, minItems: 1 },
      colours: { type: "array", uniqueItems: true, items: { type: "string", enum: ["red", "green", "blue"] } },
      points: {
        type: "array",
        items: { type: "object", properties: { x: { type: "number" }, y: { type: "number" } }, required: ["x", "y"] },
      },
      shape: {
        oneOf: [
          {
            type: "object",
            title: "Circle",
            properties: { kind: { const: "circle" }, radius: { type: "number" } },
            required: ["kind", "radius"],
          },
          {
            type: "object",
            title: "Square",
            properties: { kind: { const: "square" }, side: { type: "number" } },
            required: ["kind", "side"],
          },
        ],
      },
      extra: { type: "object", additionalProperties: { type: "string" } },
      tree: { $ref: "#/$defs/Tree" },
    },
    required: ["address", "tags", "shape"],
    $defs: {
      Address: {
        type: "object",
        description: "Where it goes.",
        properties: { street: { type: "string" }, number: { type: "integer" } },
        required: ["street"],
      },
      Tree: { type: "object", properties: { name: { type: "string" }, child: { $ref: "#/$defs/Tree" } } },
    },
  },
  transfer: {
    type: "object",
    properties: { to: { type: "string", description: "The account." }, cents: { type: "integer", minimum: 1 } },
    required: ["to", "cents"],
  },
};

const none = { type: "object", properties: {} };
export const HOSTILE = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>';

const tool = (name, more = {}) => ({ name, description: `Runs ${name}.`, inputSchema: none, tokens: 40, ...more });

export const ITEMS = {
  serverInfo: { name: "bank", title: "The bank", version: "1.0.0" },
  instructions: "Ask before you transfer money.",
  tools: [
    tool("transfer_money", {
      title: "Transfer money",
      description: "Transfers money if the user confirms.",
      inputSchema: SCHEMAS.transfer,
      tokens: 96,
      example: { to: "DE-77", cents: 1200 },
      annotations: { destructiveHint: true },
    }),
    tool("find_hotel", {
      title: "Find a hotel",
      description: "Finds hotels.\nThe cheapest is the first.",
      inputSchema: SCHEMAS.flat,
      tokens: 310,
      annotations: { readOnlyHint: true },
    }),
    tool("draw_shape", { inputSchema: SCHEMAS.nested, tokens: 420 }),
    tool("seat_map", {
      title: "Seat map",
      inputSchema: { type: "object", properties: { flight: { type: "string" } }, required: ["flight"] },
      _meta: { ui: { resourceUri: "ui://flights/seats" } },
      example: { flight: "AL143" },
    }),
    ...["ask_twice", "ask_model", "ask_roots", "open_page", "show_media", "renamed", "fails", "floods", "waits"].map(
      (name) => tool(name),
    ),
  ],
  prompts: [
    {
      name: "summarize",
      title: "Summarize",
      description: "Summarizes a document.",
      arguments: [{ name: "document", description: "Which one.", required: true }, { name: "style" }],
    },
  ],
  resources: [
    { uri: "file:///notes.txt", name: "Notes", mimeType: "text/plain" },
    { uri: "ui://flights/seats", name: "Seats", mimeType: "text/html;profile=mcp-app" },
  ],
  resourceTemplates: [
    { uriTemplate: "bank://accounts/{account}{?year}", name: "Account", description: "The postings of an account." },
  ],
  skills: [{ uri: "skill://accounting/SKILL.md", frontmatter: { name: "accounting", description: "How to keep books." } }],
  tokens: 1290,
};

/** Tools that no good server has. */
export const BAD_TOOLS = [
  tool("hostile", {
    title: HOSTILE,
    description: HOSTILE,
    inputSchema: {
      type: "object",
      properties: {
        [HOSTILE]: { type: "string", title: HOSTILE, description: HOSTILE },
        __proto__x: { type: "string" },
      },
    },
  }),
  tool("strange", {
    inputSchema: {
      type: "object",
      properties: {
        a: null,
        b: { anyOf: [{ $ref: "#/properties/b" }] },
        c: { type: "array" },
        d: true,
        e: { $ref: "elsewhere.json" },
      },
    },
  }),
];

const FAULTS = [
  "lose_reply",
  "send_twice",
  "answer_late",
  "answer_wrongly",
  "answer_spent",
  "cancel",
  "close_connection",
  "kill",
  "other_instance",
  "clock_forward",
  "other_revision",
  "without_elicitation",
  "without_sampling",
];

export const STATE = {
  program: "bank",
  source: { kind: "program" },
  abilities: {
    faults: FAULTS,
    processes: true,
    records: true,
    transports: ["stdio", "http"],
    tokens: true,
    model: "ollama:qwen3:8b",
  },
  revisions: ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"],
  build: { status: "built", number: 3, startedAt: 1_790_000_000_000, took: 2150, diagnostics: [] },
  server: { status: "running", starts: 3, output: ["bank 1.0.0", "listening on 127.0.0.1:41234"], clock: 0 },
};

/** A build that has failed. */
export const FAILED_BUILD = {
  status: "failed",
  number: 4,
  took: 900,
  diagnostics: [
    {
      level: "error",
      message: "cannot find value `amount` in this scope",
      rendered:
        "error[E0425]: cannot find value `amount` in this scope\n  --> src/main.rs:12:9\n   |\n12 |         amount\n   |         ^^^^^^ not found in this scope\n",
      file: "src/main.rs",
      line: 12,
      column: 9,
    },
    {
      level: "error",
      message: "mismatched types",
      rendered: "error[E0308]: mismatched types\n",
      file: "src/main.rs",
      line: 20,
      column: 5,
    },
    { level: "warning", message: "unused variable: `x`", rendered: "warning: unused variable: `x`\n" },
  ],
};

export const CHECK = {
  findings: [
    {
      rule: "missing-description",
      level: "warning",
      item: "draw_shape",
      message: "the argument `tags` has no description",
    },
    {
      rule: "root-is-object",
      level: "error",
      item: "strange",
      message: "the input schema has a property that is not a schema",
    },
  ],
  tokens: { total: 1290, tools: ITEMS.tools.map(({ name, tokens }) => ({ name, tokens })) },
};

export const RECORD = (call) => ({
  state: {
    length: 812,
    kind: "sealed",
    call: call.id,
    round: call.rounds,
    expiresAt: Date.now() + 15 * 60_000,
    misses: 0,
    journal: { handoff: { to: "DE-77", owner: "Ada" }, answers: {}, open: ["confirm"] },
  },
  record: {
    round: call.rounds,
    status: "running",
    lease: { holder: "first", until: Date.now() + 30 * 60_000 - 1 },
    steps: [{ name: "reserve", value: { id: 7 } }, { name: "send" }],
    version: "1.0.0",
  },
  ran: { before: 1, client: 2, after: 0 },
});
