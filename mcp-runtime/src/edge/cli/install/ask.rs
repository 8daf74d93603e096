//! Asks the user for what an entry lacks: the values of settings, and the secrets that a host can only have in its file.

use std::{
    env,
    path::{Path, PathBuf, absolute},
    process::ExitCode,
};

use inquire::{Password, PasswordDisplayMode, Text, validator::Validation};

use super::settings::ProgramSettings;
use crate::{
    edge::{
        cli::{
            exit::refuse,
            terminal::{
                has_person,
                prompt::{HangupWatch, UnansweredQuestion, choose, look, yes_or_no},
            },
        },
        hosts::{
            entry::{SecretValue, SecretVariable, ServerEntry},
            form::SecretForm,
            known::KnownHost,
        },
    },
    serve::settings::{SettingDefinition, SettingKind, summary},
};

/// Completes the entry for these hosts. Returns `false` if the user pressed Esc.
///
/// # Errors
/// If a value is not valid, or if something is missing and there is no terminal. The error lists all of it, and says how to
/// give it.
pub(crate) fn complete(
    entry: &mut ServerEntry,
    hosts: &[&KnownHost],
    settings: &ProgramSettings,
    home: &Path,
) -> Result<bool, ExitCode> {
    let missing = settings.missing(entry).map_err(refuse)?;
    let plain: Vec<_> = hosts.iter().filter(|host| matches!(host.form.secrets, SecretForm::None)).collect();
    let lacks_value = |secret: &&mut SecretVariable| !plain.is_empty() && secret.value == SecretValue::WithHost;
    let titles = plain.iter().map(|host| host.title).collect::<Vec<_>>().join(" and ");
    if !has_person() {
        let mut lines: Vec<_> = missing.iter().map(|setting| how_to_give(setting, settings.has_options)).collect();
        lines.extend(entry.secrets.iter_mut().filter(lacks_value).map(|secret| how_to_give_secret(secret, &titles)));
        return match lines.is_empty() {
            true => Ok(true),
            false => {
                Err(refuse(format_args!("the server needs more than the entry has:\n  - {}", lines.join("\n  - "))))
            }
        };
    }
    let _watch = HangupWatch::start();
    for setting in missing {
        let Some(value) = value(&setting, home).map_err(UnansweredQuestion::end)? else { return Ok(false) };
        entry.variables.push((setting.env().to_owned(), value));
    }
    for secret in entry.secrets.iter_mut().filter(lacks_value) {
        let setting = settings.definitions.iter().find(|setting| setting.env() == secret.name);
        let Some(value) = secret_value(secret, setting.copied(), &titles).map_err(UnansweredQuestion::end)? else {
            return Ok(false);
        };
        secret.value = SecretValue::WithHostOrPlain(value);
    }
    Ok(true)
}

fn how_to_give(setting: &SettingDefinition, has_options: bool) -> String {
    let about = setting.description().map(|text| format!(" ({})", summary(text))).unwrap_or_default();
    let option = setting.flag().filter(|_| has_options);
    let option = option.map(|flag| format!(", or `--{flag} VALUE` before `install`")).unwrap_or_default();
    format!("the setting `{}`{about}: add `--env {}=VALUE`{option}", setting.name(), setting.env())
}

fn how_to_give_secret(secret: &SecretVariable, titles: &str) -> String {
    let SecretVariable { name, description, .. } = secret;
    format!("the secret `{name}` ({description}): {titles} can have it in plain text only; add `--env {name}=VALUE`")
}

/// Asks for the value of a setting. What the environment has for it is the text to start with: the host may not have the
/// environment of this terminal.
fn value(setting: &SettingDefinition, home: &Path) -> Result<Option<String>, UnansweredQuestion> {
    let setting = *setting;
    let label = format!("{}:", setting.title().unwrap_or(setting.name()));
    let about = setting.description().map(summary).unwrap_or_default();
    let help = format!("{about}. The entry gets it as `{}`", setting.env());
    if setting.kind() == SettingKind::Choice {
        let choices = setting.choices().iter();
        let choices = choices.map(|choice| (choice.title().unwrap_or(choice.name()), Some(choice.name().to_owned())));
        return choose(&label, choices.collect(), None, &help);
    }
    let is_path = matches!(setting.kind(), SettingKind::File | SettingKind::Directory);
    let suggested = env::var(setting.env()).unwrap_or_default();
    let prompt = Text::new(&label).with_help_message(&help).with_render_config(look()).with_initial_value(&suggested);
    let typed = prompt.with_validator(move |typed: &str| Ok(checked(&setting, typed))).prompt_skippable()?;
    Ok(typed.map(|typed| if is_path { absolute_path(&typed, home) } else { typed }))
}

/// Asks for a secret, or whether the one of the environment is written.
fn secret_value(
    secret: &SecretVariable,
    setting: Option<SettingDefinition>,
    titles: &str,
) -> Result<Option<String>, UnansweredQuestion> {
    let name = &secret.name;
    let plain = format!("{titles} can have it in plain text only");
    let is_valid = |value: &str| setting.is_none_or(|setting| setting.check(value).is_ok());
    if let Some(value) = env::var(name).ok().filter(|value| !value.is_empty() && is_valid(value)) {
        let question = format!("Write the value of your variable `{name}` into the file?");
        match yes_or_no(&question, Some(false), &plain)? {
            None => return Ok(None),
            Some(true) => return Ok(Some(value)),
            Some(false) => {}
        }
    }
    let title = setting.map(|setting| setting.title().unwrap_or(setting.name()));
    let label = format!("{}:", title.unwrap_or(name));
    let help = format!("{}. {plain}; what you type is hidden", secret.description);
    let mut prompt = Password::new(&label).with_help_message(&help).with_render_config(look()).without_confirmation();
    prompt = prompt.with_display_mode(PasswordDisplayMode::Masked);
    Ok(prompt
        .with_validator(move |typed: &str| {
            Ok(match setting {
                Some(setting) => checked(&setting, typed),
                None if typed.is_empty() => Validation::Invalid("needs a value".into()),
                None => Validation::Valid,
            })
        })
        .prompt_skippable()?)
}

/// Checks a typed text. An empty variable is not set, so an empty text is no value.
fn checked(setting: &SettingDefinition, typed: &str) -> Validation {
    match setting.check(typed) {
        _ if typed.is_empty() => Validation::Invalid("needs a value".into()),
        Ok(()) => Validation::Valid,
        Err(reason) => Validation::Invalid(reason.into()),
    }
}

/// Returns the path that a shell in this folder would mean: hosts start programs elsewhere.
fn absolute_path(typed: &str, home: &Path) -> String {
    let path = match typed.strip_prefix('~') {
        Some("") => home.to_owned(),
        Some(rest) if rest.starts_with(['/', '\\']) => home.join(&rest[1..]),
        _ => PathBuf::from(typed),
    };
    absolute(&path).unwrap_or(path).into_os_string().into_string().unwrap_or_else(|_| typed.to_owned())
}
