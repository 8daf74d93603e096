//! What the user is told about the file of a host.

use super::apply::Applied;
use crate::edge::hosts::{
    entry::{SecretValue, ServerEntry},
    form::SecretForm,
    known::KnownHost,
    own_command::shell_command,
};

/// Reports what was done. `entry` and `own_command` are those of an installation.
pub(crate) fn report(
    host: &KnownHost,
    name: &str,
    applied: Applied,
    entry: Option<&ServerEntry>,
    own_command: Option<Vec<String>>,
) -> String {
    let title = host.title;
    let is_dry = matches!(applied, Applied::WouldChange { .. });
    let (done, backup, is_written) = match applied {
        Applied::Added { path, backup } => (format!("added `{name}` to `{path}`"), backup, true),
        Applied::Replaced { path, backup } => (format!("replaced `{name}` in `{path}`"), backup, true),
        Applied::Removed { path, backup } => (format!("removed `{name}` from `{path}`"), backup, false),
        Applied::Unchanged { path } => (format!("`{name}` in `{path}` is up to date"), None, false),
        Applied::Absent { path } => (format!("there is no `{name}` in `{path}`"), None, false),
        Applied::WouldChange { path, difference } => {
            let difference = match difference.trim_end() {
                "" => "the value of a secret, which is not shown",
                difference => difference,
            };
            (format!("would change `{path}`:\n{difference}"), None, false)
        }
    };
    let mut text = format!("{title}: {done}\n");
    if let Some(backup) = backup {
        text.push_str(&format!("  the file as it was: `{backup}`\n"));
    }
    if is_written || is_dry {
        text.extend(entry.map(|entry| secrets(host, entry)));
    }
    if is_written {
        text.push_str(&format!("  next: {}\n", host.next_step));
    }
    if let Some(command) = own_command.filter(|_| is_written || is_dry) {
        text.push_str(&format!("  the command of {title} for the same: {}\n", shell_command(&command)));
    }
    text
}

/// Says where the value of each secret is, and what the user must do for it.
fn secrets(host: &KnownHost, entry: &ServerEntry) -> String {
    let title = host.title;
    let lines = entry.secrets.iter().map(|secret| {
        let (name, description) = (&secret.name, &secret.description);
        let place = match (&host.form.secrets, &secret.value) {
            (_, SecretValue::Plain(_)) | (SecretForm::None, _) => {
                "the file contains its value in plain text".to_owned()
            }
            (SecretForm::Inputs { .. }, _) => format!("{title} asks for its value and keeps it"),
            (SecretForm::Reference { .. }, _) => {
                format!("set this variable in the environment of {title}, which passes it on")
            }
            (SecretForm::Names { from, .. }, _) => format!("set it in {from}; {title} passes it on"),
        };
        format!("  secret `{name}` ({description}): {place}\n")
    });
    lines.collect()
}
