//! The arguments of one call. They are parsed once and borrow from the text where possible.

use std::{borrow::Cow, collections::HashMap, fmt::Write as _, hash::BuildHasher};

use serde::{Serialize, Serializer};
use serde_json::Value;

use super::number::Number;

/// A JSON value. Objects keep the order of their members. If two members have the same name, the later one counts.
#[derive(Clone, Debug)]
pub(crate) enum Instance<'a> {
    Null,
    Bool(bool),
    Number(Number),
    String(Cow<'a, str>),
    Array(Vec<Instance<'a>>),
    Object(Vec<(Cow<'a, str>, Instance<'a>)>),
}

impl<'a> Instance<'a> {
    /// Creates an object. If two members have the same name, the later one counts.
    pub(crate) fn object(mut members: Vec<(Cow<'a, str>, Self)>) -> Self {
        drop_earlier_duplicates(&mut members);
        Self::Object(members)
    }

    /// Replaces aliases of members by the published names.
    pub(crate) fn rename(&mut self, aliases: &'a [(Cow<'static, str>, Cow<'static, str>)]) {
        let Self::Object(members) = self else { return };
        for (key, _) in members {
            if let Some((_, name)) = aliases.iter().find(|(alias, _)| alias == key) {
                *key = Cow::Borrowed(name);
            }
        }
    }
}

impl Instance<'_> {
    /// Returns the member with that name, if this is an object that has it.
    pub(crate) fn get(&self, name: &str) -> Option<&Self> {
        match self {
            Self::Object(members) => members.iter().find_map(|(key, value)| (key == name).then_some(value)),
            _ => None,
        }
    }

    /// Returns a hash that is equal for equal values, and most likely different for different values.
    pub(crate) fn fingerprint(&self, keys: &impl BuildHasher) -> u64 {
        match self {
            Self::Null => keys.hash_one(()),
            Self::Bool(bool) => keys.hash_one(bool),
            Self::Number(Number::Whole(whole)) => keys.hash_one(whole),
            Self::Number(Number::Float(float)) => keys.hash_one(float.to_bits()),
            Self::String(string) => keys.hash_one(string),
            Self::Array(items) => keys.hash_one(items.iter().map(|item| item.fingerprint(keys)).collect::<Vec<_>>()),
            // A sum, because the order of members does not count.
            Self::Object(members) => members
                .iter()
                .map(|(key, value)| keys.hash_one((key, value.fingerprint(keys))))
                .fold(1, u64::wrapping_add),
        }
    }

    /// Returns the value as JSON, cut to about sixty characters. If the text is cut, the full length of the value is
    /// appended.
    pub(crate) fn shortened(&self) -> String {
        let (mut text, is_whole) = self.cut();
        let _ = match self {
            _ if is_whole => Ok(()),
            Self::String(string) => write!(text, " ({} characters)", string.chars().count()),
            Self::Array(items) => write!(text, " ({} items)", items.len()),
            Self::Object(members) => write!(text, " ({} properties)", members.len()),
            _ => Ok(()),
        };
        text
    }

    /// Returns the value as JSON, cut to about sixty characters, and whether this text is complete.
    pub(crate) fn cut(&self) -> (String, bool) {
        const SHOWN: usize = 60;
        if let Self::Number(Number::Float(float)) = self
            && float.is_infinite()
        {
            let text = if *float > 0.0 {
                "a number above 1.7976931348623157e308"
            } else {
                "a number below -1.7976931348623157e308"
            };
            return (text.to_owned(), true);
        }
        let mut bytes = [0; SHOWN * 4];
        let mut free = &mut bytes[..];
        // An error means that the buffer is full. So the serialization of a large value stops early.
        let _ = serde_json::to_writer(&mut free, self);
        let length = SHOWN * 4 - free.len();
        let text = String::from_utf8_lossy(&bytes[..length]);
        let Some((cut, _)) = text.char_indices().nth(SHOWN) else { return (text.into_owned(), true) };
        let mut short = text[..cut].trim_end_matches(['\\', '\u{fffd}']).to_owned();
        let _ = write!(short, "…{}", if short.starts_with('"') { "\"" } else { "" });
        (short, false)
    }
}

/// Maps names to numbers. All indexes of this module have this one type, because each further type would add another
/// copy of the map's code to the program.
pub(crate) type NameIndex<'n> = HashMap<Cow<'n, str>, usize>;

/// Compares values as JSON Schema does: numbers by value, and objects without regard to the order of members.
impl<'b> PartialEq<Instance<'b>> for Instance<'_> {
    fn eq(&self, other: &Instance<'b>) -> bool {
        match (self, other) {
            (Self::Null, Instance::Null) => true,
            (Self::Bool(left), Instance::Bool(right)) => left == right,
            (Self::Number(left), Instance::Number(right)) => left == right,
            (Self::String(left), Instance::String(right)) => left == right,
            (Self::Array(left), Instance::Array(right)) => left == right,
            (Self::Object(left), Instance::Object(right)) => {
                left.len() == right.len() && {
                    let names = right.iter().map(|(key, _)| Cow::Borrowed(&**key));
                    let index: NameIndex<'_> = names.zip(0..).collect();
                    left.iter().all(|(key, value)| index.get(&**key).is_some_and(|at| *value == right[*at].1))
                }
            }
            _ => false,
        }
    }
}

impl From<&Value> for Instance<'static> {
    fn from(value: &Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(bool) => Self::Bool(*bool),
            Value::Number(number) => Self::Number(Number::from_json(number)),
            Value::String(string) => Self::String(Cow::Owned(string.clone())),
            Value::Array(items) => Self::Array(items.iter().map(Self::from).collect()),
            Value::Object(members) => {
                Self::Object(members.iter().map(|(key, value)| (Cow::Owned(key.clone()), value.into())).collect())
            }
        }
    }
}

impl Serialize for Instance<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(bool) => serializer.serialize_bool(*bool),
            Self::Number(Number::Whole(whole)) => serializer.serialize_i128(*whole),
            Self::Number(Number::Float(float)) => serializer.serialize_f64(float.clamp(f64::MIN, f64::MAX)),
            Self::String(string) => serializer.serialize_str(string),
            Self::Array(items) => serializer.collect_seq(items),
            Self::Object(members) => serializer.collect_map(members.iter().map(|(key, value)| (key, value))),
        }
    }
}

/// If several members have the same name, keeps only the last one. The time is not quadratic in the number of members.
fn drop_earlier_duplicates(members: &mut Vec<(Cow<'_, str>, Instance<'_>)>) {
    // A few names are compared without a map.
    if members.len() <= 16 {
        let unique = (1..members.len()).all(|at| members[..at].iter().all(|(key, _)| *key != members[at].0));
        if unique {
            return;
        }
    }
    let mut later = NameIndex::default();
    let stays: Vec<bool> = members.iter().rev().map(|(key, _)| later.insert(Cow::Borrowed(key), 0).is_none()).collect();
    let mut stays = stays.into_iter().rev();
    members.retain(|_| stays.next() == Some(true));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Instance<'_> {
        Instance::read(text).expect("JSON").0
    }

    #[test]
    fn compares_by_value() {
        assert_eq!(read(r#"{"a": 1, "b": [1.0, null]}"#), read(r#"{"b": [1, null], "a": 1e0}"#));
        assert_ne!(read(r#"{"a": 1}"#), read(r#"{"a": 1, "b": 1}"#));
        assert_ne!(read("[1, 2]"), read("[2, 1]"));
        assert_ne!(read("0"), read("false"));
    }

    #[test]
    fn keeps_the_last_of_two_members_with_one_name() {
        assert_eq!(read(r#"{"a": 1, "b": 2, "a": 3}"#), read(r#"{"a": 3, "b": 2}"#));
        let many: String = (0..100).map(|at| format!("\"k{}\": {at},", at % 50)).collect();
        let text = format!("{{{many} \"z\": 0}}");
        let Instance::Object(members) = read(&text) else { panic!("an object") };
        assert_eq!(members.len(), 51);
        assert_eq!(members[0], (Cow::Borrowed("k0"), Instance::Number(Number::Whole(50))));
    }

    #[test]
    fn cuts_long_values() {
        assert_eq!(read(r#""short""#).shortened(), r#""short""#);
        let long = read(&format!("\"{}\"", "é".repeat(1000))).shortened();
        assert_eq!(long, format!("\"{}…\" (1000 characters)", "é".repeat(59)));
        assert_eq!(read(r#"{"a": [1, 2.5], "b": "x\ny"}"#).shortened(), r#"{"a":[1,2.5],"b":"x\ny"}"#);
        assert!(read(&format!("[{}1]", "1,".repeat(1000))).shortened().ends_with("… (1001 items)"));
    }
}
