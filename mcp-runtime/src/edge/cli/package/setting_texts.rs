//! Texts about a setting that documents of packages show to users.

use serde_json::Value;

use crate::serve::settings::{SettingDefinition, SettingKind};

/// Returns the name that users see.
pub(super) fn title(setting: &SettingDefinition) -> String {
    if let Some(title) = setting.title() {
        return title.to_owned();
    }
    let words = setting.name().replace('_', " ");
    let mut letters = words.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// Returns the description on one line. `with_choices` adds the names of the choices, for documents that cannot list them.
pub(super) fn description(setting: &SettingDefinition, with_choices: bool) -> String {
    let text = setting.description().map_or_else(|| title(setting), |text| text.to_owned());
    let mut sentences = vec![text.split_whitespace().collect::<Vec<_>>().join(" ")];
    if with_choices && setting.kind() == SettingKind::Choice {
        let names = setting.choices().iter().map(|choice| match choice.title() {
            Some(title) if !title.eq_ignore_ascii_case(choice.name()) => format!("{} ({title})", choice.name()),
            _ => choice.name().to_owned(),
        });
        sentences.push(format!("Choices: {}.", names.collect::<Vec<_>>().join(", ")));
    }
    if setting.is_list() && !is_path(setting) {
        sentences.push("Separate several values with commas.".to_owned());
    }
    sentences.join(" ")
}

pub(super) fn is_path(setting: &SettingDefinition) -> bool {
    matches!(setting.kind(), SettingKind::File | SettingKind::Directory)
}

/// Returns the default as the text that an environment variable would have.
pub(super) fn default_text(setting: &SettingDefinition) -> Option<String> {
    Some(match setting.default()? {
        Value::String(text) => text,
        Value::Array(texts) => texts.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    })
}
