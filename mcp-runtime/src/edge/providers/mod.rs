//! Ready-made clients for models that the server calls itself: OpenAI, Anthropic, Ollama, and compatible servers.
//!
//! ```
//! use std::time::Duration;
//!
//! use mcp_runtime::{Server, providers::Model};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // The model that the operator configured, otherwise a local one.
//! let model = Model::from_env()?.unwrap_or_else(|| Model::ollama("llama3.2")).timeout(Duration::from_secs(60));
//! let server = Server::new("flights", "1.0.0").sampling_provider(model);
//! # Ok(())
//! # }
//! ```
//!
//! # How each API is used
//!
//! | | a schema | tools | API |
//! | --- | --- | --- | --- |
//! | [`Model::openai`] | `response_format`, strict if the schema allows | `tools`, `tool_choice` | chat completions |
//! | [`Model::openai_compatible`] | the same, or [none](Model::without_schema) | the same, or [none][tools] | the same |
//! | [`Model::anthropic`] | by a forced call of a tool with that schema | `tools`, `tool_choice` | messages |
//! | [`Model::ollama`] | `format` | `tools`, if the model has them | its own API: `/api/chat` |
//!
//! [tools]: Model::without_tools
//!
//! A `Model` is one model, so the [preferences](crate::sample::ModelPreferences) of a request have no effect. Ollama's
//! API cannot force a tool call, so a forced call uses `format`. If the model does not support tools, all calls use
//! `format`.
//!
//! Anthropic's JSON output is not used, because it is limited to newer models and to a part of JSON Schema. A forced
//! tool call works with all models and any schema.
//!
//! # The environment
//!
//! | variable | |
//! | --- | --- |
//! | `MCP_MODEL` | `openai:NAME`, `anthropic:NAME`, `ollama:NAME` or `compatible:NAME`, for [`Model::from_env`] |
//! | `MCP_MODEL_URL` | the URL of the model's API, if not the default one; required for `compatible:` |
//! | `MCP_MODEL_KEY` | the model's key, instead of the next two variables; `compatible:` uses only this one |
//! | `OPENAI_API_KEY`, `ANTHROPIC_API_KEY` | the keys, for `Model::openai` and `Model::anthropic` as well |
//! | `OLLAMA_HOST` | the address of Ollama, for `Model::ollama` as well: `host`, `host:port` or a URL |
//! | `HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY` | proxies, except for models on the local machine |
//!
//! # Failures
//!
//! A request is retried if the server is busy (429), fails (5xx) or cannot be reached: [twice](Model::retries) by
//! default, with exponential backoff and jitter, and not earlier than the server allows. All tries together end
//! after [two minutes](Model::timeout). Other failures are returned at once. The server's log gets the full error with
//! advice. The client gets only a short sentence, such as `the model cannot be asked: it is busy; ask again later`.
//! Dropping the future closes the connection, so that the model's server can stop.
//!
//! If a model rejects a temperature, later requests leave it out. If a model cannot think while it is forced to call a
//! tool, later requests disable thinking.
//!
//! Keys never appear in an output: not in `Debug`, an event or an error, even if the server repeats the key in its
//! answer. Keys are sent only to the configured address, and redirects are not followed.
//!
//! With the feature `tracing` each request is a span `mcp.chat` with the model, the server, the stop reason and the
//! token usage, named as in OpenTelemetry's conventions for generative AI. Spans do not contain the conversation.
//!
//! # Why not a client library
//!
//! This module builds and parses the bodies itself, over `reqwest`. `genai` 0.7 is the closest library. It fails on a
//! call with invalid JSON arguments, and loses the reply that a retry must show the model. It sends no schema to
//! Ollama. It drops refusals, and the error flag of a tool result. Its errors quote the whole conversation. It reads
//! `-max` or `-high` at the end of a model's name as an effort level, and calls another model. It would double the
//! dependencies of this feature.

mod address;
mod dialect;
mod environment;
mod error;
mod exchange;
mod failure;
mod model;
mod model_quirks;
mod names;
mod secrets;

pub use self::{error::ModelError, model::Model};
