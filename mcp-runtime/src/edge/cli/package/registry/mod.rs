//! `manifest server-json`: the document with which a server is published in the MCP registry, in the version 2025-12-11 of
//! its schema.

mod document;
mod name;
mod package;
mod readme;

use std::{path::PathBuf, process::ExitCode};

use clap::{ArgGroup, ArgMatches, Command, value_parser};

use self::document::document;
use super::{
    details::{Details, list, option, options},
    listed,
    mcpb::stem,
};
use crate::{
    edge::cli::{
        exit::{CommandEnd, refuse},
        terminal::{print, warn},
    },
    serve::server::Service,
};

const NOTES: &str = "\
Give at least one of --cargo, --mcpb, --oci and --remote. `mcp-publisher publish` sends the document to the registry:

  PROGRAM manifest server-json --cargo CRATE > server.json";

pub(super) fn command() -> Command {
    Command::new("server-json")
        .about("Print the document that publishes the server in the MCP registry, for `server.json`")
        .after_help(NOTES)
        .arg(
            option("name", "NAMESPACE/NAME").value_parser(name::registry_name).help(
                "The name in the registry, such as `io.github.ann/flights` [default: from the repository at GitHub]",
            ),
        )
        .arg(option("cargo", "CRATE").help("The crate of this program at crates.io"))
        .arg(option("mcpb", "URL").value_parser(package::bundle_url).help("A bundle in a release at GitHub or GitLab"))
        .arg(
            option("mcpb-file", "FILE.mcpb")
                .value_parser(value_parser!(PathBuf))
                .requires("mcpb")
                .help("The same bundle, from which the hash is computed"),
        )
        .arg(
            option("sha256", "HASH")
                .value_parser(package::sha256)
                .requires("mcpb")
                .conflicts_with("mcpb-file")
                .help("The SHA-256 hash of the bundle, instead of --mcpb-file"),
        )
        .arg(option("oci", "IMAGE:TAG").value_parser(package::image).help("A container image that serves stdio"))
        .arg(list("remote", "URL").value_parser(package::remote_url).help("Where the server is served over HTTP"))
        .arg(
            option("readme", "FILE")
                .value_parser(value_parser!(PathBuf))
                .requires("cargo")
                .help("The README of the crate, which must show the name [default: `readme` of Cargo.toml]"),
        )
        .args(options())
        .group(ArgGroup::new("places").args(["cargo", "mcpb", "oci", "remote"]).multiple(true).required(true))
}

pub(super) fn act(service: &Service, program: &str, matches: &ArgMatches) -> CommandEnd {
    let details = Details::new(&service.0.settings.identity, &stem(program), matches).map_err(refuse)?;
    let document = document(&details, &service.setting_definitions(), matches);
    let document = document.map_err(|problems| refuse(listed("the document", &problems)))?;
    if let Some(image) = matches.get_one::<String>("oci") {
        let name = document["name"].as_str().unwrap_or_default();
        warn(format_args!(
            "the registry accepts `{image}` only with this line in its Dockerfile: \
             `LABEL io.modelcontextprotocol.server.name=\"{name}\"`"
        ));
    }
    Ok(print(&format!("{document:#}\n"), ExitCode::SUCCESS))
}
