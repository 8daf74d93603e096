//! The sessions of clients before 2026-07-28, and the streams of messages for clients.

mod http_session;
mod replay_buffer;
mod session_table;
mod sessions;
mod stream;

pub(super) use self::{
    http_session::{HttpSession, Listener},
    sessions::{SESSION, Sessions, named_revision},
    stream::{Cursor, FirstEvent, Stream, StreamSink},
};
