//! The settings of the server as a form of the host, and how the host passes the user's values to the program.

use serde_json::{Map, Value};

use crate::{
    edge::cli::package::setting_texts::{default_text, description, is_path, title},
    serve::settings::{SettingDefinition, SettingKind},
    wire::protocol::json::{object_of_some, set},
};

/// The largest whole number that every host reads exactly.
const EXACT: f64 = 9_007_199_254_740_991.0;

/// What a manifest says about settings.
pub(super) struct UserConfig {
    /// The fields of the form, by the names of settings.
    pub(super) fields: Map<String, Value>,
    /// The environment variables of the program.
    pub(super) variables: Map<String, Value>,
    /// The arguments of the program. A host expands several values only here.
    pub(super) arguments: Vec<String>,
}

impl UserConfig {
    pub(super) fn of(settings: &[SettingDefinition]) -> Self {
        let mut config = Self { fields: Map::new(), variables: Map::new(), arguments: Vec::new() };
        for setting in settings {
            set(&mut config.fields, setting.name(), field(setting));
            let value = format!("${{user_config.{}}}", setting.name());
            match setting.flag() {
                Some(flag) if is_multiple(setting) => config.arguments.extend([format!("--{flag}"), value]),
                _ => set(&mut config.variables, setting.env(), value.into()),
            }
        }
        config
    }
}

/// Whether the host lets the user pick several values. It does so for paths only; another list is a text with commas.
fn is_multiple(setting: &SettingDefinition) -> bool {
    setting.is_list() && is_path(setting) && !setting.is_secret()
}

fn field(setting: &SettingDefinition) -> Value {
    let of_kind = match setting.kind() {
        // The host hides texts only.
        _ if setting.is_secret() => "string",
        SettingKind::File => "file",
        SettingKind::Directory => "directory",
        _ if setting.is_list() => "string",
        SettingKind::Number => "number",
        SettingKind::Boolean => "boolean",
        SettingKind::Text | SettingKind::Choice => "string",
    };
    let default = default(setting);
    let limit = |limit: Option<Value>| limit.filter(|limit| of_kind == "number" && is_exact(limit));
    let yes = |is: bool| is.then_some(Value::Bool(true));
    // A default that means nothing to the host leaves a setting that the program cannot read without.
    let needs_value = setting.is_required() || (setting.default().is_some() && default.is_none() && !setting.is_list());
    object_of_some([
        ("type", Some(of_kind.into())),
        ("title", Some(title(setting).into())),
        ("description", Some(description(setting, true).into())),
        ("required", yes(needs_value)),
        ("default", default),
        ("multiple", yes(is_multiple(setting))),
        ("sensitive", yes(setting.is_secret())),
        ("min", limit(setting.min())),
        ("max", limit(setting.max())),
    ])
}

/// Returns the default in the type of the field. A relative path has none: a host starts programs in any folder.
fn default(setting: &SettingDefinition) -> Option<Value> {
    match setting.default()? {
        Value::Array(texts) if is_path(setting) => {
            let are_absolute = texts.iter().filter_map(Value::as_str).all(is_absolute);
            are_absolute.then_some(Value::Array(texts))
        }
        Value::Array(_) => default_text(setting).map(Value::from),
        Value::String(path) if is_path(setting) && !is_absolute(&path) => None,
        other => Some(other),
    }
}

/// Whether a path is absolute on some system, or begins with a variable of the host, such as `${HOME}`.
fn is_absolute(path: &str) -> bool {
    path.starts_with(['/', '\\'])
        || path.starts_with("${")
        || path.get(1..3).is_some_and(|part| [":\\", ":/"].contains(&part))
}

fn is_exact(number: &Value) -> bool {
    number.as_f64().is_some_and(|number| number.abs() <= EXACT)
}
