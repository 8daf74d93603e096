//! The client that the page is: its connections to the server, and what it asks of the server beside calls.

mod connection;
mod http_messages;
pub(crate) mod items;
mod pool;
mod profile;
mod requests;
mod watch;

pub(crate) use self::{
    connection::{DevConnection, HeardMessage, MessageOwner},
    http_messages::listed,
    pool::ClientPool,
    profile::{other_era, profile},
    requests::DevCompletion,
};
