//! The formats of files, and the places of values in them.

use serde_json::{Map, Value};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileFormat {
    /// With comments and trailing commas, which some programs accept in their files. Nothing looser.
    Json,
    Toml,
    Yaml,
}

/// The place of a value in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ValueSlot {
    /// The keys of the tables that contain the value, from the top of the file.
    pub(crate) tables: Vec<String>,
    pub(crate) place: SlotPlace,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SlotPlace {
    /// The member of the innermost table that has this name.
    Member(String),
    /// The element of a list, only in JSON. `tables` leads to the list, and the member `key` of the element is `id`.
    Element { key: &'static str, id: String },
}

impl ValueSlot {
    pub(crate) fn member(tables: &[&str], name: &str) -> Self {
        Self { tables: owned(tables), place: SlotPlace::Member(name.to_owned()) }
    }

    pub(crate) fn element(list: &[&str], key: &'static str, id: &str) -> Self {
        Self { tables: owned(list), place: SlotPlace::Element { key, id: id.to_owned() } }
    }

    /// Sets the value in this slot of the data of a file, and creates the tables that are missing.
    pub(crate) fn put(&self, top: &mut Map<String, Value>, value: &Value) -> Result<(), String> {
        let mut at = top;
        let (list, tables) = match &self.place {
            SlotPlace::Member(_) => (None, &self.tables[..]),
            SlotPlace::Element { .. } => {
                self.tables.split_last().map_or((None, &[][..]), |(list, tables)| (Some(list), tables))
            }
        };
        for table in tables {
            let inner = at.entry(table).or_insert(Value::Null);
            if inner.is_null() {
                *inner = Value::Object(Map::new());
            }
            at = inner.as_object_mut().ok_or_else(|| format!("`{table}` is not an object with members"))?;
        }
        match (&self.place, list) {
            (SlotPlace::Element { key, id }, Some(list)) => {
                let elements = at.entry(list).or_insert_with(|| Value::Array(Vec::new()));
                let elements = elements.as_array_mut().ok_or_else(|| format!("`{list}` is not a list"))?;
                match elements.iter_mut().find(|element| element[key] == **id) {
                    Some(element) => *element = value.clone(),
                    None => elements.push(value.clone()),
                }
            }
            (SlotPlace::Member(name), _) => drop(at.insert(name.clone(), value.clone())),
            (SlotPlace::Element { .. }, None) => return Err("a list needs a name".to_owned()),
        }
        Ok(())
    }
}

fn owned(tables: &[&str]) -> Vec<String> {
    tables.iter().map(|&table| table.to_owned()).collect()
}
