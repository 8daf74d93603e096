// The model, which writes one text at a time.

import { LlamaChatSession, getLlama } from "node-llama-cpp";

const CONTEXT = 4096;
/**
 * One: several wait for each other at every token, actively, and are ten times as slow as one where other work keeps
 * the cores busy.
 */
const THREADS = 1;

export class Engine {
    #llama;
    #sequence;
    /** What was asked before. */
    #before = Promise.resolve();

    static async load(modelPath) {
        const engine = new Engine();
        engine.#llama = await getLlama({ gpu: false, build: "never", maxThreads: THREADS, logLevel: "error" });
        const model = await engine.#llama.loadModel({ modelPath });
        const context = await model.createContext({ contextSize: CONTEXT, sequences: 1 });
        engine.#sequence = context.getSequence();
        return engine;
    }

    /** The model's text: what it wrote, of how many tokens, and whether it was cut. */
    write(chat, gone) {
        const writing = this.#before.then(() => this.#write(chat, gone));
        this.#before = writing.catch(() => {});
        return writing;
    }

    async #write(chat, gone) {
        gone.throwIfAborted();
        const turns = chat.turns.map(({ by, text }) => (by === "user" ? { type: by, text } : { type: by, response: [text] }));
        // What is to be answered is the last turn of the user; a model that spoke last goes on.
        const last = turns.at(-1).type === "user" ? turns.pop().text : "Go on.";
        const grammar = chat.schema && (await this.#llama.createGrammarForJsonSchema(chat.schema));

        await this.#sequence.clearHistory();
        const before = this.#sequence.tokenMeter.getState();
        const session = new LlamaChatSession({ contextSequence: this.#sequence });
        session.setChatHistory([{ type: "system", text: chat.system }, ...turns]);
        try {
            const { responseText, stopReason } = await session.promptWithMeta(last, {
                grammar,
                maxTokens: chat.maxTokens,
                temperature: chat.temperature,
                customStopTriggers: chat.stop.length > 0 ? chat.stop : undefined,
                signal: gone,
            });
            const used = this.#sequence.tokenMeter.diff(before);
            const cut = stopReason === "maxTokens";
            return { text: responseText, cut, read: used.usedInputTokens, tokens: used.usedOutputTokens };
        } finally {
            session.dispose({ disposeSequence: false });
        }
    }
}
