// What the calls of the mock do: one script for each tool.

import { deflateSync, crc32 } from "node:zlib";

import { HOSTILE } from "./dev-items.mjs";

const text = (text) => ({ type: "text", text });
const form = (message, properties, required = []) => ({
  kind: "form",
  mode: "form",
  message,
  schema: { type: "object", properties, required },
});

/** Each script gets the input, and what it can do: `event`, `ask`, `round`, `rest`. Its result ends the call. */
export const SCRIPTS = {
  async transfer_money({ to, cents }, { event, ask, endRound, round, call }) {
    event("ran", { name: "before", times: 1 });
    event("span", { name: "tools/call", took: 12.5, fields: { tool: "transfer_money" } });
    event("span", { name: "before", took: 4.2, fields: {} });
    event("metric", { name: "mcp.calls", value: 1, labels: { tool: "transfer_money" } });
    event("log", { level: "info", data: "looking up the owner" });
    event("progress", { progress: 1, total: 2, message: "found the owner" });
    const question = form(
      `Send ${cents} cents to ${to}?`,
      {
        confirmed: { type: "boolean", title: "Send it" },
        reference: { type: "string", title: "Reference", maxLength: 20 },
      },
      ["confirmed"],
    );
    const answer = await ask({ ...question, key: "confirm", form: "confirm" });
    round();
    event("ran", { name: "client", times: 2 });
    if (answer.action !== "accept" || !answer.content.confirmed) return { content: [text("Nothing is sent.")] };
    event("ran", { name: "after", times: 1 });
    endRound();
    const sent = { to, cents, revision: call.setup.revision };
    return { content: [text(JSON.stringify(sent))], structuredContent: sent };
  },

  async find_hotel(input) {
    return { content: [text(`Found 3 hotels for ${JSON.stringify(input)}`)] };
  },

  async draw_shape(input) {
    return { content: [text("Drawn.")], structuredContent: input };
  },

  async seat_map({ flight }, { ask }) {
    await ask({
      ...form(`Which seat on ${flight}?`, { seat: { type: "string", enum: ["1A", "1B"] } }, ["seat"]),
      key: "pick_seat",
      form: "pick_seat",
      view: "ui://flights/seats",
    });
    return { content: [text("Seat chosen.")], structuredContent: { flight } };
  },

  async ask_twice(_, { askAll, round }) {
    const answers = await askAll([
      { ...form("Which colour?", { colour: { type: "string", enum: ["red", "green"] } }, ["colour"]), key: "colour" },
      { ...form("Which size?", { size: { type: "integer", minimum: 1, maximum: 9 } }, ["size"]), key: "size" },
    ]);
    round();
    return { content: [text(`${answers[0].content.colour}, ${answers[1].content.size}`)] };
  },

  async ask_model(_, { ask, round }) {
    const params = {
      maxTokens: 200,
      systemPrompt: "You are terse.",
      messages: [{ role: "user", content: text("Name a colour.") }],
    };
    const answer = await ask({ kind: "sampling", key: "colour", params });
    round();
    const said =
      answer.action === "reply"
        ? (answer.text ?? answer.result.content.text)
        : answer.action === "model"
          ? "blue, says the model"
          : "nothing";
    return { content: [text(`The model said: ${said}`)] };
  },

  async ask_roots(_, { ask }) {
    const { roots } = await ask({ kind: "roots", key: "roots" });
    return { content: [text(roots.map(({ uri }) => uri).join(" "))] };
  },

  async open_page(_, { ask }) {
    await ask({ kind: "url", mode: "url", key: "login", message: "Log in.", url: "https://example.com/login" });
    return { content: [text("Logged in.")] };
  },

  async show_media() {
    return {
      content: [
        text("A red square, and silence."),
        { type: "image", mimeType: "image/png", data: png().toString("base64") },
        { type: "audio", mimeType: "audio/wav", data: wav().toString("base64") },
        {
          type: "image",
          mimeType: "image/svg+xml",
          data: Buffer.from("<svg onload='window.hacked=1'/>").toString("base64"),
        },
        { type: "resource_link", uri: "https://example.com/report", name: "Report" },
        { type: "resource_link", uri: "javascript:alert(1)", name: "Not a page" },
        { type: "resource", resource: { uri: "file:///a.json", mimeType: "application/json", text: '{"a":1}' } },
      ],
      structuredContent: { squares: 1 },
    };
  },

  async renamed(_, { event, ask }) {
    const before = { ...form("Which flight?", { flight: { type: "string" } }), key: "pick", seq: 100 };
    event("asked", { question: before });
    const after = {
      ...form("Which flight, and which class?", { flight: { type: "string" }, class: { type: "string" } }),
      key: "pick",
    };
    await ask(after, (question) => event("changed", { key: "pick", before, after: question }));
    return { content: [text("Booked.")] };
  },

  async fails() {
    throw Object.assign(new Error("the account `X` does not exist: use one of `A`, `B`"), {
      code: -32602,
      data: { account: "X" },
    });
  },

  async floods(_, { event }) {
    for (let line = 1; line <= 5000; line += 1) event("log", { level: "debug", data: `line ${line}` });
    return { content: [text("Done.")] };
  },

  async hostile(_, { ask }) {
    const question = form(HOSTILE, { [HOSTILE]: { type: "string", title: HOSTILE, description: HOSTILE } });
    await ask({ ...question, key: HOSTILE });
    return { content: [text(HOSTILE), { type: HOSTILE }], structuredContent: { [HOSTILE]: HOSTILE } };
  },

  async waits(_, { never }) {
    await never;
  },

  async strange() {
    return {};
  },
};

/** A red square of 40 pixels. */
function png() {
  const chunk = (type, data) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(40, 0);
  head.writeUInt32BE(40, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const row = Buffer.concat([Buffer.from([0]), Buffer.from(Array(40).fill([200, 40, 40]).flat())]);
  const data = deflateSync(Buffer.concat(Array(40).fill(row)));
  return Buffer.concat([
    Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]),
    chunk("IHDR", head),
    chunk("IDAT", data),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** A second of silence. */
function wav() {
  const data = Buffer.alloc(8000, 128);
  const head = Buffer.alloc(44);
  head.write("RIFF", 0);
  head.writeUInt32LE(36 + data.length, 4);
  head.write("WAVEfmt ", 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(8000, 24);
  head.writeUInt32LE(8000, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write("data", 36);
  head.writeUInt32LE(data.length, 40);
  return Buffer.concat([head, data]);
}
