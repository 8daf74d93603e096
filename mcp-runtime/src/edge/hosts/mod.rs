//! The hosts that start a server or connect to it: where the configuration file of each is, the form of an entry in it, and
//! links that add the server with one click. Nothing here reads or writes a file.

pub(crate) mod entry;
pub(crate) mod form;
pub(crate) mod format;
pub(crate) mod known;
pub(crate) mod links;
pub(crate) mod own_command;
pub(crate) mod place;
pub(crate) mod text;

#[cfg(test)]
mod tests;
