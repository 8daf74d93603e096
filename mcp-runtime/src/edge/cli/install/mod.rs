//! `install`: writes the server into the configuration files of hosts, and removes it again.
//!
//! `edge::hosts` is a table of what the files of hosts look like, `edit` changes files and knows no hosts, and `apply` brings
//! the two together.

mod apply;
mod choose;
mod command;
mod edit;
mod options;
mod places;
mod program;

pub(crate) use self::{
    command::act,
    options::{command, http_url},
    program::is_debug_build,
};
