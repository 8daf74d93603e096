//! Settings: declared once, read from the command line, the environment and a file.
//!
//! A setting is what the operator of a program chooses and its author cannot know: a folder, the address of a service, a
//! token. A field of a struct with [`#[derive(Settings)]`](macro@Settings) declares it:
//!
//! ```no_run
//! use std::{path::PathBuf, process::ExitCode};
//!
//! use mcp_runtime::{prelude::*, settings::Secret};
//!
//! #[derive(Settings)]
//! struct NoteSettings {
//!     /// The folder of the notes.
//!     #[setting(default = ".", kind = "directory")]
//!     folder: PathBuf,
//!     /// Token of the service that translates notes.
//!     token: Secret<String>,
//! }
//!
//! /// Lists the notes.
//! #[mcp_tool(read_only)]
//! async fn notes(settings: &NoteSettings) -> std::io::Result<String> {
//!     let names = std::fs::read_dir(&settings.folder)?.map(|entry| Ok(entry?.file_name().display().to_string()));
//!     Ok(names.collect::<std::io::Result<Vec<_>>>()?.join("\n"))
//! }
//!
//! #[tokio::main]
//! async fn main() -> ExitCode {
//!     Server::new("notes", env!("CARGO_PKG_VERSION"))
//!         .settings::<NoteSettings>()
//!         .tools(tools![notes])
//!         .run()
//!         .await
//! }
//! ```
//!
//! Tools take the values by reference, as any shared state. [`Server::state_from`](crate::Server::state_from) makes another
//! state from them, such as a client with the token, and `Server::authorization_from` (feature `http`) the authorization.
//!
//! # Where a value comes from
//!
//! The first of these places that has a value wins:
//!
//! | place | for the field `folder` of the package `notes` | notes |
//! | --- | --- | --- |
//! | option of the command line | `--folder ~/notes` | with the feature `cli`, before or behind the command; before the name of a tool. Not for secrets, because other users of the machine can read command lines |
//! | environment variable | `NOTES_FOLDER=~/notes` | an empty variable is not set, and neither is `${NOTES_FOLDER}`, which a host has not replaced |
//! | file of a variable | `NOTES_TOKEN_FILE=/run/secrets/token` | secrets only. A line break at the end of the file is not part of the value |
//! | settings file | `folder = "/home/ann/notes"` | TOML, named by `--config` or `MCP_CONFIG` |
//! | default | `#[setting(default = ".")]` | |
//!
//! A setting without a default is required, unless its type is an `Option` or a `Vec`. The server is not built if a
//! required setting is missing or a value is wrong. One error lists all such problems, and where each missing setting can
//! be set:
//!
//! ```text
//! error: the server cannot be built:
//!   - `NOTES_FOLDER` is not valid Unicode
//!   - the setting `token` (Token of the service that translates notes) is missing; set the variable `NOTES_TOKEN`, …
//! ```
//!
//! A number can have limits: with `#[setting(min = 1, max = 100)]`, another number is a wrong value, also on the command
//! line and in each place of a list.
//!
//! A key of the settings file that is not a setting is an error too, so that a misspelled key is noticed. Commands that
//! only show what a server has, such as `tools`, `manifest` and `--help`, need no values.
//!
//! In a list, values are separated by commas; an option can also be repeated, and in the settings file a list is an array.
//!
//! # Secrets
//!
//! The type of a secret is [`Secret`]. Its value is in no error, not even if it is wrong; not in the output of `Debug`,
//! in [`Service::manifest`](crate::Service::manifest), in `--help`, or in a log of the runtime. A secret has no default
//! and no option. `#[setting(secret)]` on another type does not compile, because its `Debug` would show the value.
//!
//! # The settings of the server
//!
//! The operator can also configure the server itself. [`Server::run`](crate::Server::run) reads these settings, so a
//! program needs no code for them. They have precedence over what the author sets in code. In the settings file they are
//! in the table `[mcp]`:
//!
//! | variable | option | key in `[mcp]` | what it sets | in place of |
//! | --- | --- | --- | --- | --- |
//! | `MCP_CONFIG` | `--config` | | the settings file | |
//! | `MCP_HTTP_ADDR` | `http --addr` | `http_addr` | where the command `http` listens; default: `127.0.0.1:8080` | |
//! | `MCP_HTTP_PATH` | `http --path` | `http_path` | the path of the endpoint; default: `/mcp` | |
//! | `MCP_ALLOW_HOST` | `http --allow-host` | `allow_host` | the allowed hosts, a list | `Server::allowed_hosts` |
//! | `MCP_ALLOW_ORIGIN` | `http --allow-origin` | `allow_origin` | the allowed origins, a list | the same |
//! | `MCP_HTTP_RETIRE` | `http --retire` | `http_retire` | how many seconds the server still serves after a signal; default: 0 | |
//! | `MCP_LOG_LEVEL` | `--log-level` | `log_level` | `off`, `error`, `warn`, `info`, `debug` or `trace`: writes a log to standard error (feature `tracing`); without effect if the program has its own subscriber | |
//! | `MCP_STORE`, `MCP_STORE_FILE` | | `store` | the address of the store, as for [`store::open`](crate::store::open) | [`Server::store`](crate::Server::store) |
//! | `MCP_STATE_KEY`, `MCP_STATE_KEY_FILE` | | `state_key` | the keys that seal states (feature `seal`) | `Server::state_keys` |
//!
//! The options exist with the feature `cli`. A program that embeds a service and does not call `run` configures the server
//! in code; only `MCP_STATE_KEY` is read there too, if the code sets no keys.
//!
//! # Without a server
//!
//! [`Settings::from_env`](crate::settings::Settings::from_env) reads the environment and the settings file, and [`SettingsLoader`]
//! reads other sources, for example in a test.
//!
//! # Descriptions
//!
//! [`Settings::definitions`](crate::settings::Settings::definitions) and
//! [`Service::setting_definitions`](crate::Service::setting_definitions) describe the settings, without their values:
//! [`SettingDefinition`]. [`Service::manifest`](crate::Service::manifest) contains the descriptions as `settings`.

pub use crate::{
    docs::macros::Settings,
    serve::settings::{
        Secret, SettingDefinition, SettingKind, SettingShape, SettingType, SettingValue, SettingValues, Settings,
        SettingsError, SettingsLoader, TypeOfSetting,
    },
};
