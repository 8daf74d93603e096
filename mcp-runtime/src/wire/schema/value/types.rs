//! The types of JSON values.

use serde_json::Value;

use super::instance::Instance;

/// A set of JSON types. The default is the set of all types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Types(u8);

impl Default for Types {
    fn default() -> Self {
        Self::ANY
    }
}

impl Types {
    pub(crate) const NONE: Self = Self(0);
    pub(crate) const NULL: Self = Self(1);
    pub(crate) const BOOLEAN: Self = Self(1 << 1);
    pub(crate) const INTEGER: Self = Self(1 << 2);
    /// All numbers, including integers.
    pub(crate) const NUMBER: Self = Self(1 << 3 | 1 << 2);
    pub(crate) const STRING: Self = Self(1 << 4);
    pub(crate) const ARRAY: Self = Self(1 << 5);
    pub(crate) const OBJECT: Self = Self(1 << 6);
    pub(crate) const ANY: Self = Self(0x7f);

    const NAMED: [(&'static str, Self); 7] = [
        ("string", Self::STRING),
        ("number", Self::NUMBER),
        ("integer", Self::INTEGER),
        ("boolean", Self::BOOLEAN),
        ("array", Self::ARRAY),
        ("object", Self::OBJECT),
        ("null", Self::NULL),
    ];

    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::NAMED.iter().find_map(|(known, types)| (*known == name).then_some(*types))
    }

    /// Returns the types that the value of `type` names: one name, or a list of names.
    pub(crate) fn listed(value: &Value) -> Self {
        let names = value.as_array().map_or(std::slice::from_ref(value), |names| names);
        let named = names.iter().filter_map(|name| Self::named(name.as_str()?));
        named.fold(Self::NONE, Self::or)
    }

    /// Returns each of these types with its name. If the set has `number`, leaves out `integer`.
    pub(crate) fn each(self) -> impl Iterator<Item = (&'static str, Self)> {
        let is_listed = move |types| self.holds(types) && (types != Self::INTEGER || !self.holds(Self::NUMBER));
        Self::NAMED.into_iter().filter(move |(_, types)| is_listed(*types))
    }

    /// Returns the narrowest type of a value.
    pub(crate) fn of(value: &Instance<'_>) -> Self {
        match value {
            Instance::Null => Self::NULL,
            Instance::Bool(_) => Self::BOOLEAN,
            Instance::Number(number) if number.is_whole() => Self::INTEGER,
            Instance::Number(_) => Self::NUMBER,
            Instance::String(_) => Self::STRING,
            Instance::Array(_) => Self::ARRAY,
            Instance::Object(_) => Self::OBJECT,
        }
    }

    pub(crate) fn of_json(value: &Value) -> Self {
        Self::of(&value.into())
    }

    pub(crate) fn holds(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    pub(crate) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}
