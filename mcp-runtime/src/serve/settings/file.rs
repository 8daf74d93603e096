//! The settings file.

use std::{
    fs::File,
    io::{self, Read as _},
    path::{Path, PathBuf},
};

use secrecy::zeroize::Zeroizing;
use toml::{Table, Value};

use super::definition::{SettingDefinition, SettingKind};

/// The size of the largest settings file in bytes.
const LARGEST: u64 = 1024 * 1024;

/// A settings file: TOML, with the settings of the program at its top level.
pub(crate) struct SettingsFile {
    path: PathBuf,
    table: Table,
}

impl SettingsFile {
    /// Reads the file.
    ///
    /// # Errors
    /// Returns why it cannot be read, without anything that it contains.
    pub(crate) fn open(path: &Path) -> Result<Self, String> {
        let shown = path.display();
        let text = read(path).map_err(|error| format!("cannot read the settings file `{shown}`: {error}"))?;
        let table = text.parse().map_err(|error: toml::de::Error| {
            // The error's own text shows the line, which can contain a secret.
            let place = error.span().map(|span| place(&text, span.start)).unwrap_or_default();
            format!("the settings file `{shown}` is not TOML: {place}{}", error.message())
        })?;
        Ok(Self { path: path.to_owned(), table })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the texts of a setting, if the file has it. `table` is the table that contains the setting.
    ///
    /// # Errors
    /// Returns what the value is if it cannot be a setting of this kind, such as "a table".
    pub(super) fn texts(
        &self,
        table: Option<&str>,
        setting: &SettingDefinition,
    ) -> Result<Option<Vec<String>>, &'static str> {
        let Some(table) = self.table(table) else { return Ok(None) };
        match table.get(setting.name()) {
            None => Ok(None),
            Some(Value::Array(values)) if setting.is_list() => {
                values.iter().map(|value| text(value, setting)).collect::<Result<_, _>>().map(Some)
            }
            Some(Value::Array(_)) => Err("a list, but must be one value"),
            Some(value) => text(value, setting).map(|text| Some(vec![text])),
        }
    }

    /// Returns a table of the file by its name, or the whole file.
    fn table(&self, name: Option<&str>) -> Option<&Table> {
        match name {
            None => Some(&self.table),
            Some(name) => self.table.get(name).and_then(Value::as_table),
        }
    }

    /// Returns whether the file has a value of this name that is not a table.
    pub(crate) fn has_other_than_table(&self, name: &str) -> bool {
        self.table.get(name).is_some_and(|value| !value.is_table())
    }

    /// Returns the keys of a table that are not among the `known` ones.
    pub(crate) fn unknown<'f>(&'f self, table: Option<&str>, known: &[&str]) -> Vec<&'f str> {
        let keys = self.table(table).into_iter().flat_map(Table::keys).map(String::as_str);
        keys.filter(|key| !known.contains(key)).collect()
    }
}

/// Reads a small file of text. A file without an end, such as a device, is an error and does not fill the memory.
pub(super) fn read(path: &Path) -> io::Result<Zeroizing<String>> {
    let mut text = Zeroizing::new(String::new());
    File::open(path)?.take(LARGEST + 1).read_to_string(&mut text)?;
    if text.len() as u64 > LARGEST {
        return Err(io::Error::other("it is larger than 1 MiB"));
    }
    Ok(text)
}

fn place(text: &str, offset: usize) -> String {
    let before = text.get(..offset).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    format!("line {line}, column {column}: ")
}

/// Returns the value as the text that an environment variable would have.
fn text(value: &Value, setting: &SettingDefinition) -> Result<String, &'static str> {
    let is_text = matches!(setting.kind(), SettingKind::Text | SettingKind::File | SettingKind::Directory);
    match value {
        Value::String(text) => Ok(text.clone()),
        // A number would lose its notation, such as `1.10`.
        Value::Integer(_) | Value::Float(_) if is_text => Err("a number, but must be text; put it in quotes"),
        Value::Boolean(_) if is_text => Err("a boolean, but must be text; put it in quotes"),
        Value::Integer(number) => Ok(number.to_string()),
        Value::Float(number) => Ok(number.to_string()),
        Value::Boolean(value) => Ok(value.to_string()),
        Value::Datetime(moment) => Ok(moment.to_string()),
        Value::Array(_) => Err("a list of lists, but must be a list of values"),
        Value::Table(_) => Err("a table, but must be a value"),
    }
}
