//! Where settings come from: the command line, the environment, and the settings file.

use std::{
    collections::BTreeMap,
    env::{self, VarError},
    fmt,
    path::{Path, PathBuf},
};

use secrecy::zeroize::Zeroize as _;

use super::{
    definition::SettingDefinition,
    file::{self, SettingsFile},
};

/// The variable that names the settings file.
pub(crate) const CONFIG: &str = "MCP_CONFIG";

/// The sources of settings. A value on the command line has precedence over a variable, a variable over the file, and
/// the file over the default.
#[derive(Default)]
pub(crate) struct SettingSources {
    /// The values on the command line by the names of options. `None` if the program reads no options for settings.
    pub(crate) flags: Option<BTreeMap<String, Vec<String>>>,
    pub(crate) variables: Variables,
    pub(crate) file: Option<SettingsFile>,
}

/// The environment.
#[derive(Default)]
pub(crate) enum Variables {
    /// That of the process.
    #[default]
    Process,
    /// One that stands for it, for example in a test.
    Given(BTreeMap<String, String>),
}

/// The texts that are given for a setting.
pub(super) struct GivenTexts {
    pub(super) texts: Vec<String>,
    pub(super) place: SettingPlace,
    is_secret: bool,
}

/// Where a text was found, as errors name it.
pub(super) enum SettingPlace {
    Flag(&'static str),
    Variable(String),
    /// The file that the variable names.
    FileOf(String),
    Key(String, PathBuf),
    Default(&'static str),
}

impl Variables {
    /// Returns the value of a variable. An empty variable is not set. Neither is one whose value is a placeholder that a
    /// host has not replaced, because the user has set nothing.
    ///
    /// # Errors
    /// Returns the reason why the value cannot be used.
    fn get(&self, name: &str) -> Result<Option<String>, String> {
        let value = match self {
            Self::Process => match env::var(name) {
                Ok(value) => Some(value),
                Err(VarError::NotPresent) => None,
                Err(VarError::NotUnicode(_)) => return Err(format!("the variable `{name}` is not valid Unicode")),
            },
            Self::Given(variables) => variables.get(name).cloned(),
        };
        Ok(value.filter(|value| !value.is_empty() && !is_placeholder(name, value)))
    }
}

/// Whether the value of a variable is `${user_config.…}`, as bundles have it, or `${NAME}` or `${env:NAME}` with the
/// variable's own name, as the entries of `install` have it.
fn is_placeholder(variable: &str, value: &str) -> bool {
    let Some(inner) = value.strip_prefix("${").and_then(|rest| rest.strip_suffix('}')) else { return false };
    match inner.strip_prefix("user_config.") {
        Some(name) => !name.contains(['$', '{', '}']),
        None => inner.strip_prefix("env:").unwrap_or(inner) == variable,
    }
}

impl SettingSources {
    /// Opens the settings file: this one, or else the one that the variable `MCP_CONFIG` names.
    ///
    /// # Errors
    /// Returns why the file cannot be read.
    pub(crate) fn open_file(&mut self, path: Option<&Path>) -> Result<(), String> {
        let named = match path {
            Some(path) => Some(path.to_owned()),
            None => self.variables.get(CONFIG)?.map(PathBuf::from),
        };
        if let Some(path) = named {
            self.file = Some(SettingsFile::open(&path)?);
        }
        Ok(())
    }

    /// Returns where the value of a setting is read from, or `None` if no source has one.
    ///
    /// # Errors
    /// Returns the problem of a source, as one sentence.
    #[cfg(feature = "cli")]
    pub(crate) fn place(
        &self,
        setting: &SettingDefinition,
        table: Option<&'static str>,
    ) -> Result<Option<String>, String> {
        self.find(setting, table).map(|found| found.map(|given| given.place.to_string()))
    }

    /// Returns the secrets that these sources give for the settings. What cannot be read is left out.
    #[cfg(feature = "dev")]
    pub(crate) fn secrets(&self, settings: &[SettingDefinition], table: Option<&'static str>) -> Vec<String> {
        let secrets = settings.iter().filter(|setting| setting.is_secret());
        secrets.filter_map(|setting| self.find(setting, table).ok()?).flat_map(|given| given.texts.clone()).collect()
    }

    /// Returns the texts that are given for a setting, if there are any. `table` is the table of the settings file that
    /// has the setting.
    ///
    /// # Errors
    /// Returns the problem of a source, as one sentence.
    pub(super) fn find(
        &self,
        setting: &SettingDefinition,
        table: Option<&'static str>,
    ) -> Result<Option<GivenTexts>, String> {
        if let Some(flag) = setting.flag()
            && let Some(values) = self.flags.as_ref().and_then(|flags| flags.get(flag))
            // Some hosts leave a placeholder where the user has set nothing.
            && !values.iter().any(|value| is_placeholder(setting.env(), value))
        {
            return Ok(Some(GivenTexts::of(setting, values.clone(), SettingPlace::Flag(flag)).separated(setting)));
        }
        if let Some(given) = self.find_variable(setting)? {
            return Ok(Some(given));
        }
        let Some(file) = &self.file else { return Ok(None) };
        let key = table.map_or_else(|| setting.name().to_owned(), |table| format!("{table}.{}", setting.name()));
        match file.texts(table, setting) {
            Ok(texts) => {
                Ok(texts.map(|texts| GivenTexts::of(setting, texts, SettingPlace::Key(key, file.path().to_owned()))))
            }
            Err(is) => Err(format!("`{key}` in `{}` is {is}", file.path().display())),
        }
    }

    fn find_variable(&self, setting: &SettingDefinition) -> Result<Option<GivenTexts>, String> {
        let value = self.variables.get(setting.env())?;
        let Some(of_file) = setting.env_file() else {
            let place = || SettingPlace::Variable(setting.env().to_owned());
            return Ok(value.map(|value| GivenTexts::of(setting, vec![value], place()).separated(setting)));
        };
        match (value, self.variables.get(&of_file)?) {
            (Some(mut value), Some(_)) => {
                value.zeroize();
                Err(format!("both `{}` and `{of_file}` are set; set one of them", setting.env()))
            }
            (Some(value), None) => {
                let place = SettingPlace::Variable(setting.env().to_owned());
                Ok(Some(GivenTexts::of(setting, vec![value], place).separated(setting)))
            }
            (None, Some(path)) => {
                let text = file::read(Path::new(&path));
                let text = text.map_err(|error| format!("cannot read the file `{path}` of `{of_file}`: {error}"))?;
                // Editors and `echo` end a file with a line break.
                let text = text.trim_end_matches(['\r', '\n']).to_owned();
                Ok(Some(GivenTexts::of(setting, vec![text], SettingPlace::FileOf(of_file)).separated(setting)))
            }
            (None, None) => Ok(None),
        }
    }
}

impl GivenTexts {
    pub(super) fn of(setting: &SettingDefinition, texts: Vec<String>, place: SettingPlace) -> Self {
        Self { texts, place, is_secret: setting.is_secret() }
    }

    /// Splits each text of a list at its commas.
    fn separated(mut self, setting: &SettingDefinition) -> Self {
        if setting.is_list() {
            let parts = self.texts.iter().flat_map(|text| text.split(','));
            let parts = parts.map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned).collect();
            let mut whole = std::mem::replace(&mut self.texts, parts);
            if self.is_secret {
                whole.zeroize();
            }
        }
        self
    }
}

impl Drop for GivenTexts {
    fn drop(&mut self) {
        if self.is_secret {
            self.texts.zeroize();
        }
    }
}

impl fmt::Display for SettingPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag(flag) => write!(f, "`--{flag}`"),
            Self::Variable(name) => write!(f, "`{name}`"),
            Self::FileOf(name) => write!(f, "the file of `{name}`"),
            Self::Key(name, path) => write!(f, "`{name}` in `{}`", path.display()),
            Self::Default(name) => write!(f, "the default of `{name}`"),
        }
    }
}
