//! Streamable HTTP, message by message.

mod limits;
mod auth;
mod modern;
mod session;
mod streams;
mod wire;
