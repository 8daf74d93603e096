//! Streamable HTTP, message by message.

mod anything;
mod auth;
mod layers;
mod limits;
mod modern;
mod rules;
mod session;
mod shutdown;
mod streams;
mod wire;
