//! Edits of configuration files in place: a value is inserted into a JSON, TOML or YAML file, or removed from it.
//!
//! An edit only inserts and deletes text of its own value, so every other byte of the file stays as it is: comments, order,
//! indentation, line ends, a byte order mark. The result is parsed again and compared, as data, with what the edit should
//! give. A file that this module misreads is rejected and not damaged. The module knows neither MCP nor its hosts.

pub(crate) mod difference;
pub(crate) mod file;
mod json;
mod splice;
mod toml;
mod yaml;

use serde_json::{Map, Value};

use self::splice::BOM;
use crate::edge::hosts::format::{FileFormat, SlotPlace, ValueSlot};

const NOT_IN_LISTS: &str = "elements of lists are edited in JSON only";

/// All errors are texts for the user: what is wrong with the file, without the file's name.
impl FileFormat {
    /// Parses the file.
    fn read(self, file: &str) -> Result<Map<String, Value>, String> {
        let text = file.strip_prefix(BOM).unwrap_or(file);
        let value = match self {
            Self::Json => json::read(text),
            Self::Toml => toml::read(text),
            Self::Yaml => yaml::read(text),
        };
        match value? {
            Value::Null => Ok(Map::new()),
            Value::Object(top) => Ok(top),
            _ => Err("the top of the file is not an object with members".to_owned()),
        }
    }

    /// Returns the value in this slot.
    pub(crate) fn get(self, file: &str, slot: &ValueSlot) -> Result<Option<Value>, String> {
        let mut at = Value::Object(self.read(file)?);
        for table in &slot.tables {
            at = at.get_mut(table).map(Value::take).unwrap_or_default();
        }
        Ok(match &slot.place {
            SlotPlace::Member(name) => at.get_mut(name).map(Value::take),
            SlotPlace::Element { key, id } => match at {
                Value::Array(elements) => elements.into_iter().find(|element| element[key] == **id),
                _ => None,
            },
        })
    }

    /// Returns the file with these values. A value that is in its slot already is replaced.
    pub(crate) fn insert(self, file: &str, values: &[(ValueSlot, Value)]) -> Result<String, String> {
        values.iter().try_fold(file.to_owned(), |file, (slot, value)| self.insert_one(&file, slot, value))
    }

    fn insert_one(self, file: &str, slot: &ValueSlot, value: &Value) -> Result<String, String> {
        if self.get(file, slot)?.as_ref() == Some(value) {
            return Ok(file.to_owned());
        }
        let mut expected = self.read(file)?;
        slot.put(&mut expected, value)?;
        let written = splice::edit(file, |text| match (self, &slot.place) {
            (Self::Json, _) => json::insert(text, slot, value),
            (Self::Toml, SlotPlace::Member(name)) => toml::insert(text, &slot.tables, name, value),
            (Self::Yaml, SlotPlace::Member(name)) => yaml::insert(text, &slot.tables, name, value),
            _ => Err(NOT_IN_LISTS.to_owned()),
        })?;
        self.checked(written, &expected, slot)
    }

    /// Returns the file without the values in these slots. If `before` is the file as it was before they were inserted,
    /// and nothing else has changed since, this is the answer. Otherwise the values are removed where they are, which can
    /// leave an empty table. Returns `None` if no slot has a value.
    pub(crate) fn remove(
        self,
        file: &str,
        slots: &[ValueSlot],
        before: Option<&str>,
    ) -> Result<Option<String>, String> {
        let mut present = Vec::new();
        for slot in slots {
            if let Some(value) = self.get(file, slot)? {
                present.push((slot.clone(), value));
            }
        }
        if present.is_empty() {
            return Ok(None);
        }
        if let Some(before) = before.filter(|before| self.leads_to(before, &present, file)) {
            return Ok(Some(before.to_owned()));
        }
        let removed = present.iter().rev().try_fold(file.to_owned(), |file, (slot, _)| self.remove_one(&file, slot));
        removed.map(Some)
    }

    /// Whether inserting the values into `before`, which has none of them, gives exactly `file`.
    pub(crate) fn leads_to(self, before: &str, values: &[(ValueSlot, Value)], file: &str) -> bool {
        let is_free = |(slot, _): &(ValueSlot, Value)| matches!(self.get(before, slot), Ok(None));
        values.iter().all(is_free) && self.insert(before, values).is_ok_and(|inserted| inserted == file)
    }

    fn remove_one(self, file: &str, slot: &ValueSlot) -> Result<String, String> {
        let mut expected = self.read(file)?;
        take(&mut expected, slot);
        let written = splice::edit(file, |text| match (self, &slot.place) {
            (Self::Json, _) => json::remove(text, slot),
            (Self::Toml, SlotPlace::Member(name)) => toml::remove(text, &slot.tables, name),
            (Self::Yaml, SlotPlace::Member(name)) => yaml::remove(text, &slot.tables, name),
            _ => Err(NOT_IN_LISTS.to_owned()),
        })?;
        self.checked(written, &expected, slot)
    }

    /// Returns the edited file if its data are as expected.
    fn checked(self, written: String, expected: &Map<String, Value>, slot: &ValueSlot) -> Result<String, String> {
        match self.read(&written) {
            Ok(found) if without_empty(&found, &slot.tables) == without_empty(expected, &slot.tables) => Ok(written),
            _ => Err("the file is written in a way that cannot be edited in place; edit it by hand".to_owned()),
        }
    }
}

/// Removes a value from data, if it is there.
fn take(top: &mut Map<String, Value>, slot: &ValueSlot) {
    let Some((first, rest)) = slot.tables.split_first() else {
        if let SlotPlace::Member(name) = &slot.place {
            top.shift_remove(name);
        }
        return;
    };
    let Some(mut at) = top.get_mut(first) else { return };
    for table in rest {
        match at.get_mut(table) {
            Some(inner) => at = inner,
            None => return,
        }
    }
    match (&slot.place, at) {
        (SlotPlace::Member(name), Value::Object(table)) => drop(table.shift_remove(name)),
        (SlotPlace::Element { key, id }, Value::Array(elements)) => elements.retain(|element| element[key] != **id),
        _ => {}
    }
}

/// Returns the data without those of the tables that are empty. To a program, an empty table and a missing one are the same.
fn without_empty(top: &Map<String, Value>, tables: &[String]) -> Map<String, Value> {
    let mut top = top.clone();
    if let Some((first, rest)) = tables.split_first() {
        let is_empty = match top.get_mut(first) {
            Some(Value::Object(inner)) => {
                *inner = without_empty(inner, rest);
                inner.is_empty()
            }
            Some(Value::Array(elements)) => elements.is_empty(),
            other => other.is_some_and(|value| value.is_null()),
        };
        if is_empty {
            top.shift_remove(first);
        }
    }
    top
}

#[cfg(test)]
mod tests;
