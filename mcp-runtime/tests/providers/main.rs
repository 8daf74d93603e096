//! The ready-made providers, against servers that answer as the real ones do.

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
mod watched;
