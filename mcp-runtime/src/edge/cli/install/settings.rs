//! The settings of the program that an entry sets, and those that it lacks.

use std::{collections::BTreeMap, path::Path};

use crate::{
    edge::hosts::entry::{SecretValue, SecretVariable, ServerEntry, ServerTarget},
    serve::settings::{SettingDefinition, SettingKind, SettingSources, SettingsError, Variables, has_value, summary},
};

/// The settings of the program, and how it reads them.
pub(crate) struct ProgramSettings {
    pub(crate) definitions: Vec<SettingDefinition>,
    /// Whether the program reads them from options of its command line, too.
    pub(crate) has_options: bool,
    /// The options of this command line that set them.
    pub(crate) options: Vec<String>,
}

impl ProgramSettings {
    /// Returns the variables of secrets.
    pub(crate) fn secrets(&self) -> impl Iterator<Item = &'static str> {
        self.definitions.iter().filter(|setting| setting.is_secret()).map(SettingDefinition::env)
    }

    /// Returns the required settings that the entry does not set, except for secrets. Those become secrets of the entry,
    /// because a host can have their values. An entry for a URL needs no settings: another process reads them.
    ///
    /// # Errors
    /// If a value is not valid.
    pub(crate) fn missing(&self, entry: &mut ServerEntry) -> Result<Vec<SettingDefinition>, SettingsError> {
        let ServerTarget::Program { arguments, .. } = &entry.target else { return Ok(Vec::new()) };
        let mut sources = SettingSources {
            flags: self.has_options.then(|| self.flags(arguments)),
            variables: Variables::Given(entry.variables.iter().cloned().collect()),
            file: None,
        };
        let file = if self.has_options { value_of("--config", arguments) } else { None };
        sources.open_file(file.map(Path::new)).map_err(|problem| SettingsError::of(vec![problem]))?;
        let (mut missing, mut problems) = (Vec::new(), Vec::new());
        for setting in &self.definitions {
            let variable = entry.variables.iter().find(|(name, _)| name == setting.env());
            let is_named = entry.secrets.iter().any(|secret| secret.name == setting.env());
            // The host knows what a reference stands for.
            if is_named || variable.is_some_and(|(_, value)| is_reference(value)) {
                continue;
            }
            match has_value(setting, &sources) {
                Ok(has_value) if has_value || !setting.is_required() => {}
                Ok(_) if setting.is_secret() => entry.secrets.push(secret(setting, SecretValue::WithHost)),
                Ok(_) => missing.push(*setting),
                Err(problem) => problems.push(problem),
            }
        }
        self.hide_secrets(entry);
        if problems.is_empty() { Ok(missing) } else { Err(SettingsError::of(problems)) }
    }

    /// Makes secrets of the variables whose settings are secrets, so that no output shows their values, and describes them.
    fn hide_secrets(&self, entry: &mut ServerEntry) {
        for setting in self.definitions.iter().filter(|setting| setting.is_secret()) {
            if let Some(at) = entry.variables.iter().position(|(name, _)| name == setting.env()) {
                let (_, value) = entry.variables.remove(at);
                entry.secrets.push(secret(setting, SecretValue::Plain(value)));
            }
            if let Some(named) = entry.secrets.iter_mut().find(|secret| secret.name == setting.env()) {
                named.description = description(setting);
            }
        }
    }

    /// Returns the values that the program reads from these arguments, by the names of their options.
    fn flags(&self, arguments: &[String]) -> BTreeMap<String, Vec<String>> {
        let mut flags = BTreeMap::<_, Vec<_>>::new();
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            let Some(option) = argument.strip_prefix("--") else { continue };
            let (flag, value) = option.split_once('=').map_or((option, None), |(flag, value)| (flag, Some(value)));
            let Some(setting) = self.definitions.iter().find(|setting| setting.flag() == Some(flag)) else { continue };
            let value = match (value, setting.kind()) {
                (Some(value), _) => value.to_owned(),
                (None, SettingKind::Boolean) => "true".to_owned(),
                (None, _) => arguments.next().cloned().unwrap_or_default(),
            };
            flags.entry(flag.to_owned()).or_default().push(value);
        }
        flags
    }
}

/// Returns the value of an option in these arguments: `--config FILE` or `--config=FILE`.
fn value_of<'a>(option: &str, arguments: &'a [String]) -> Option<&'a str> {
    let mut found = arguments.iter().enumerate().filter_map(|(at, argument)| match argument.strip_prefix(option)? {
        "" => arguments.get(at + 1).map(String::as_str),
        rest => rest.strip_prefix('='),
    });
    found.next()
}

/// Whether the host replaces a part of the value.
fn is_reference(value: &str) -> bool {
    ["${", "{env:"].iter().any(|opening| value.contains(opening)) || value.starts_with('$')
}

fn secret(setting: &SettingDefinition, value: SecretValue) -> SecretVariable {
    SecretVariable { name: setting.env().to_owned(), description: description(setting), value }
}

fn description(setting: &SettingDefinition) -> String {
    setting.description().map_or_else(|| setting.env().to_owned(), summary)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::serve::settings::{Secret, Settings as _};

    #[derive(mcp_macros::Settings)]
    #[setting(crate = crate, prefix = "APP")]
    #[allow(dead_code, reason = "only their definitions are used")]
    struct AppSettings {
        /// The folder to search.
        #[setting(default = ".", kind = "directory")]
        root: std::path::PathBuf,
        /// Who searches. Nobody else.
        user: String,
        /// How many results there are.
        limit: Option<u8>,
        /// Token of the service.
        token: Secret<String>,
        /// The secret number.
        pin: Option<Secret<u16>>,
    }

    fn settings() -> ProgramSettings {
        let definitions = AppSettings::definitions().to_vec();
        ProgramSettings { definitions, has_options: true, options: Vec::new() }
    }

    fn entry(arguments: &[&str], variables: &[(&str, &str)]) -> ServerEntry {
        let arguments = arguments.iter().map(|&argument| argument.to_owned()).collect();
        ServerEntry {
            name: "searcher".to_owned(),
            target: ServerTarget::Program { path: "/opt/searcher".to_owned(), arguments },
            variables: variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
            secrets: Vec::new(),
        }
    }

    /// Returns the names of the settings that are missing, and of the secrets that the entry has then.
    fn completed(entry: &mut ServerEntry) -> (Vec<&'static str>, Vec<String>) {
        let missing = settings().missing(entry).unwrap_or_else(|error| panic!("{error}"));
        let secrets = entry.secrets.iter().map(|secret| secret.name.clone());
        (missing.iter().map(SettingDefinition::name).collect(), secrets.collect())
    }

    #[test]
    fn only_required_settings_without_a_value_are_missing() {
        let token = || vec!["APP_TOKEN".to_owned()];
        for (arguments, variables, missing) in [
            (&[][..], &[][..], &["user"][..]),
            (&["--user", "ann"], &[], &[]),
            (&["--user=ann", "stdio"], &[], &[]),
            (&[], &[("APP_USER", "ann")], &[]),
            (&[], &[("APP_USER", "${USER}")], &[]),
            (&[], &[("APP_USER", "")], &["user"]),
        ] {
            let completed = completed(&mut entry(arguments, variables));
            assert_eq!(completed, (missing.to_vec(), token()), "{arguments:?} {variables:?}");
        }
    }

    #[test]
    fn a_url_needs_no_settings() {
        let mut entry = ServerEntry { target: ServerTarget::Url("https://example.com".to_owned()), ..entry(&[], &[]) };
        assert_eq!(completed(&mut entry), (Vec::new(), Vec::new()));
    }

    #[test]
    fn a_secret_is_described_by_its_setting() {
        let mut given = entry(&[], &[("APP_USER", "ann"), ("APP_TOKEN", "s3cret")]);
        let pin =
            SecretVariable { name: "APP_PIN".to_owned(), description: "?".to_owned(), value: SecretValue::WithHost };
        given.secrets.push(pin);
        assert_eq!(completed(&mut given), (Vec::new(), vec!["APP_PIN".to_owned(), "APP_TOKEN".to_owned()]));
        assert_eq!(given.variables, entry(&[], &[("APP_USER", "ann")]).variables);
        let [pin, token] = &given.secrets[..] else { panic!("{given:?}") };
        assert_eq!((&*pin.description, &pin.value), ("The secret number", &SecretValue::WithHost));
        let plain = SecretValue::Plain("s3cret".to_owned());
        assert_eq!((&*token.description, &token.value), ("Token of the service", &plain));
    }

    #[test]
    fn rejects_values_that_the_server_would_reject() {
        let mut entry = entry(&["--limit=many"], &[("APP_USER", "ann"), ("APP_TOKEN", "x"), ("APP_PIN", "s3cret")]);
        let error = settings().missing(&mut entry).unwrap_err();
        assert_eq!(
            error.problems(),
            [
                "`--limit` is `many`, not a whole number from 0 to 255",
                "`APP_PIN` is not a whole number from 0 to 65535; its value is a secret and is not shown",
            ]
        );
    }

    #[test]
    fn a_program_without_options_reads_none() {
        let settings = ProgramSettings { has_options: false, ..settings() };
        let missing = settings.missing(&mut entry(&["--user=ann"], &[])).unwrap();
        assert_eq!(missing.iter().map(SettingDefinition::name).collect::<Vec<_>>(), ["user"]);
    }
}
