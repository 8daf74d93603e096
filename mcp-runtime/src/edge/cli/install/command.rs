//! What the command `install` does, and what it prints.

use std::{ffi::OsString, process::ExitCode};

use clap::ArgMatches;

use super::{
    apply::Installer,
    ask::complete,
    choose,
    options::{entry, named_hosts},
    places::Places,
    program::{file_name, program_path},
    report::report,
    settings::ProgramSettings,
};
use crate::{
    edge::{
        cli::{
            exit::{CommandEnd, fail, refuse},
            terminal::{harmless, print, warn},
        },
        hosts::{
            entry::{SecretValue, ServerEntry, entry_name_of},
            known::{HOSTS, KnownHost, Scope},
            links::links,
        },
    },
    serve::server::Service,
};

/// Runs the command. `arguments` are those that the program got, from its name on.
pub(crate) fn act(
    service: &Service,
    program: &str,
    arguments: &[OsString],
    settings: &ProgramSettings,
    matches: &ArgMatches,
) -> CommandEnd {
    let places = Places::of_process().map_err(refuse)?;
    let server = &service.0.settings.identity.name;
    let name = matches.get_one::<String>("name").cloned().unwrap_or_else(|| entry_name_of(server));
    let path = program_path(arguments.first().map(OsString::as_os_str)).map_err(refuse)?;
    let named = named_hosts(matches);
    let secrets: Vec<_> = settings.secrets().collect();
    let installer = Installer {
        places: &places,
        scope: if matches.get_flag("project") { Scope::Project } else { Scope::User },
        program: file_name(&path),
        secrets: &secrets,
        force: matches.get_flag("force"),
        dry_run: matches.get_flag("dry-run"),
    };
    if matches.get_flag("remove") {
        return remove(&installer, &name, named, program);
    }
    let mut entry = entry(matches, name, &path, arguments, &settings.options)?;
    let (is_print, is_links) = (matches.get_flag("print"), matches.get_flag("links"));
    let hosts = match (is_print, is_links) {
        (true, _) => vec![only(&named, program)?],
        (_, true) => Vec::new(),
        _ => chosen(&installer, &entry, named, program)?,
    };
    if (hosts.is_empty() && !is_links) || !complete(&mut entry, &hosts, settings, &places.home)? {
        return Ok(ExitCode::SUCCESS);
    }
    match hosts[..] {
        [] => Ok(print_links(entry)),
        [host] if is_print => print_entry(&entry.masked(), host),
        _ => {
            let secrets: Vec<_> =
                entry.secrets.iter().map(|secret| &*secret.name).chain(secrets.iter().copied()).collect();
            Ok(add(&Installer { secrets: &secrets, ..installer }, &entry, &hosts))
        }
    }
}

/// Returns the hosts that get the entry: those that the user has named or chooses.
fn chosen(
    installer: &Installer<'_>,
    entry: &ServerEntry,
    named: Vec<&'static KnownHost>,
    program: &str,
) -> Result<Vec<&'static KnownHost>, ExitCode> {
    let found = || choose::found(installer.places, installer.scope);
    match named.is_empty() {
        false => Ok(named),
        true if found().is_empty() => {
            let example = HOSTS[0].name;
            Err(refuse(format_args!("no host was found; name one, such as `{program} install {example}`")))
        }
        true => choose::ask(&format!("Add `{}` to:", entry.name), found(), &format!("{program} install")),
    }
}

fn add(installer: &Installer<'_>, entry: &ServerEntry, hosts: &[&'static KnownHost]) -> ExitCode {
    each(hosts, |host| {
        let presence = installer.places.path(&host.presence);
        if installer.scope == Scope::User && !presence.exists() {
            warn(format_args!("{} may not be installed: `{}` does not exist", host.title, presence.display()));
        }
        let applied = installer.install(host, entry)?;
        // Such a command would lack the secrets.
        let own_command = host.own_command.filter(|_| entry.secrets.is_empty());
        let own_command = own_command.and_then(|command| command(entry, installer.scope));
        Ok(report(host, &entry.name, applied, Some(entry), own_command))
    })
}

fn remove(installer: &Installer<'_>, name: &str, named: Vec<&'static KnownHost>, program: &str) -> CommandEnd {
    let found = || choose::with_entry(installer, name);
    let hosts = match named.is_empty() {
        false => named,
        true if found().is_empty() => {
            return Ok(print(&format!("No host has an entry `{name}`.\n"), ExitCode::SUCCESS));
        }
        true => choose::ask(&format!("Remove `{name}` from:"), found(), &format!("{program} install --remove"))?,
    };
    Ok(each(&hosts, |host| Ok(report(host, name, installer.remove(host, name)?, None, None))))
}

/// # Errors
/// If the user has not named one host.
fn only(named: &[&'static KnownHost], program: &str) -> Result<&'static KnownHost, ExitCode> {
    let [host] = named else {
        return Err(refuse(format_args!("`--print` needs one host, such as `{program} install cursor --print`")));
    };
    Ok(host)
}

fn print_entry(entry: &ServerEntry, host: &KnownHost) -> CommandEnd {
    let values = host.form.values(entry, host.title).map_err(refuse)?;
    let text = host.format.file_of(&values).map_err(fail)?;
    Ok(print(&text, ExitCode::SUCCESS))
}

/// Prints links, which are for a page: each user has secrets of their own.
fn print_links(mut entry: ServerEntry) -> ExitCode {
    for secret in &mut entry.secrets {
        secret.value = SecretValue::WithHost;
    }
    let links = links(&entry).into_iter().map(|(title, link)| format!("{title}\n  {link}\n"));
    print(&links.collect::<String>(), ExitCode::SUCCESS)
}

/// Does the same for each host, also if it fails for one of them.
fn each(hosts: &[&'static KnownHost], act: impl Fn(&KnownHost) -> Result<String, String>) -> ExitCode {
    let mut code = ExitCode::SUCCESS;
    for host in hosts {
        code = match act(host) {
            Ok(text) => print(&harmless(&text), code),
            Err(error) => fail(harmless(&titled(host, error))),
        };
    }
    code
}

/// Returns an error that names the host.
fn titled(host: &KnownHost, error: String) -> String {
    if error.starts_with(host.title) { error } else { format!("{}: {error}", host.title) }
}
