//! Models that a server asks itself, ready-made: OpenAI, Anthropic, Ollama, and whatever is compatible.
//!
//! ```
//! use std::time::Duration;
//!
//! use mcp_runtime::{Server, providers::Model};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // What the operator wants, if anything; otherwise a model on this machine.
//! let model = Model::from_env()?.unwrap_or_else(|| Model::ollama("llama3.2")).timeout(Duration::from_secs(60));
//! let server = Server::new("flights", "1.0.0").sampling_provider(model);
//! # Ok(())
//! # }
//! ```
//!
//! # What is asked of which
//!
//! | | a schema | tools | where |
//! | --- | --- | --- | --- |
//! | [`Model::openai`] | `response_format`, strict where the schema allows | `tools`, `tool_choice` | chat completions |
//! | [`Model::openai_compatible`] | the same, unless [`without_schema`](Model::without_schema) | the same, unless [`without_tools`](Model::without_tools) | the same, at a URL of yours |
//! | [`Model::anthropic`] | no: it is made to call a tool of that schema | `tools`, `tool_choice` | messages |
//! | [`Model::ollama`] | `format` | `tools`, where the model has them | its own API: `/api/chat` |
//!
//! A `Model` is one model: what a request [prefers](crate::sample::ModelPreferences) chooses nothing. A call that Ollama
//! must make is made by `format`, since its API has no word for it; so are all where the model has no tools.
//!
//! Anthropic has a way of its own to ask for JSON. A tool that must be called does the same with every model of theirs,
//! and with any schema, where that way knows newer models and a part of what a schema may say.
//!
//! # The environment
//!
//! | variable | |
//! | --- | --- |
//! | `MCP_MODEL` | `openai:NAME`, `anthropic:NAME`, `ollama:NAME` or `compatible:NAME`, for [`Model::from_env`] |
//! | `MCP_MODEL_URL` | where it is, if not at its usual place; `compatible:` needs it |
//! | `MCP_MODEL_KEY` | its key, in place of the next two; the only one for `compatible:` |
//! | `OPENAI_API_KEY`, `ANTHROPIC_API_KEY` | the keys, for `Model::openai` and `Model::anthropic` as well |
//! | `OLLAMA_HOST` | where Ollama is, for `Model::ollama` as well: `host`, `host:port` or a URL |
//! | `HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY` | are minded, besides for models on this machine |
//!
//! # When it fails
//!
//! A server that is busy (429), fails (5xx) or cannot be reached is asked again, [twice](Model::retries) unless told
//! otherwise: later each time, not at the same moment as everybody else, and not before the time it names. Within
//! [two minutes](Model::timeout) all is over. What else goes wrong is told at once. The server's log gets all of it, with
//! what to do about it; the client gets a short sentence without the URL, the model's name and what its server said, such
//! as `the model cannot be asked: it is busy; ask again later`. Dropping the future closes the connection, so that the
//! server may stop its work.
//!
//! A model that refuses a temperature is asked without, from then on; likewise one that cannot think and be made to call
//! a tool at once is asked not to think.
//!
//! Keys are shown nowhere: not by `Debug`, in no event, in no error, even if the server repeats one in its answer. They
//! are sent to the one address, and redirects are not followed.
//!
//! With the feature `tracing` each request is a span `mcp.chat` with the model, the server, why the model stopped and the
//! tokens it took, named as in OpenTelemetry's conventions for generative AI. What is said is in no span.
//!
//! # Why no library of clients
//!
//! The bodies are written and read here, over `reqwest`. `genai`, the closest of the libraries, was read first (0.7):
//! it fails on calls whose arguments are no JSON, and with them the reply is lost that a second try must show the model;
//! it sends Ollama no schema; it leaves out that a tool failed, and a refusal; its errors quote the whole
//! conversation; it reads names that end as `-max` or `-high` as an effort, and asks for another model; and it doubles
//! the crates that this feature adds.

mod address;
mod dialect;
mod environment;
mod error;
mod exchange;
mod failure;
mod key;
mod model;
mod model_quirks;
mod names;
mod retry;
#[cfg(feature = "tracing")]
mod watched;

pub use self::{error::ModelError, model::Model};
