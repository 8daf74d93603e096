//! Streamable HTTP, message by message.

mod anything;
mod auth;
mod layers;
mod limits;
mod modern;
mod parts;
mod rules;
mod session;
mod shutdown;
mod streams;
mod wire;
