//! Streamable HTTP, message by message.

mod arbitrary_requests;
mod auth;
mod changes;
mod forms;
mod handshake;
mod landing;
mod layers;
mod limits;
mod modern;
mod request_parts;
mod resources;
mod rules;
mod scoped_lists;
mod session;
mod sessionless;
mod shutdown;
mod streams;
mod wire;
