//! Streamable HTTP, message by message.

mod auth;
mod modern;
mod session;
mod streams;
mod wire;
