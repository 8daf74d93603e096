//! Which hosts the command is for, if the user named none.

use std::{
    fmt::{self, Display},
    process::ExitCode,
};

use inquire::{MultiSelect, list_option::ListOption, validator::Validation};

use super::{apply::Installer, places::Places};
use crate::edge::{
    cli::{
        exit::{INTERRUPTED, fail, refuse},
        terminal::{
            has_person,
            prompt::{HangupWatch, UnansweredQuestion, look},
        },
    },
    hosts::known::{HOSTS, KnownHost, Scope},
};

/// Returns the hosts that the user has.
pub(crate) fn found(places: &Places, scope: Scope) -> Vec<&'static KnownHost> {
    HOSTS.iter().filter(|host| host.has(scope) && places.path(&host.presence).exists()).collect()
}

/// Returns the hosts whose file has an entry of this name.
pub(crate) fn with_entry(installer: &Installer<'_>, name: &str) -> Vec<&'static KnownHost> {
    HOSTS.iter().filter(|host| installer.has_entry(host, name)).collect()
}

/// Asks the user for some of the hosts. Returns an empty list if the user pressed Esc.
///
/// # Errors
/// If nobody can answer. Then the user names the hosts: `example` shows how.
pub(crate) fn ask(
    question: &str,
    hosts: Vec<&'static KnownHost>,
    example: &str,
) -> Result<Vec<&'static KnownHost>, ExitCode> {
    if !has_person() {
        let names: Vec<_> = hosts.iter().map(|host| host.name).collect();
        return Err(refuse(format_args!("name the hosts, such as `{example} {}`", names.join(" "))));
    }
    let _watch = HangupWatch::start();
    let is_chosen = |chosen: &[ListOption<&ShownHost>]| {
        Ok(match chosen.is_empty() {
            true => Validation::Invalid("press Space to choose a host, or Esc to change nothing".into()),
            false => Validation::Valid,
        })
    };
    let prompt = MultiSelect::new(question, hosts.into_iter().map(ShownHost).collect()).with_validator(is_chosen);
    let help = "↑↓ to move, Space to choose, Enter when done, type to search";
    match prompt.with_help_message(help).with_render_config(look()).prompt_skippable().map_err(UnansweredQuestion::from)
    {
        Ok(chosen) => Ok(chosen.into_iter().flatten().map(|ShownHost(host)| host).collect()),
        Err(UnansweredQuestion::Interrupted) => Err(ExitCode::from(INTERRUPTED)),
        Err(UnansweredQuestion::Failed(reason) | UnansweredQuestion::BadAnswer(reason)) => Err(fail(reason)),
    }
}

struct ShownHost(&'static KnownHost);

impl Display for ShownHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.title)
    }
}
