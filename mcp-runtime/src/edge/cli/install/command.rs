//! What the command `install` does, and what it prints.

use std::{ffi::OsString, process::ExitCode};

use clap::ArgMatches;

use super::{
    apply::{Applied, Installer},
    choose,
    options::{entry, named_hosts},
    places::Places,
    program::{file_name, program_path},
};
use crate::{
    edge::{
        cli::{
            exit::{CommandEnd, fail, refuse},
            terminal::{harmless, print, warn},
        },
        hosts::{
            entry::{ServerEntry, entry_name_of},
            known::{HOSTS, KnownHost, Scope},
            links::links,
            own_command::shell_command,
        },
    },
    serve::server::Service,
};

/// Runs the command. `arguments` are those that the program got, from its name on, and `options` are those that set its
/// settings.
pub(crate) fn act(
    service: &Service,
    program: &str,
    arguments: &[OsString],
    options: Vec<String>,
    matches: &ArgMatches,
) -> CommandEnd {
    let places = Places::of_process().map_err(refuse)?;
    let server = &service.0.settings.identity.name;
    let name = matches.get_one::<String>("name").cloned().unwrap_or_else(|| entry_name_of(server));
    let path = program_path(arguments.first().map(OsString::as_os_str)).map_err(refuse)?;
    let installer = Installer {
        places: &places,
        scope: if matches.get_flag("project") { Scope::Project } else { Scope::User },
        program: file_name(&path),
        force: matches.get_flag("force"),
        dry_run: matches.get_flag("dry-run"),
    };
    let named = named_hosts(matches);
    if matches.get_flag("remove") {
        return remove(&installer, &name, named, program);
    }
    let entry = entry(matches, name, &path, arguments, options)?;
    if matches.get_flag("links") {
        let links = links(&entry).into_iter().map(|(title, link)| format!("{title}\n  {link}\n"));
        return Ok(print(&links.collect::<String>(), ExitCode::SUCCESS));
    }
    if matches.get_flag("print") {
        return print_entry(&entry, &named, program);
    }
    add(&installer, &entry, named, program)
}

fn add(installer: &Installer<'_>, entry: &ServerEntry, named: Vec<&'static KnownHost>, program: &str) -> CommandEnd {
    let found = || choose::found(installer.places, installer.scope);
    let hosts = match named.is_empty() {
        false => named,
        true if found().is_empty() => {
            let example = HOSTS[0].name;
            return Err(refuse(format_args!("no host was found; name one, such as `{program} install {example}`")));
        }
        true => choose::ask(&format!("Add `{}` to:", entry.name), found(), &format!("{program} install"))?,
    };
    Ok(each(&hosts, |host| {
        let presence = installer.places.path(&host.presence);
        if installer.scope == Scope::User && !presence.exists() {
            warn(format_args!("{} may not be installed: `{}` does not exist", host.title, presence.display()));
        }
        let applied = installer.install(host, entry)?;
        // Such a command would lack the secrets.
        let own_command = host.own_command.filter(|_| entry.secrets.is_empty());
        let own_command = own_command.and_then(|command| command(entry, installer.scope));
        Ok(report(host, &entry.name, applied, own_command))
    }))
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
    Ok(each(&hosts, |host| Ok(report(host, name, installer.remove(host, name)?, None))))
}

fn print_entry(entry: &ServerEntry, named: &[&'static KnownHost], program: &str) -> CommandEnd {
    let [host] = named else {
        return Err(refuse(format_args!("`--print` needs one host, such as `{program} install cursor --print`")));
    };
    let values = host.form.values(entry, host.title).map_err(refuse)?;
    let text = host.format.file_of(&values).map_err(fail)?;
    Ok(print(&text, ExitCode::SUCCESS))
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

/// Returns what the user is told.
fn report(host: &KnownHost, name: &str, applied: Applied, own_command: Option<Vec<String>>) -> String {
    let title = host.title;
    let is_dry = matches!(applied, Applied::WouldChange { .. });
    let (done, backup, is_written) = match applied {
        Applied::Added { path, backup } => (format!("added `{name}` to `{path}`"), backup, true),
        Applied::Replaced { path, backup } => (format!("replaced `{name}` in `{path}`"), backup, true),
        Applied::Removed { path, backup } => (format!("removed `{name}` from `{path}`"), backup, false),
        Applied::Unchanged { path } => (format!("`{name}` in `{path}` is up to date"), None, false),
        Applied::Absent { path } => (format!("there is no `{name}` in `{path}`"), None, false),
        Applied::WouldChange { path, difference } => {
            (format!("would change `{path}`:\n{}", difference.trim_end()), None, false)
        }
    };
    let mut text = format!("{title}: {done}\n");
    if let Some(backup) = backup {
        text.push_str(&format!("  the file as it was: `{backup}`\n"));
    }
    if is_written {
        text.push_str(&format!("  next: {}\n", host.next_step));
    }
    if let Some(command) = own_command.filter(|_| is_written || is_dry) {
        text.push_str(&format!("  the command of {title} for the same: {}\n", shell_command(&command)));
    }
    text
}
