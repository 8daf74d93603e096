//! Reads settings: as part of a server, or alone.

use std::path::PathBuf;

use super::{
    definition::SettingDefinition,
    error::SettingsError,
    secret::Secret,
    source::{SettingSources, Variables},
    values::SettingValues,
};

/// The settings of a program, declared once. Implemented by [`#[derive(Settings)]`](macro@crate::settings::Settings).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a struct of settings",
    label = "not a struct with `#[derive(Settings)]`",
    note = "put `#[derive(Settings)]` on a struct with named fields; each field is a setting"
)]
pub trait Settings: Sized + Send + Sync + 'static {
    /// Returns the descriptions of the settings, in the order of the fields.
    fn definitions() -> &'static [SettingDefinition];

    /// Reads the values. Returns `None` if one of them is missing or wrong.
    #[doc(hidden)]
    fn read(values: &mut SettingValues<'_>) -> Option<Self>;

    /// Reads the settings from the environment, and from the file that the variable `MCP_CONFIG` names. Use it in a
    /// program that needs the settings before it has a server, or has no server.
    /// [`Server::settings`](crate::Server::settings) reads them as well.
    ///
    /// # Errors
    /// Returns everything that is missing or wrong.
    fn from_env() -> Result<Self, SettingsError> {
        SettingsLoader::new().load()
    }
}

/// Reads settings without a server, for example in a test.
///
/// ```
/// use mcp_runtime::{prelude::*, settings::{Secret, SettingsLoader}};
///
/// #[derive(Settings)]
/// #[setting(prefix = "APP")]
/// struct AppSettings {
///     /// How many results are shown.
///     #[setting(default = 20)]
///     limit: u8,
///     /// The token of the ticket service.
///     token: Secret<String>,
/// }
///
/// let settings: AppSettings = SettingsLoader::new().variables([("APP_TOKEN", "s3cr3t")]).load()?;
/// assert_eq!((settings.limit, settings.token.expose_secret().as_str()), (20, "s3cr3t"));
///
/// let error = SettingsLoader::new().variables([("APP_LIMIT", "many")]).load::<AppSettings>().map(|_| ()).unwrap_err();
/// assert_eq!(
///     error.problems(),
///     [
///         "`APP_LIMIT` is `many`, not a whole number from 0 to 255",
///         "the setting `token` (The token of the ticket service) is missing; set the variable `APP_TOKEN`, \
///          `APP_TOKEN_FILE` with the path of a file that contains it or `token` in the file of `MCP_CONFIG`",
///     ]
/// );
/// # Ok::<(), mcp_runtime::settings::SettingsError>(())
/// ```
#[derive(Default)]
#[must_use]
pub struct SettingsLoader {
    variables: Variables,
    file: Option<PathBuf>,
}

impl SettingsLoader {
    /// Creates a loader that reads the environment of the process, and the file that the variable `MCP_CONFIG` names.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads these variables in place of the environment of the process.
    pub fn variables<N: Into<String>, V: Into<String>>(mut self, variables: impl IntoIterator<Item = (N, V)>) -> Self {
        let variables = variables.into_iter().map(|(name, value)| (name.into(), value.into()));
        self.variables = Variables::Given(variables.collect());
        self
    }

    /// Reads this file, whatever `MCP_CONFIG` names. It is TOML, and has the settings at its top level. Keys that are
    /// not settings are ignored, because other parts of the program can read the same file.
    pub fn file(mut self, path: impl Into<PathBuf>) -> Self {
        self.file = Some(path.into());
        self
    }

    /// Reads the settings.
    ///
    /// # Errors
    /// Returns everything that is missing or wrong.
    pub fn load<S: Settings>(self) -> Result<S, SettingsError> {
        let mut sources = SettingSources { variables: self.variables, ..SettingSources::default() };
        let opened = sources.open_file(self.file.as_deref());
        let read = read(&sources, None);
        match (opened, read) {
            (Ok(()), read) => read,
            // Without the file, it is not known which settings are missing.
            (Err(problem), _) => Err(SettingsError::of(vec![problem])),
        }
    }
}

/// Reads optional secrets. A secret that cannot be read is `None`, and adds what is wrong to `problems`.
#[cfg(feature = "openapi")]
pub(crate) fn read_secrets(
    definitions: &[SettingDefinition],
    sources: &SettingSources,
    problems: &mut Vec<String>,
) -> Vec<Option<Secret<String>>> {
    let mut values = SettingValues::new(definitions, sources, None);
    let secrets = (0..definitions.len()).map(|index| values.read(index).flatten()).collect();
    problems.append(&mut values.problems);
    secrets
}

/// Reads the settings from these sources. `table` is the table of the settings file that has them.
pub(crate) fn read<S: Settings>(sources: &SettingSources, table: Option<&'static str>) -> Result<S, SettingsError> {
    let mut values = SettingValues::new(S::definitions(), sources, table);
    let settings = S::read(&mut values);
    settings.filter(|_| values.problems.is_empty()).ok_or_else(|| SettingsError::of(values.problems))
}
