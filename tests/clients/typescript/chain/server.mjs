// A server of the chain tests: `node server.mjs ERA NAME FILE`, at standard input and output. ERA `modern` speaks only
// 2026-07-28, with `@modelcontextprotocol/server` 2.4.0; `session` only 2025-11-25, with `sdk` 1.32.2, as most servers do.
// What it does is written to FILE, a line each, so that a test sees what happened twice. `server.py` and
// `tests/chain/rmcp_server.rs` are the same server.

const { serve } = await import(`./${process.argv[2]}.mjs`);
await serve();
