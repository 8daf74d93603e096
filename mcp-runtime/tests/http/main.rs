//! Streamable HTTP, message by message.

mod arbitrary_requests;
mod auth;
mod changes;
mod layers;
mod limits;
mod modern;
mod request_parts;
mod resources;
mod rules;
mod session;
mod shutdown;
mod streams;
mod wire;
