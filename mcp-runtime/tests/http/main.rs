//! Streamable HTTP, message by message.

mod auth;
mod limits;
mod modern;
mod session;
mod streams;
mod wire;
