//! The ready-made providers, with servers that answer like the real ones.

mod aborted;
mod anthropic;
mod failing;
mod learning;
mod ollama;
mod openai;
mod replies;
mod secrets;
mod support;
#[cfg(all(feature = "testing", feature = "tracing"))]
mod through;
#[cfg(feature = "tracing")]
mod url_paths;
#[cfg(feature = "tracing")]
mod watched;
