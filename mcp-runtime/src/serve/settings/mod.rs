//! The settings of a program and of its server: declared once, read from the command line, the environment and a file.
//!
//! A setting is declared as a field of a struct with [`#[derive(Settings)]`](macro@crate::settings::Settings).
//! [`definition`] describes it, without its value. [`source`] finds the texts that are given for it, [`value`] parses
//! them, and [`values`] collects what is missing or wrong. The value of a secret never leaves its
//! [`Secret`]: errors about it say where it was found, and not what it is.

mod definition;
mod draft;
mod error;
mod file;
mod loader;
mod reserved;
mod secret;
mod source;
pub(crate) mod tool_settings;
mod value;
mod values;

#[cfg(test)]
pub(crate) use self::reserved::{FLAGS, VARIABLES};
pub use self::{
    definition::{SettingDefinition, SettingKind},
    draft::SettingDraft,
    error::SettingsError,
    loader::{Settings, SettingsLoader},
    secret::Secret,
    value::{SettingShape, SettingType, SettingValue, TypeOfSetting},
    values::SettingValues,
};
pub(crate) use self::{
    loader::read,
    reserved::TABLE,
    source::{CONFIG, SettingSources},
    values::{placeholder, summary},
};
#[cfg(feature = "openapi")]
pub(crate) use self::{
    loader::read_secrets,
    tool_settings::{ToolSettings, WithSettings},
};
#[cfg(feature = "cli")]
pub(crate) use self::{source::Variables, values::has_value};
