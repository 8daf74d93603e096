//! The protocol as data: messages, and what each revision can carry.

pub(crate) mod content;
pub(crate) mod level;
pub(crate) mod revision;
