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
mod through;
mod url_paths;
mod watched;
