//! Files as people have them: only the value changes, and a removal gives the file back.

mod json;
mod random;
mod refused;
mod toml;
mod yaml;

use serde_json::{Value, json};

use super::{FileFormat, ValueSlot};

/// A file format, a place in it, and a value for the place.
struct Sample {
    format: FileFormat,
    slot: ValueSlot,
    value: Value,
}

impl Sample {
    fn json() -> Self {
        Self {
            format: FileFormat::Json,
            slot: ValueSlot::member(&["mcpServers"], "ours"),
            value: json!({ "command": "C:\\Programs\\x.exe", "args": ["--root=\"ü\""], "env": { "A": "1" } }),
        }
    }

    fn toml() -> Self {
        Self { format: FileFormat::Toml, slot: ValueSlot::member(&["mcp_servers"], "ours"), ..Self::json() }
    }

    fn yaml() -> Self {
        Self {
            format: FileFormat::Yaml,
            slot: ValueSlot::member(&["extensions"], "ours"),
            value: json!({ "cmd": "/opt/a b", "args": ["yes", "1", "a: b #", "\u{7f}"], "enabled": true, "envs": { "on": "on" } }),
        }
    }

    fn all() -> [Self; 3] {
        [Self::json(), Self::toml(), Self::yaml()]
    }

    fn insert(&self, file: &str) -> Result<String, String> {
        self.format.insert(file, &[(self.slot.clone(), self.value.clone())])
    }

    fn remove(&self, file: &str, before: Option<&str>) -> Result<Option<String>, String> {
        self.format.remove(file, std::slice::from_ref(&self.slot), before)
    }

    /// Inserts the value, and checks what holds for every file.
    fn inserted(&self, file: &str) -> String {
        let with = self.insert(file).unwrap_or_else(|error| panic!("{file:?}: {error}"));
        assert_eq!(self.format.get(&with, &self.slot), Ok(Some(self.value.clone())), "{with:?}");
        assert_eq!(self.insert(&with).as_ref(), Ok(&with), "a second insertion changes nothing");
        assert_eq!(self.remove(&with, Some(file)), Ok(Some(file.to_owned())), "by the backup");
        assert!(only_inserts(file, &with), "more than the value has changed: {file:?}\n{with:?}");
        with
    }

    /// Inserts the value, and checks that a removal without the file from before gives it back.
    fn there_and_back(&self, file: &str) -> String {
        let with = self.inserted(file);
        assert_eq!(self.remove(&with, None), Ok(Some(file.to_owned())), "{with:?}");
        with
    }

    /// The same for a file that has no table for the value yet: without the file from before, an empty table can stay.
    fn there_and_almost_back(&self, file: &str) -> String {
        let with = self.inserted(file);
        let back = self.remove(&with, None).unwrap().unwrap();
        assert_eq!(self.format.get(&back, &self.slot), Ok(None), "{back:?}");
        let mut left = back.chars();
        let is_kept = |char: char| char == ',' || char.is_whitespace() || left.any(|found| found == char);
        assert!(file.chars().all(is_kept), "{file:?}\n{back:?}");
        assert_eq!(self.remove(&back, None), Ok(None), "there is nothing to remove any more");
        with
    }
}

/// Whether `with` is `file` with one text inserted, and perhaps a comma before it.
fn only_inserts(file: &str, with: &str) -> bool {
    let before = file.bytes().zip(with.bytes()).take_while(|(file, with)| file == with).count();
    let is_one_text = |with: &[u8]| {
        let before = file.bytes().zip(with.iter()).take_while(|(file, with)| file == *with).count();
        file.len() <= with.len() && with.ends_with(&file.as_bytes()[before..])
    };
    let without_comma = || [&with.as_bytes()[..before], &with.as_bytes()[before + 1..]].concat();
    is_one_text(with.as_bytes()) || (with.as_bytes().get(before) == Some(&b',') && is_one_text(&without_comma()))
}
