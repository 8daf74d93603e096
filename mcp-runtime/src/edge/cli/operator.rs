//! The settings of the server itself. The operator of a program sets them, and they have precedence over what the
//! author has set in code.

use std::path::Path;
#[cfg(feature = "http")]
use std::time::Duration;

#[cfg(feature = "http")]
use crate::{
    engine::elicit::Shape,
    serve::{
        http::serve::PATH,
        settings::{SettingShape, SettingValue},
    },
};
use crate::{
    serve::{
        server::Server,
        settings::{SettingSources, Settings, SettingsError, TABLE, read},
    },
    wire::schema::nearest::did_you_mean,
};

/// The settings of the server itself, which every program has.
#[derive(mcp_macros::Settings)]
#[setting(crate = crate, prefix = "MCP")]
pub(crate) struct OperatorSettings {
    /// Where the command `http` listens.
    #[cfg(feature = "http")]
    #[setting(flag = "addr", default = "127.0.0.1:8080")]
    pub(super) http_addr: String,

    /// The path of the endpoint.
    #[cfg(feature = "http")]
    #[setting(flag = "path", default = "/mcp")]
    pub(super) http_path: EndpointPath,

    /// Answer requests to this host, in place of the hosts that the program allows; several: repeat, or `A,B`.
    #[cfg(feature = "http")]
    pub(super) allow_host: Vec<String>,

    /// Answer requests of web pages of this origin, in place of those of the allowed hosts.
    #[cfg(feature = "http")]
    pub(super) allow_origin: Vec<String>,

    /// After SIGTERM or Ctrl-C, keep serving for SECONDS while /health/ready returns 503.
    #[cfg(feature = "http")]
    #[setting(flag = "retire", default = 0)]
    pub(super) http_retire: Seconds,

    /// Write log messages from this level up to standard error.
    #[cfg(feature = "tracing")]
    log_level: Option<LogLevel>,

    /// The address of the store, such as `postgres://…`, in place of the store of the program.
    #[cfg(any(feature = "postgres", feature = "redis", feature = "sqlite"))]
    store: Option<crate::serve::settings::Secret<String>>,

    /// The keys that seal the states of calls, in place of the keys of the program.
    #[cfg(feature = "seal")]
    state_key: Option<crate::serve::settings::Secret<String>>,
}

/// Opens the settings file: `file`, or else the one that `MCP_CONFIG` names. Then gives the server the settings of the
/// operator, and the sources of its own. What is wrong becomes a problem of the server.
pub(super) async fn configure(
    mut server: Server,
    mut sources: SettingSources,
    file: Option<&Path>,
) -> (Server, Option<OperatorSettings>) {
    if let Err(problem) = sources.open_file(file) {
        // What the file contains is unknown, so nothing is known to be missing.
        server.0.problems.push(problem);
        return (server.without_setting_values(), None);
    }
    let operator = match OperatorSettings::of(&sources) {
        Ok(operator) => {
            operator.begin_log();
            server = operator.apply(server).await;
            Some(operator)
        }
        Err(error) => {
            server.0.problems.extend(error.into_problems());
            None
        }
    };
    (server.setting_sources(sources), operator)
}

/// A path that a router can serve, beside the paths of the health checks.
#[cfg(feature = "http")]
pub(super) struct EndpointPath(pub(super) String);

/// A number of seconds.
#[cfg(feature = "http")]
pub(super) struct Seconds(pub(super) Duration);

/// A level of log messages.
#[cfg(feature = "tracing")]
#[derive(Clone, Copy, mcp_macros::Choice)]
#[choice(crate = crate)]
enum LogLevel {
    Off,
    Error,
    Warn,
    Info,
    Debug,
    Trace,
}

impl OperatorSettings {
    /// Reads the settings from these sources.
    ///
    /// # Errors
    /// Returns everything that is wrong.
    pub(super) fn of(sources: &SettingSources) -> Result<Self, SettingsError> {
        let read = read::<Self>(sources, Some(TABLE));
        let unknown = sources.file.as_ref().map(|file| {
            let shown = file.path().display();
            if file.has_other_than_table(TABLE) {
                return vec![format!("`{TABLE}` in `{shown}` must be a table, with the settings of the server itself")];
            }
            let known: Vec<_> = Self::definitions().iter().map(|setting| setting.name()).collect();
            let keys = file.unknown(Some(TABLE), &known).into_iter().map(|key| {
                let meant = did_you_mean(key, known.iter().copied());
                format!("`{TABLE}.{key}` in `{shown}` is not a setting of the server{meant}")
            });
            keys.collect()
        });
        match (read, unknown.unwrap_or_default()) {
            (Ok(settings), unknown) if unknown.is_empty() => Ok(settings),
            (read, unknown) => {
                let problems = read.err().map(SettingsError::into_problems).unwrap_or_default();
                Err(SettingsError::of([problems, unknown].concat()))
            }
        }
    }

    /// Writes log messages to standard error, if the operator has set a level.
    pub(super) fn begin_log(&self) {
        #[cfg(feature = "tracing")]
        {
            let level = self.log_level.map(LogLevel::filter);
            #[cfg(feature = "dev")]
            let begins = if crate::base::development::is_on() {
                crate::edge::dev::reported::begin_spans(level)
            } else {
                level.is_none_or(begin_log)
            };
            #[cfg(not(feature = "dev"))]
            let begins = level.is_none_or(begin_log);
            if level.is_some() && !begins {
                crate::report!("the log level has no effect, because the program writes a log of its own");
            }
        }
    }

    /// Gives the server the store and the keys of the operator. What is wrong becomes a problem of the server.
    #[allow(unused_mut, reason = "a program without these features has none of these settings")]
    async fn apply(&self, mut server: Server) -> Server {
        #[cfg(feature = "seal")]
        if let Some(keys) = &self.state_key {
            match keys.expose_secret().parse() {
                Ok(keys) => server = server.state_keys(keys),
                Err(error) => server.0.problems.push(format!("`MCP_STATE_KEY`: {error}")),
            }
        }
        #[cfg(any(feature = "postgres", feature = "redis", feature = "sqlite"))]
        if let Some(address) = &self.store {
            match crate::engine::store::open(address.expose_secret()).await {
                Ok(store) => server = server.store(store),
                Err(error) => server.0.problems.push(format!("cannot open the store of `MCP_STORE`: {error}")),
            }
        }
        server
    }
}

/// Writes log messages from this level up to standard error. Returns whether the program has no other subscriber.
#[cfg(feature = "tracing")]
fn begin_log(level: tracing::level_filters::LevelFilter) -> bool {
    let subscriber = tracing_subscriber::fmt().with_max_level(level).with_writer(std::io::stderr);
    tracing::subscriber::set_global_default(subscriber.with_ansi(false).finish()).is_ok()
}

#[cfg(feature = "tracing")]
impl LogLevel {
    fn filter(self) -> tracing::level_filters::LevelFilter {
        use tracing::level_filters::LevelFilter;
        match self {
            Self::Off => LevelFilter::OFF,
            Self::Error => LevelFilter::ERROR,
            Self::Warn => LevelFilter::WARN,
            Self::Info => LevelFilter::INFO,
            Self::Debug => LevelFilter::DEBUG,
            Self::Trace => LevelFilter::TRACE,
        }
    }
}

#[cfg(feature = "http")]
impl SettingValue for EndpointPath {
    const SHAPE: SettingShape = SettingShape::new(Shape::text());

    fn read(text: &str) -> Result<Self, String> {
        let is_plain = |c: char| c.is_ascii_graphic() && !"?#{}%".contains(c);
        match text.trim() {
            "" => Ok(Self(PATH.to_owned())),
            path if !path.starts_with('/') || !path.chars().all(is_plain) => {
                Err("not a path; write it like `/mcp` or `/api/mcp`".to_owned())
            }
            path if ["/health", "/health/ready"].contains(&path.trim_end_matches('/')) => {
                Err("the path of a health check; choose another path".to_owned())
            }
            path => Ok(Self(path.to_owned())),
        }
    }
}

#[cfg(feature = "http")]
impl SettingValue for Seconds {
    const SHAPE: SettingShape =
        SettingShape::new(Shape::number()).expecting("a number of seconds; write it like `5` or `0.5`");

    fn read(text: &str) -> Result<Self, String> {
        let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        seconds.map(Self).ok_or_else(|| "not a number of seconds".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::serve::settings::{FLAGS, VARIABLES};

    #[test]
    fn no_other_setting_can_have_the_names_of_these() {
        for setting in OperatorSettings::definitions() {
            assert!(VARIABLES.contains(&setting.env()), "{}", setting.env());
            assert!(setting.env_file().is_none_or(|name| VARIABLES.contains(&&*name)), "{}", setting.env());
            assert!(setting.flag().is_none_or(|flag| FLAGS.contains(&flag)), "{:?}", setting.flag());
        }
    }
}
