// A small language model behind an API that is compatible with OpenAI's: `/v1/chat/completions`, and `/health`.
//
//     node server.mjs MODEL.gguf
//
// Listens on a free port of the loopback interface, prints its URL as one line once the model is ready, and ends with
// its standard input.
//
// Two models are served, of the same weights:
// - `guided` is held to what is asked: a `json_schema` or a call that is required becomes a grammar.
// - `free` is not. It is told of tools and schemas, and writes what it likes, as many models do.

import { createServer } from "node:http";
import { Chat } from "./chat.mjs";
import { Engine } from "./engine.mjs";

const LARGEST = 1024 * 1024;

/** What is wrong with a request. */
class Refusal extends Error {
    constructor(status, message) {
        super(message);
        this.status = status;
    }
}

const engine = await Engine.load(process.argv[2]);

const server = createServer(async (request, response) => {
    const gone = new AbortController();
    response.on("close", () => gone.abort());
    const send = (status, body) => {
        if (gone.signal.aborted) return;
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    };
    try {
        send(200, await answer(request, gone.signal));
    } catch (error) {
        const status = error instanceof Refusal || error instanceof Chat.Unreadable ? error.status ?? 400 : 500;
        if (status === 500 && !gone.signal.aborted) console.error(error);
        send(status, { error: { message: error.message, type: "error", code: null } });
    }
});

server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}/v1`));
process.stdin.resume().on("end", () => process.exit(0));

async function answer(request, gone) {
    const { pathname } = new URL(request.url, "http://localhost");
    if (request.method === "GET" && pathname === "/health") return { status: "ok" };
    if (pathname !== "/v1/chat/completions") throw new Refusal(404, `there is nothing at ${pathname}`);
    if (request.method !== "POST") throw new Refusal(405, "only POST");
    const body = await json(request);
    if (!["guided", "free"].includes(body.model)) throw new Refusal(404, `there is no model \`${body.model}\``);

    const chat = new Chat(body, body.model === "guided");
    const written = await engine.write(chat, gone);
    return {
        id: `chatcmpl-${Date.now()}`,
        object: "chat.completion",
        created: Math.floor(Date.now() / 1000),
        model: body.model,
        choices: [{ index: 0, ...chat.choice(written) }],
        usage: {
            prompt_tokens: written.read,
            completion_tokens: written.tokens,
            total_tokens: written.read + written.tokens,
        },
    };
}

async function json(request) {
    const chunks = [];
    let length = 0;
    for await (const chunk of request) {
        length += chunk.length;
        if (length > LARGEST) throw new Refusal(413, "the body is too large");
        chunks.push(chunk);
    }
    try {
        return JSON.parse(Buffer.concat(chunks));
    } catch {
        throw new Refusal(400, "the body is no JSON");
    }
}
