//! `manifest`: what the server publishes, and the documents of packages that contain it.
//!
//! `details` knows what a document says about the author and the project. `mcpb` writes bundles, which a user installs in
//! a host with one click. `registry` writes the document with which a server is published in a registry.

mod cargo;
mod details;
mod mcpb;
mod registry;
mod setting_texts;

use std::process::ExitCode;

use clap::{ArgMatches, Command};

use super::{exit::CommandEnd, terminal::print};
use crate::serve::server::Service;

/// The command `manifest`.
pub(crate) fn command() -> Command {
    Command::new("manifest")
        .about("Print all that the server publishes, as JSON, or write a package of the server")
        .disable_help_subcommand(true)
        .subcommand_help_heading("Packages")
        .subcommand(mcpb::command())
        .subcommand(registry::command())
}

/// Runs the command. `program` is the name of this program.
pub(crate) fn act(service: &Service, program: &str, matches: &ArgMatches) -> CommandEnd {
    match matches.subcommand() {
        Some(("mcpb", matches)) => mcpb::act(service, program, matches),
        Some(("server-json", matches)) => registry::act(service, program, matches),
        _ => Ok(print(&format!("{:#}\n", service.manifest()), ExitCode::SUCCESS)),
    }
}

/// Returns an error that lists what is wrong with a document, one problem on each line.
fn listed(what: &str, problems: &[String]) -> String {
    match problems {
        [problem] => format!("{what} cannot be written: {problem}"),
        problems => format!("{what} cannot be written:\n  - {}", problems.join("\n  - ")),
    }
}
