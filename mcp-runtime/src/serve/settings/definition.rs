//! The description of a setting, as its author declares it.

use serde_json::{Value, json};

use super::values::{expected, verify};
use crate::{
    engine::elicit::{ChoiceEntry, Field, Literal, ShapeKind, schema::literal},
    wire::protocol::json::set,
};

/// What a setting is, and where it can be set. `#[derive(Settings)]` makes one from each field.
///
/// It contains no value of the setting, so it can be published. Everything that must know the settings of a server reads
/// this description: the command line, documents, installers and packages.
///
/// ```
/// use mcp_runtime::{prelude::*, settings::SettingKind};
///
/// #[derive(Settings)]
/// #[setting(prefix = "APP")]
/// struct AppSettings {
///     /// The folder to search.
///     #[setting(default = ".", kind = "directory")]
///     root: std::path::PathBuf,
/// }
///
/// let [root] = AppSettings::definitions() else { unreachable!("there is one field") };
/// assert_eq!((root.name(), root.kind(), root.is_required()), ("root", SettingKind::Directory, false));
/// assert_eq!((root.env(), root.flag()), ("APP_ROOT", Some("root")));
/// assert_eq!(root.default(), Some(".".into()));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SettingDefinition {
    /// The name, title, description and default, and the kind of a single value.
    pub(super) field: Field,
    pub(super) kind: SettingKind,
    pub(super) is_list: bool,
    pub(super) is_secret: bool,
    pub(super) expected: Option<&'static str>,
    /// Reads one value, and drops it.
    pub(super) check: fn(&str) -> Result<(), String>,
    pub(super) env: &'static str,
    pub(super) flag: Option<&'static str>,
}

/// The kind of a setting's value, and of each value of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SettingKind {
    /// Text of any kind, such as a name or a URL.
    Text,
    /// A number.
    Number,
    /// `true` or `false`.
    Boolean,
    /// The path of a file.
    File,
    /// The path of a directory.
    Directory,
    /// One of [`choices`](SettingDefinition::choices).
    Choice,
}

impl SettingKind {
    /// Returns the kind as a word, such as `directory`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Number => "number",
            Self::Boolean => "boolean",
            Self::File => "file",
            Self::Directory => "directory",
            Self::Choice => "choice",
        }
    }
}

impl SettingDefinition {
    /// Returns the name, which is also the key in the settings file.
    pub const fn name(&self) -> &'static str {
        self.field.name
    }

    /// Returns the name that is shown to users.
    pub const fn title(&self) -> Option<&'static str> {
        self.field.title
    }

    /// Returns the description. The derive macro requires one.
    pub const fn description(&self) -> Option<&'static str> {
        self.field.description
    }

    /// Returns the kind of the value, or of each value of a list.
    pub const fn kind(&self) -> SettingKind {
        self.kind
    }

    /// Returns the choices of a [`SettingKind::Choice`]. Other kinds have none.
    pub const fn choices(&self) -> &'static [ChoiceEntry] {
        match self.field.shape.0 {
            ShapeKind::One(choices) => choices,
            _ => &[],
        }
    }

    /// Returns the smallest value of a number, as a JSON number. A whole number always has one, at least that of its
    /// type. Other kinds have none.
    pub fn min(&self) -> Option<Value> {
        self.limits().0.map(literal)
    }

    /// Returns the largest value of a number, as [`min`](Self::min) does the smallest.
    pub fn max(&self) -> Option<Value> {
        self.limits().1.map(literal)
    }

    /// Returns the smallest and the largest value.
    pub(super) const fn limits(&self) -> (Option<Literal>, Option<Literal>) {
        match self.field.shape.0 {
            ShapeKind::Integer { min, max } => (Some(Literal::Integer(min)), Some(Literal::Integer(max))),
            ShapeKind::Number { min, max } => (min, max),
            _ => (None, None),
        }
    }

    /// Returns the default: a string, a number, a boolean, or an array of strings. A secret has none.
    pub fn default(&self) -> Option<Value> {
        self.field.default.map(literal)
    }

    /// Returns whether the setting has several values.
    pub const fn is_list(&self) -> bool {
        self.is_list
    }

    /// Returns whether the value must be hidden, because its type is a [`Secret`](super::Secret).
    pub const fn is_secret(&self) -> bool {
        self.is_secret
    }

    /// Returns whether the server cannot start without a value.
    pub const fn is_required(&self) -> bool {
        self.field.is_required() && !self.is_list
    }

    /// Returns the name of the environment variable.
    pub const fn env(&self) -> &'static str {
        self.env
    }

    /// Returns the name of the variable with the path of a file that contains the value, such as `APP_TOKEN_FILE`. Only
    /// secrets have one, because container platforms mount secrets as files.
    pub fn env_file(&self) -> Option<String> {
        self.is_secret.then(|| format!("{}_FILE", self.env))
    }

    /// Returns the name of the option on the command line, without its dashes. A secret has none, because other users
    /// of the machine can read command lines.
    pub const fn flag(&self) -> Option<&'static str> {
        self.flag
    }

    /// Checks a text that is meant as the value, or as one value of a list, without reading any source. It is read as the
    /// text of an environment variable is.
    ///
    /// # Errors
    /// Returns what is wrong with the text, such as `not a whole number from 0 to 255`. The error of a secret does not
    /// contain the text.
    ///
    /// ```
    /// use mcp_runtime::prelude::*;
    ///
    /// #[derive(Settings)]
    /// #[setting(prefix = "APP")]
    /// struct AppSettings {
    ///     /// How many results are shown.
    ///     limit: u8,
    /// }
    ///
    /// let [limit] = AppSettings::definitions() else { unreachable!("there is one field") };
    /// assert_eq!(limit.check("20"), Ok(()));
    /// assert_eq!(limit.check("many"), Err("not a whole number from 0 to 255".to_owned()));
    /// ```
    pub fn check(&self, text: &str) -> Result<(), String> {
        verify(self, text).map_err(|reason| expected(self).map_or(reason, |expected| format!("not {expected}")))
    }

    /// Returns the description as JSON, with a member for each function of this type that returns something.
    pub fn to_json(&self) -> Value {
        let mut object = serde_json::Map::new();
        set(&mut object, "name", self.name().into());
        let texts = [("title", self.title()), ("description", self.description()), ("kind", Some(self.kind.as_str()))];
        for (name, text) in texts {
            if let Some(text) = text {
                set(&mut object, name, text.into());
            }
        }
        if !self.choices().is_empty() {
            let choices = self.choices().iter().map(|choice| json!({ "name": choice.name, "title": choice.title }));
            set(&mut object, "choices", choices.collect());
        }
        for (name, value) in [("min", self.min()), ("max", self.max()), ("default", self.default())] {
            if let Some(value) = value {
                set(&mut object, name, value);
            }
        }
        for (name, is) in [("list", self.is_list), ("secret", self.is_secret), ("required", self.is_required())] {
            if is {
                set(&mut object, name, true.into());
            }
        }
        set(&mut object, "env", self.env.into());
        if let Some(flag) = self.flag {
            set(&mut object, "flag", flag.into());
        }
        Value::Object(object)
    }
}
