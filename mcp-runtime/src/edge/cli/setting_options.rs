//! The options of settings on the command line.

use std::{collections::BTreeMap, path::PathBuf};

use clap::{Arg, ArgAction, ArgMatches, value_parser};

use super::operator::OperatorSettings;
use crate::serve::settings::{CONFIG, SettingDefinition, SettingKind, Settings as _, placeholder, summary};

/// The option that names the settings file.
const CONFIG_OPTION: &str = "config";

/// Returns the option of a setting. A secret has none.
pub(super) fn option(setting: &SettingDefinition) -> Option<Arg> {
    let flag = setting.flag()?;
    let option = Arg::new(id(setting)).long(flag).value_name(placeholder(setting)).help(help(setting));
    // The value is checked together with those of the other sources, so that one error lists all problems.
    Some(match setting.kind() {
        _ if setting.is_list() => option.action(ArgAction::Append),
        SettingKind::Boolean => option.num_args(0..=1).require_equals(true).default_missing_value("true"),
        _ => option.allow_hyphen_values(true),
    })
}

/// Returns the option with all values that follow it, if it is that of a list: `--root /a /b`. A bundle has such arguments,
/// because its host writes the values of a list one after the other.
pub(super) fn of_several_values(option: Arg) -> Arg {
    if matches!(option.get_action(), ArgAction::Append) { option.num_args(0..) } else { option }
}

/// Returns the option that names the settings file.
pub(super) fn config() -> Arg {
    let option = Arg::new(CONFIG_OPTION).long(CONFIG_OPTION).value_name("FILE").value_parser(value_parser!(PathBuf));
    option.help(format!("The settings file, in TOML [env: {CONFIG}]"))
}

/// Returns the file that the option names.
pub(super) fn config_of(matches: &ArgMatches) -> Option<PathBuf> {
    matches.try_get_one::<PathBuf>(CONFIG_OPTION).ok().flatten().cloned()
}

/// Adds the values of these settings on the command line, by the names of their options.
pub(super) fn collect(
    values: &mut BTreeMap<String, Vec<String>>,
    matches: &ArgMatches,
    settings: &[SettingDefinition],
) {
    for setting in settings {
        let given = matches.try_get_many::<String>(&id(setting)).ok().flatten();
        if let (Some(flag), Some(given)) = (setting.flag(), given) {
            values.insert(flag.to_owned(), given.cloned().collect());
        }
    }
}

/// Returns the arguments that set these settings, and those of the operator, to the values on the command line.
pub(super) fn given(matches: &ArgMatches, settings: &[SettingDefinition]) -> Vec<String> {
    let mut values = BTreeMap::new();
    collect(&mut values, matches, settings);
    collect(&mut values, matches, OperatorSettings::definitions());
    let file = config_of(matches).map(|file| format!("--{CONFIG_OPTION}={}", file.display()));
    let values =
        values.into_iter().flat_map(|(flag, values)| values.into_iter().map(move |value| format!("--{flag}={value}")));
    file.into_iter().chain(values).collect()
}

/// Returns a paragraph for help about the settings that have no option.
pub(super) fn variables(settings: &[SettingDefinition]) -> Option<String> {
    let secrets: Vec<_> = settings.iter().filter(|setting| setting.flag().is_none()).collect();
    let width = secrets.iter().map(|setting| setting.env().len()).max()?;
    let lines = secrets.iter().map(|setting| {
        let required = if setting.is_required() { " [required]" } else { "" };
        let about = setting.description().map(summary).unwrap_or_default();
        format!("  {:width$}  {about}{required}", setting.env())
    });
    let lines: Vec<_> = lines.collect();
    Some(format!(
        "Secrets, as environment variables, or as files that variables with `_FILE` at their end name:\n{}",
        lines.join("\n")
    ))
}

/// No other argument has this id, because ids of settings begin with dashes.
fn id(setting: &SettingDefinition) -> String {
    format!("--{}", setting.name())
}

fn help(setting: &SettingDefinition) -> String {
    let mut help = setting.description().map(summary).unwrap_or_default();
    if let Some(default) = setting.default().filter(|_| setting.kind() != SettingKind::Boolean) {
        let default = default.as_str().map_or_else(|| default.to_string(), str::to_owned);
        help += &format!(" [default: {default}]");
    }
    if setting.is_required() {
        help += " [required]";
    }
    format!("{help} [env: {}]", setting.env())
}
