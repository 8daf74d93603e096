//! What a scripted client has seen of its server.

pub(crate) mod notice;
pub(crate) mod outcome;
mod question;
pub(crate) mod shown_view;
pub(crate) mod transcript;
