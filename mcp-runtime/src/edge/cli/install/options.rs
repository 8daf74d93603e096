//! The options of `install`, and the entry that they describe.

use std::{env, ffi::OsString, process::ExitCode};

use clap::{Arg, ArgAction, ArgMatches, Command, builder::PossibleValuesParser};

use super::program::{is_debug_build, own_arguments, relative_path};
use crate::edge::{
    cli::{exit::refuse, terminal::warn},
    hosts::{
        entry::{SecretValue, SecretVariable, ServerEntry, ServerTarget, entry_name},
        known::{HOSTS, KnownHost, host},
    },
};

const NOTES: &str = "\
Without HOST, the command finds the hosts that are there and asks which.

A file is changed in place: only the entry of this server is written. The file as it was is kept beside it, and --remove
restores it, or removes only the entry if the file has changed since.";

pub(crate) fn command() -> Command {
    let hosts = Arg::new("host")
        .value_name("HOST")
        .action(ArgAction::Append)
        .value_parser(PossibleValuesParser::new(HOSTS.iter().map(|host| host.name)))
        .help("The hosts");
    let arguments = Arg::new("arguments")
        .value_name("ARGUMENT")
        .last(true)
        .num_args(0..)
        .conflicts_with("url")
        .help("Arguments of the program that the host starts, behind `--`");
    let option = |name: &'static str, value: &'static str| Arg::new(name).long(name).value_name(value);
    let flag = |name: &'static str| Arg::new(name).long(name).action(ArgAction::SetTrue);
    let mode = |name: &'static str| flag(name).help_heading("Instead of adding the entry");
    Command::new("install")
        .about("Add this server to the configuration of hosts, such as Claude Code or VS Code")
        .after_help(NOTES)
        .args([
            hosts,
            flag("project").help("Write the file of the project in the current folder, and not that of the user"),
            option("name", "NAME")
                .value_parser(entry_name)
                .help("The name of the entry [default: the name of the server]"),
            option("env", "NAME=VALUE")
                .action(ArgAction::Append)
                .value_parser(variable)
                .conflicts_with("url")
                .help("An environment variable of the program, which can set a setting; the file contains its value"),
            option("secret", "NAME")
                .action(ArgAction::Append)
                .value_parser(variable_name)
                .conflicts_with("url")
                .help("A variable with a secret: the host asks for its value, or passes on its own variable"),
            option("url", "URL").value_parser(http_url).help("Connect to this URL over HTTP, and start no program"),
            flag("force").help("Replace or remove an entry of the same name that starts another program"),
            flag("allow-debug").help("Accept a program below target/debug"),
            mode("remove")
                .conflicts_with_all(["env", "secret", "url", "arguments", "print", "links"])
                .help("Remove the entry"),
            mode("dry-run").conflicts_with_all(["print", "links"]).help("Print what would change"),
            mode("print").conflicts_with("links").help("Print the entry for one host"),
            mode("links").conflicts_with("host").help("Print links that add the server with one click"),
            arguments,
        ])
}

fn variable(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE, such as `LOG_LEVEL=debug`")?;
    Ok((variable_name(name)?, value.to_owned()))
}

fn variable_name(name: &str) -> Result<String, String> {
    let is_allowed = |char: char| char.is_ascii_alphanumeric() || char == '_';
    match name.chars().all(is_allowed) && name.starts_with(|first: char| !first.is_ascii_digit()) {
        true => Ok(name.to_owned()),
        false => Err("a variable has a name of letters (A to Z), digits and `_`, such as `API_TOKEN`".to_owned()),
    }
}

pub(crate) fn http_url(text: &str) -> Result<String, String> {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://")).unwrap_or_default();
    match rest.starts_with(|first: char| first.is_alphanumeric() || first == '[') && !text.contains(char::is_whitespace)
    {
        true => Ok(text.to_owned()),
        false => Err("not a URL of HTTP; write it like `https://example.com/mcp`".to_owned()),
    }
}

/// Returns the hosts that the user has named, each once.
pub(crate) fn named_hosts(matches: &ArgMatches) -> Vec<&'static KnownHost> {
    let mut hosts = Vec::<&KnownHost>::new();
    for found in matches.get_many::<String>("host").into_iter().flatten().filter_map(|name| host(name)) {
        if !hosts.iter().any(|host| host.name == found.name) {
            hosts.push(found);
        }
    }
    hosts
}

/// Returns the entry that the options describe. `path` is that of this program, `arguments` are those that it got, from
/// its name on, and `settings` are those that set its settings.
pub(crate) fn entry(
    matches: &ArgMatches,
    name: String,
    path: &str,
    arguments: &[OsString],
    settings: &[String],
) -> Result<ServerEntry, ExitCode> {
    let variables: Vec<(String, String)> = matches.get_many("env").into_iter().flatten().cloned().collect();
    let secrets: Vec<String> = matches.get_many("secret").into_iter().flatten().cloned().collect();
    let names: Vec<_> = variables.iter().map(|(name, _)| name).chain(&secrets).collect();
    if let Some(twice) = (1..names.len()).find(|at| names[..*at].contains(&names[*at])) {
        return Err(refuse(format_args!("the variable `{}` is given twice", names[twice])));
    }
    let target = match matches.get_one::<String>("url") {
        Some(url) => ServerTarget::Url(url.clone()),
        None if is_debug_build(path) && !matches.get_flag("allow-debug") => {
            return Err(refuse(format_args!(
                "`{path}` is a debug build, which is slow and does not stay; install the program of `cargo build \
                 --release` or `cargo install`, or accept this one with `--allow-debug`"
            )));
        }
        None => {
            ServerTarget::Program { path: path.to_owned(), arguments: program_arguments(matches, arguments, settings)? }
        }
    };
    let secrets = secrets.into_iter().map(|variable| {
        let description = format!("{variable} for the MCP server `{name}`");
        SecretVariable { name: variable, description, value: SecretValue::WithHost }
    });
    Ok(ServerEntry { secrets: secrets.collect(), name, target, variables })
}

/// Returns the arguments with which a host starts the program: the program's own flags of this command line, the options
/// of its settings, and what stands behind `--`.
fn program_arguments(
    matches: &ArgMatches,
    arguments: &[OsString],
    settings: &[String],
) -> Result<Vec<String>, ExitCode> {
    let process: Vec<_> = env::args_os().skip(1).collect();
    let own = own_arguments(&process, arguments.get(1..).unwrap_or_default());
    let own = own.into_iter().map(OsString::into_string).collect::<Result<Vec<_>, _>>();
    let own = own.map_err(|word| refuse(format_args!("the argument `{}` is not UTF-8", word.to_string_lossy())))?;
    let settings = settings.iter().cloned();
    let all: Vec<_> =
        own.into_iter().chain(settings).chain(matches.get_many("arguments").into_iter().flatten().cloned()).collect();
    for path in all.iter().filter_map(|argument| relative_path(argument)) {
        warn(format_args!(
            "a host can start the program in another folder: write `{}` as an absolute path",
            path.display()
        ));
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_options_are_consistent() {
        command().debug_assert();
    }

    #[test]
    fn rejects_what_is_not_a_variable_or_a_url() {
        for text in ["", "A", "=x", "1A=x", "A B=x", "Ä=x"] {
            assert!(variable(text).is_err(), "{text}");
        }
        assert_eq!(variable("A_1=x=y z"), Ok(("A_1".to_owned(), "x=y z".to_owned())));
        for text in ["", "example.com", "ftp://x", "http://", "https:///mcp", "https://a b"] {
            assert!(http_url(text).is_err(), "{text}");
        }
        for text in ["http://127.0.0.1:8080/mcp", "https://example.com", "http://[::1]:80/"] {
            assert_eq!(http_url(text).as_deref(), Ok(text));
        }
    }
}
