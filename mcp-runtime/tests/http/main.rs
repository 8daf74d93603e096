//! Streamable HTTP, message by message.

mod modern;
mod session;
mod streams;
mod wire;
