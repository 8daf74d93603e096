//! `install`: writes the server into the configuration files of hosts, and removes it again.
//!
//! `edge::hosts` is a table of what the files of hosts look like, `edit` changes files and knows no hosts, and `apply` brings
//! the two together.

mod apply;
mod ask;
mod choose;
mod command;
mod edit;
mod options;
mod places;
mod program;
mod report;
mod settings;

pub(crate) use self::{
    command::act,
    options::{command, http_url},
    program::{is_debug_build, own_arguments, program_path},
    settings::ProgramSettings,
};
