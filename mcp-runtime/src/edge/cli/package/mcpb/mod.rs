//! `manifest mcpb`: a bundle of the server for hosts that install such bundles, such as Claude Desktop.
//!
//! A bundle is a ZIP archive with `manifest.json`, version 0.3, and the program for each system.

mod archive;
mod icon;
mod manifest;
mod platform;
mod user_config;

use std::{ffi::OsStr, fs, path::PathBuf, process::ExitCode};

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

use self::{
    archive::archive,
    icon::BundledIcon,
    manifest::{MANIFEST, manifest},
    platform::{BundledProgram, Platform, programs},
};
use super::{
    details::{Details, list, option, options},
    listed,
};
use crate::{
    base::hex::hex,
    edge::cli::{
        exit::{CommandEnd, fail, refuse},
        install::{http_url, is_debug_build},
        terminal::{content::size, print},
    },
    serve::server::Service,
};

const NOTES: &str = "\
Without --pack, the command prints the manifest of the bundle.

A bundle has one program for each system. Without --binary, it has this program for this system. The settings of the
server become a form that the host shows, and the host passes the user's values to the program.";

pub(super) fn command() -> Command {
    let arguments = Arg::new("arguments")
        .value_name("ARGUMENT")
        .last(true)
        .num_args(0..)
        .help("Arguments of the program that the host starts, behind `--`");
    Command::new("mcpb")
        .about("Print the manifest of a bundle (MCPB), which users install with one click, or write the bundle")
        .after_help(NOTES)
        .arg(option("pack", "FILE.mcpb").value_parser(value_parser!(PathBuf)).help("Write the bundle to this file"))
        .arg(
            list("binary", "SYSTEM=FILE")
                .value_parser(platform::binary)
                .help("The program for `linux`, `darwin` (macOS) or `win32` (Windows); repeat it for several systems"),
        )
        .arg(
            option("icon", "FILE.png")
                .value_parser(value_parser!(PathBuf))
                .help("The icon of the bundle [default: the PNG icons of the server]"),
        )
        .arg(option("author", "NAME <MAIL>").help("The author [default: the first of `authors` of Cargo.toml]"))
        .arg(option("license", "LICENSE").help("The license, such as `MIT` [default: `license` of Cargo.toml]"))
        .arg(
            list("privacy-policy", "URL")
                .value_parser(http_url)
                .help("The privacy policy of a service that the server sends data of users to"),
        )
        .args(options())
        .arg(
            Arg::new("allow-debug")
                .long("allow-debug")
                .action(ArgAction::SetTrue)
                .requires("pack")
                .help("Accept a program below target/debug"),
        )
        .arg(arguments)
}

pub(super) fn act(service: &Service, program: &str, matches: &ArgMatches) -> CommandEnd {
    let details = Details::new(&service.0.settings.identity, &stem(program), matches).map_err(refuse)?;
    let given: Vec<(Platform, PathBuf)> = matches.get_many("binary").into_iter().flatten().cloned().collect();
    let programs = programs(given, &details.identity.name);
    let icons = match matches.get_one::<PathBuf>("icon") {
        Some(path) => BundledIcon::read(path).map(|icon| vec![icon]).map_err(|problem| vec![problem]),
        None => Ok(BundledIcon::of_server(&details.identity.icons)),
    };
    let (programs, icons) = match (programs, icons) {
        (Ok(programs), Ok(icons)) => (programs, icons),
        (programs, icons) => {
            let problems = [programs.err().unwrap_or_default(), icons.err().unwrap_or_default()].concat();
            return Err(refuse(listed("the bundle", &problems)));
        }
    };
    let manifest = manifest(service, &details, matches, &programs, &icons);
    let manifest = manifest.map_err(|problems| refuse(listed("the bundle", &problems)))?;
    let manifest = format!("{manifest:#}\n");
    let Some(path) = matches.get_one::<PathBuf>("pack") else {
        return Ok(print(&manifest, ExitCode::SUCCESS));
    };
    if !matches.get_flag("allow-debug") {
        refuse_debug_builds(&programs)?;
    }
    let files = icons.iter().map(|icon| (icon.inside.as_str(), &*icon.bytes));
    let files = [(MANIFEST, manifest.as_bytes())].into_iter().chain(files);
    let bytes = archive(files, &programs).map_err(fail)?;
    let shown = path.display();
    fs::write(path, &bytes).map_err(|error| fail(format_args!("cannot write `{shown}`: {error}")))?;
    let digest = hex(&hmac_sha256::Hash::hash(&bytes));
    Ok(print(&format!("wrote `{shown}`: {}, SHA-256 {digest}\n", size(bytes.len())), ExitCode::SUCCESS))
}

fn refuse_debug_builds(programs: &[BundledProgram]) -> Result<(), ExitCode> {
    let debug = programs.iter().find(|program| program.path.to_str().is_some_and(is_debug_build));
    debug.map_or(Ok(()), |program| {
        Err(refuse(format_args!(
            "`{}` is a debug build, which is slow and large; build it with `cargo build --release`, or accept this one \
             with `--allow-debug`",
            program.path.display()
        )))
    })
}

/// Returns the name of a program without the extension of Windows.
pub(super) fn stem(program: &str) -> String {
    let path = std::path::Path::new(program);
    let is_windows = path.extension().and_then(OsStr::to_str).is_some_and(|extension| extension == "exe");
    if is_windows { program.trim_end_matches(".exe").to_owned() } else { program.to_owned() }
}
