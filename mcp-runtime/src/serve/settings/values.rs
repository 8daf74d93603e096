//! Reads the values of settings, and collects everything that is missing or wrong.

use super::{
    definition::{SettingDefinition, SettingKind},
    source::{CONFIG, GivenTexts, SettingPlace, SettingSources},
    value::{Misread, SettingType},
};
use crate::{
    engine::elicit::{Literal, ShapeKind},
    wire::protocol::text::shortened,
};

/// The values of the settings of one struct, while they are read.
pub struct SettingValues<'s> {
    definitions: &'s [SettingDefinition],
    sources: &'s SettingSources,
    /// The table of the settings file that has these settings, or `None` for its top level.
    table: Option<&'static str>,
    pub(super) problems: Vec<String>,
}

impl<'s> SettingValues<'s> {
    pub(super) fn new(
        definitions: &'s [SettingDefinition],
        sources: &'s SettingSources,
        table: Option<&'static str>,
    ) -> Self {
        Self { definitions, sources, table, problems: Vec::new() }
    }

    /// Reads the setting at this index. Returns `None` and adds a problem if it is missing or wrong.
    #[doc(hidden)]
    pub fn read<T: SettingType>(&mut self, index: usize) -> Option<T> {
        let setting = &self.definitions[index];
        let found = self.sources.find(setting, self.table).map(|found| found.or_else(|| default(setting)));
        let given = match found {
            Ok(given) => given,
            Err(problem) => {
                self.problems.push(problem);
                return None;
            }
        };
        let read = T::read_setting(given.as_ref().map(|given| &*given.texts));
        let beyond =
            given.as_ref().and_then(|given| given.texts.iter().position(|text| is_beyond_limits(setting, text)));
        match (read, beyond) {
            (Ok(value), None) => return Some(value),
            (Err(Misread::Missing), _) => self.problems.push(self.missing(setting)),
            (Err(Misread::Invalid(at, reason)), _) => {
                self.problems.extend(given.map(|given| invalid(setting, &given, at, &reason)));
            }
            (Ok(_), Some(at)) => {
                self.problems.extend(given.map(|given| invalid(setting, &given, at, BEYOND_LIMITS)));
            }
        }
        None
    }

    /// Returns the problem of a setting that has no value, and every place where it can be set.
    fn missing(&self, setting: &SettingDefinition) -> String {
        let mut places = Vec::new();
        if self.sources.flags.is_some() {
            places.extend(setting.flag().map(|flag| format!("the option `--{flag}`")));
        }
        places.push(format!("the variable `{}`", setting.env()));
        places.extend(setting.env_file().map(|name| format!("`{name}` with the path of a file that contains it")));
        let key = match self.table {
            Some(table) => format!("`{table}.{}`", setting.name()),
            None => format!("`{}`", setting.name()),
        };
        places.push(match &self.sources.file {
            Some(file) => format!("{key} in `{}`", file.path().display()),
            None if self.sources.flags.is_some() => format!("{key} in the file of `--config` or `{CONFIG}`"),
            None => format!("{key} in the file of `{CONFIG}`"),
        });
        let about = setting.description().map(|text| format!(" ({})", summary(text))).unwrap_or_default();
        format!("the setting `{}`{about} is missing; set {}", setting.name(), one_of(&places))
    }
}

/// Returns the first sentence of a description on one line, without its final period.
pub(crate) fn summary(description: &str) -> String {
    let line = description.lines().next().unwrap_or_default();
    let sentence = line.split_once(". ").map_or(line, |(sentence, _)| sentence);
    sentence.trim_end_matches('.').to_owned()
}

/// Lists places in a sentence: `a, b or c`.
fn one_of(places: &[String]) -> String {
    match places {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

/// Returns the problem of a text that is not valid. It does not contain the text of a secret.
fn invalid(setting: &SettingDefinition, given: &GivenTexts, at: usize, reason: &str) -> String {
    let place = &given.place;
    let expected = expected(setting);
    if setting.is_secret() {
        return match expected {
            Some(expected) => format!("{place} is not {expected}; its value is a secret and is not shown"),
            None => format!("{place} is not valid; its value is a secret and is not shown"),
        };
    }
    let text = given.texts.get(at).map_or("", String::as_str);
    let text = shortened(text).escape_debug().to_string();
    let verb = if setting.is_list() { "contains" } else { "is" };
    match expected {
        Some(expected) => format!("{place} {verb} `{text}`, not {expected}"),
        None => format!("{place} {verb} `{text}`: {reason}"),
    }
}

/// Why a number is not valid that its type can have.
const BEYOND_LIMITS: &str = "too small or too large";

/// Checks that one value of the setting can have this text.
///
/// # Errors
/// If it cannot. The error is the reason.
pub(super) fn verify(setting: &SettingDefinition, text: &str) -> Result<(), String> {
    (setting.check)(text)?;
    if is_beyond_limits(setting, text) { Err(BEYOND_LIMITS.to_owned()) } else { Ok(()) }
}

/// Returns whether the text is a number that is smaller or larger than the setting allows. A text that is not a number
/// is left to the type.
fn is_beyond_limits(setting: &SettingDefinition, text: &str) -> bool {
    let text = text.trim();
    match setting.field.shape.0 {
        ShapeKind::Integer { min, max } => text.parse().is_ok_and(|number: i128| !(min..=max).contains(&number)),
        ShapeKind::Number { min, max } => text.parse().is_ok_and(|number: f64| {
            min.is_some_and(|min| number < min.to_f64()) || max.is_some_and(|max| number > max.to_f64())
        }),
        _ => false,
    }
}

/// Returns the noun for valid values, if the type says it.
pub(super) fn expected(setting: &SettingDefinition) -> Option<String> {
    let range = range(setting);
    if let Some(expected) = setting.expected {
        return Some(format!("{expected}{}", range.map(|range| format!(", {range}")).unwrap_or_default()));
    }
    match setting.field.shape.0 {
        ShapeKind::Text { format, .. } => format.map(|format| format.noun().to_owned()),
        ShapeKind::Integer { .. } => Some(format!("a whole number {}", range.unwrap_or_default())),
        ShapeKind::Number { .. } => {
            Some(format!("a number{}", range.map(|range| format!(" {range}")).unwrap_or_default()))
        }
        ShapeKind::Boolean => Some("`true` or `false`".to_owned()),
        ShapeKind::One(choices) | ShapeKind::Several { choices, .. } => {
            let names: Vec<_> = choices.iter().map(|choice| format!("`{}`", choice.name())).collect();
            Some(one_of(&names))
        }
    }
}

/// Returns whether these sources give the setting a value, or it has a default.
///
/// # Errors
/// If the value is not valid. The error does not contain the value of a secret.
#[cfg(feature = "cli")]
pub(crate) fn has_value(setting: &SettingDefinition, sources: &SettingSources) -> Result<bool, String> {
    let Some(given) = sources.find(setting, None)?.or_else(|| default(setting)) else { return Ok(false) };
    for (at, text) in given.texts.iter().enumerate() {
        verify(setting, text).map_err(|reason| invalid(setting, &given, at, &reason))?;
    }
    Ok(true)
}

/// Returns the range of a number in words, if it has limits.
fn range(setting: &SettingDefinition) -> Option<String> {
    match (setting.min(), setting.max()) {
        (Some(min), Some(max)) => Some(format!("from {min} to {max}")),
        (Some(min), None) => Some(format!("of at least {min}")),
        (None, Some(max)) => Some(format!("of at most {max}")),
        (None, None) => None,
    }
}

fn default(setting: &SettingDefinition) -> Option<GivenTexts> {
    let texts = match setting.field.default? {
        Literal::Text(text) => vec![text.to_owned()],
        Literal::Bool(value) => vec![value.to_string()],
        Literal::Integer(number) => vec![number.to_string()],
        Literal::Float(number) => vec![number.to_string()],
        Literal::List(texts) => texts.iter().map(|text| (*text).to_owned()).collect(),
    };
    Some(GivenTexts::of(setting, texts, SettingPlace::Default(setting.name())))
}

/// The placeholder of a setting's value in help: `--root <DIRECTORY>`.
pub(crate) fn placeholder(setting: &SettingDefinition) -> String {
    match setting.kind() {
        SettingKind::Text => "TEXT".to_owned(),
        SettingKind::Number => "NUMBER".to_owned(),
        SettingKind::Boolean => "true|false".to_owned(),
        SettingKind::File => "FILE".to_owned(),
        SettingKind::Directory => "DIRECTORY".to_owned(),
        SettingKind::Choice => {
            let names: Vec<_> = setting.choices().iter().map(|choice| choice.name()).collect();
            names.join("|")
        }
    }
}
