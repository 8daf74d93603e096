//! Streamable HTTP, message by message.

mod limits;
mod modern;
mod session;
mod streams;
mod wire;
