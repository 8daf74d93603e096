//! What a client sees: the protocol in all its revisions, in memory and through a real process.

mod client;
mod rules;
mod schema;
mod tools;
mod wire;

mod handshake;
