//! The settings of the program, which the server reads when it is built.

use std::any::type_name;

use serde_json::Value;

use super::Server;
use crate::{
    base::error::IntoToolError,
    engine::tool::{State, registry::Registry},
    serve::{
        server::core::service::{Extension, Service},
        settings::{
            SettingDefinition, SettingSources, Settings, TABLE, read,
            tool_settings::{self, of_tools},
        },
    },
    wire::schema::nearest::did_you_mean,
};

/// The settings that the author has declared, and what is made from them.
#[derive(Default)]
pub(crate) struct DeclaredSettings {
    definitions: Vec<SettingDefinition>,
    /// Reads settings, or makes a state from them, in the author's order.
    steps: Vec<SettingStep>,
    /// Where the values come from.
    sources: SettingSources,
    /// Whether the sources are set. If not, the server reads the environment and the file of `MCP_CONFIG`.
    has_sources: bool,
    /// Whether the server is built for a command that needs no values, such as `manifest`.
    need_no_values: bool,
}

type SettingStep = Box<dyn FnOnce(Server, &DeclaredSettings) -> Server + Send + Sync>;

impl Server {
    /// Declares settings, and adds their values to the shared state: tools take them by reference, such as `settings:
    /// &AppSettings`. See [`settings`](crate::settings).
    ///
    /// The values are read when the server is built: from the options of the command line (if [`run`](Self::run) builds
    /// the server, and with the feature `cli`), then from environment variables, then from the file that `--config` or
    /// `MCP_CONFIG` names. If values are missing or wrong, [`build`](Self::build) returns an error that lists all of
    /// them, without the values of secrets.
    ///
    /// ```
    /// use mcp_runtime::{prelude::*, settings::Secret};
    ///
    /// #[derive(Settings)]
    /// #[setting(prefix = "TICKETS")]
    /// struct TicketSettings {
    ///     /// The address of the ticket service.
    ///     #[setting(default = "https://tickets.example")]
    ///     url: String,
    ///     /// The token of the ticket service.
    ///     token: Secret<String>,
    /// }
    ///
    /// /// Says where tickets are.
    /// #[mcp_tool(read_only)]
    /// async fn tickets(settings: &TicketSettings) -> String {
    ///     settings.url.clone()
    /// }
    ///
    /// let server = Server::new("tickets", "1.0.0").settings::<TicketSettings>().tools(tools![tickets]);
    /// let error = server.build().unwrap_err();
    /// assert!(error.to_string().contains("the setting `token` (The token of the ticket service) is missing"));
    /// ```
    ///
    /// A test gives the values with [`state`](Self::state) instead, or calls the function of the tool.
    pub fn settings<S: Settings>(self) -> Self {
        self.configure(S::definitions(), |mut server, declared| {
            if declared.need_no_values {
                server.0.service.states.set_absent::<S>();
                return server;
            }
            match read::<S>(&declared.sources, None) {
                Ok(settings) => server.add_state(settings),
                Err(error) => {
                    server.0.service.states.set_absent::<S>();
                    server.0.problems.extend(error.into_problems());
                }
            }
            server
        })
    }

    /// Adds a shared value that is made from [`settings`](Self::settings), such as a client with the token of a service.
    /// The function runs when the server is built, after the settings are read. Its error is an error of
    /// [`build`](Self::build). It does not run for commands that only show what the server has, such as `tools`.
    ///
    /// ```
    /// use mcp_runtime::prelude::*;
    ///
    /// #[derive(Settings)]
    /// #[setting(prefix = "NOTES")]
    /// struct NoteSettings {
    ///     /// The folder of the notes.
    ///     #[setting(default = ".", kind = "directory")]
    ///     folder: std::path::PathBuf,
    /// }
    ///
    /// struct Notes(Vec<std::ffi::OsString>);
    ///
    /// let server = Server::new("notes", "1.0.0").settings::<NoteSettings>().state_from(|settings: &NoteSettings| {
    ///     let entries = std::fs::read_dir(&settings.folder)?;
    ///     entries.map(|entry| Ok(entry?.file_name())).collect::<std::io::Result<_>>().map(Notes)
    /// });
    /// # server.build().unwrap();
    /// ```
    pub fn state_from<S, T, E>(self, make: impl FnOnce(&S) -> Result<T, E> + Send + Sync + 'static) -> Self
    where
        S: Settings,
        T: State,
        E: IntoToolError,
    {
        let what = format!("the state `{}`", type_name::<T>());
        self.make_from("state_from", what, make, |server, value| match value {
            Some(value) => server.add_state(value),
            None => server.0.service.states.set_absent::<T>(),
        })
    }

    /// Adds what `make` makes from settings, when the server is built. `add` gets `None` if the values are not needed, or
    /// if something is wrong, which is a problem of the server then.
    pub(crate) fn make_from<S, T, E>(
        self,
        method: &'static str,
        what: String,
        make: impl FnOnce(&S) -> Result<T, E> + Send + Sync + 'static,
        add: impl FnOnce(&mut Self, Option<T>) + Send + Sync + 'static,
    ) -> Self
    where
        S: Settings,
        E: IntoToolError,
    {
        self.configure(&[], move |mut server, _| {
            let states = &server.0.service.states;
            let made = match states.get::<S>() {
                Some(settings) => make(settings).map_err(|error| {
                    let error = error.into_tool_error().chain();
                    Some(format!("cannot make {what} from the settings: {error}"))
                }),
                None if states.is_absent::<S>() => Err(None),
                None => {
                    let settings = type_name::<S>();
                    Err(Some(format!(
                        "`.{method}(…)` makes {what} from `{settings}`, which the server does not have; add \
                         `.settings::<{settings}>()` before it"
                    )))
                }
            };
            let (value, problem) = made.map_or_else(|problem| (None, problem), |value| (Some(value), None));
            server.0.problems.extend(problem);
            add(&mut server, value);
            server
        })
    }

    fn configure(
        mut self,
        definitions: &[SettingDefinition],
        step: impl FnOnce(Self, &DeclaredSettings) -> Self + Send + Sync + 'static,
    ) -> Self {
        let declared = self.extension::<DeclaredSettings>();
        declared.definitions.extend_from_slice(definitions);
        declared.steps.push(Box::new(step));
        self
    }

    /// Returns the descriptions of the declared settings, and of those that tools bring with them.
    pub(crate) fn setting_definitions(&self) -> Vec<SettingDefinition> {
        let declared = self.0.extensions.get::<DeclaredSettings>();
        let mut definitions = declared.map(|declared| declared.definitions.clone()).unwrap_or_default();
        definitions.extend(tool_settings::definitions(&of_tools(&self.0.items)));
        definitions
    }

    /// Sets where the values of the settings come from.
    pub(crate) fn setting_sources(mut self, sources: SettingSources) -> Self {
        let declared = self.extension::<DeclaredSettings>();
        (declared.sources, declared.has_sources) = (sources, true);
        self
    }

    /// Builds the server without the values of its settings, for a command that only shows what the server has.
    pub(crate) fn without_setting_values(mut self) -> Self {
        let declared = self.extension::<DeclaredSettings>();
        (declared.has_sources, declared.need_no_values) = (true, true);
        self
    }

    /// Reads the settings, if some are declared.
    pub(super) fn load_settings(mut self) -> Self {
        let of_tools = of_tools(&self.0.items);
        if of_tools.is_empty() && self.0.extensions.get::<DeclaredSettings>().is_none() {
            return self;
        }
        let mut declared = std::mem::take(self.extension::<DeclaredSettings>());
        declared.definitions.extend(tool_settings::definitions(&of_tools));
        self.0.problems.extend(tool_settings::problems(&of_tools));
        if !declared.has_sources
            && let Err(problem) = declared.sources.open_file(None)
        {
            self.0.problems.push(problem);
            // What the file contains is unknown, so nothing is known to be missing.
            declared.need_no_values = true;
        }
        declared.problems(&mut self.0.problems);
        for step in std::mem::take(&mut declared.steps) {
            self = step(self, &declared);
        }
        for settings in of_tools {
            settings.read((!declared.need_no_values).then_some(&declared.sources), &mut self.0.problems);
        }
        // What was given is needed no longer.
        self.extension::<DeclaredSettings>().definitions = declared.definitions;
        self
    }
}

impl DeclaredSettings {
    /// Adds a problem for each two settings with the same name, and for each key of the file that is not a setting.
    fn problems(&self, problems: &mut Vec<String>) {
        for (index, setting) in self.definitions.iter().enumerate() {
            let clashes = self.definitions[..index].iter().filter_map(|earlier| setting.clash(earlier));
            problems.extend(clashes.map(|problem| problem.text().to_owned()));
        }
        let Some(file) = &self.sources.file else { return };
        let known: Vec<_> = self.definitions.iter().map(SettingDefinition::name).chain([TABLE]).collect();
        for key in file.unknown(None, &known) {
            let meant = did_you_mean(key, known.iter().copied());
            problems.push(format!("`{key}` in `{}` is not a setting{meant}", file.path().display()));
        }
    }
}

impl Service {
    /// Returns the descriptions of the settings that were declared with [`Server::settings`], and of those that tools bring
    /// with them, such as the credentials of an `openapi::Api`.
    pub fn setting_definitions(&self) -> Vec<SettingDefinition> {
        let declared = self.0.extensions.get::<DeclaredSettings>();
        declared.map(|declared| declared.definitions.clone()).unwrap_or_default()
    }
}

impl Extension for DeclaredSettings {
    fn manifest(&self, _: &Registry) -> Vec<(&'static str, Value)> {
        let settings: Vec<_> = self.definitions.iter().map(SettingDefinition::to_json).collect();
        if settings.is_empty() { Vec::new() } else { vec![("settings", settings.into())] }
    }
}
