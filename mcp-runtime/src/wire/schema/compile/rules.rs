//! Collects the keywords of a schema object, grouped by the JSON type that they apply to.

use std::{borrow::Cow, cmp::Ordering};

use serde_json::{Map, Value};

use super::Compiler;
use crate::wire::schema::{
    compile::node::{ArrayRules, Beyond, CountBound, KeyPattern, Node, NumberBound, ObjectRules, Property},
    format::{self, NumberFormat, StringFormat},
    value::number::Number,
};

/// Keywords that no deserializer of an author's type enforces itself.
const BEYOND: [&str; 10] = [
    "multipleOf",
    "minLength",
    "maxLength",
    "uniqueItems",
    "contains",
    "propertyNames",
    "minProperties",
    "maxProperties",
    "dependentRequired",
    "dependentSchemas",
];

impl<'s> Compiler<'s> {
    pub(super) fn rule(&mut self, keyword: &'s str, value: &'s Value, node: &mut Node) {
        if BEYOND.contains(&keyword) {
            self.beyond = Beyond::More;
        }
        let Node { number, string, array, object, .. } = node;
        match keyword {
            "minimum" | "exclusiveMinimum" => {
                self.bound(
                    value,
                    keyword == "exclusiveMinimum",
                    Ordering::Greater,
                    &mut number.get_or_insert_default().low,
                );
            }
            "maximum" | "exclusiveMaximum" => {
                self.bound(
                    value,
                    keyword == "exclusiveMaximum",
                    Ordering::Less,
                    &mut number.get_or_insert_default().high,
                );
            }
            "multipleOf" => {
                let step = self.number(value);
                if step.is_some_and(|step| step <= Number::Whole(0)) {
                    self.problem("must be greater than 0");
                }
                number.get_or_insert_default().multiple_of = step;
            }
            "minLength" => string.get_or_insert_default().length.min = self.count(value),
            "maxLength" => string.get_or_insert_default().length.max = self.count(value),
            "format" => self.format(value, node),
            "pattern" => {
                if let Some(pattern) = self.foreign("pattern", value) {
                    string.get_or_insert_default().foreign.push(pattern);
                }
            }
            "items" if value.is_array() => self.problem("must be one schema: write `prefixItems` for several"),
            "items" => array.get_or_insert_default().items = Some(self.schema(value)),
            "prefixItems" => array.get_or_insert_default().prefix = self.schemas(value),
            "minItems" => array.get_or_insert_default().length.min = self.count(value),
            "maxItems" => array.get_or_insert_default().length.max = self.count(value),
            "uniqueItems" => match value.as_bool() {
                Some(unique) => array.get_or_insert_default().unique = unique,
                None => self.problem("must be a boolean"),
            },
            "contains" => array.get_or_insert_default().contains = Some(self.schema(value)),
            "minContains" => array.get_or_insert_default().contained.min = self.count(value),
            "maxContains" => array.get_or_insert_default().contained.max = self.count(value),
            "minProperties" => object.get_or_insert_default().size.min = self.count(value),
            "maxProperties" => object.get_or_insert_default().size.max = self.count(value),
            "properties" => self.properties(value, object.get_or_insert_default()),
            "required" => self.required(value, object.get_or_insert_default()),
            "additionalProperties" => {
                // A typed reader enforces `false`: its type has `#[serde(deny_unknown_fields)]`.
                let beyond = self.beyond;
                object.get_or_insert_default().additional = Some(self.schema(value));
                if value == &Value::Bool(false) {
                    self.beyond = beyond;
                }
            }
            "patternProperties" => self.pattern_properties(value, object.get_or_insert_default()),
            "propertyNames" => object.get_or_insert_default().names = Some(self.schema(value)),
            "dependentRequired" => {
                for (property, names) in self.members(value) {
                    let names = self.names(names);
                    object.get_or_insert_default().dependent.push((property.into(), names));
                }
            }
            "dependentSchemas" => {
                for (property, schema) in self.members(value) {
                    let schema = self.inside(Cow::Borrowed(property), schema);
                    object.get_or_insert_default().dependent_schemas.push((property.into(), schema));
                }
            }
            _ => self.unknown(keyword),
        }
    }

    /// Completes the rules when all keywords of a schema are read, and records whether the author's deserializer also
    /// enforces the ranges and lengths.
    pub(super) fn finish(&mut self, keywords: &Map<String, Value>, node: &mut Node) {
        let format = keywords.get("format").and_then(Value::as_str).and_then(NumberFormat::named);
        let bound = |at| NumberBound { at, exclusive: false };
        let (low, high) = format.map_or((None, None), |range| (range.low.map(bound), range.high.map(bound)));
        if low.is_some() || high.is_some() || node.number.is_some() {
            let number = node.number.get_or_insert_default();
            (number.low, number.high) = (number.low.or(low), number.high.or(high));
            if (number.low, number.high) != (low, high) {
                self.beyond = Beyond::More;
            }
        }
        if let Some(ArrayRules { length, prefix, items, .. }) = node.array.as_deref() {
            let is_tuple = items.is_none() && !prefix.is_empty() && *length == CountBound::exactly(prefix.len());
            if !length.is_any() && !is_tuple {
                self.beyond = Beyond::More;
            }
        }
        if let Some(object) = &mut node.object {
            if object.properties.len() > ObjectRules::FEW {
                let named = object.properties.iter().map(|property| Cow::Owned(property.name.to_string()));
                object.index = Some(named.zip(0..).collect());
            }
            object.required = object.properties.iter().filter(|property| property.required).count();
        }
    }

    /// Sets a bound, if it is tighter than the present one. `tighter` is how a tighter bound compares with the other.
    #[inline(never)]
    fn bound(&mut self, value: &'s Value, exclusive: bool, tighter: Ordering, bound: &mut Option<NumberBound>) {
        let Some(at) = self.number(value) else { return };
        let is_tighter = bound.is_none_or(|present| match at.partial_cmp(&present.at) {
            Some(Ordering::Equal) => exclusive,
            other => other == Some(tighter),
        });
        if is_tighter {
            *bound = Some(NumberBound { at, exclusive });
        }
    }

    #[inline(never)]
    fn number(&mut self, value: &'s Value) -> Option<Number> {
        match value {
            Value::Number(number) => Some(Number::from_json(number)),
            _ => {
                self.problem("must be a number");
                None
            }
        }
    }

    #[inline(never)]
    fn count(&mut self, value: &'s Value) -> Option<u64> {
        let count = match value {
            Value::Number(number) => match Number::from_json(number) {
                Number::Whole(whole) => u64::try_from(whole).ok(),
                Number::Float(_) => None,
            },
            _ => None,
        };
        if count.is_none() {
            self.problem("must be a whole number, 0 or more");
        }
        count
    }

    fn format(&mut self, value: &'s Value, node: &mut Node) {
        let Some(name) = value.as_str() else {
            self.problem("must be a string");
            return;
        };
        // JSON Schema does not enforce other formats. They only describe the value.
        if let Some(format) = StringFormat::named(name) {
            self.beyond = Beyond::More;
            node.string.get_or_insert_default().format = Some(format);
        } else if format::FOREIGN.contains(&name)
            && let Some(foreign) = self.foreign("format", value)
        {
            node.string.get_or_insert_default().foreign.push(foreign);
        }
    }

    fn properties(&mut self, value: &'s Value, rules: &mut ObjectRules) {
        for (name, schema) in self.members(value) {
            let node = Some(self.inside(Cow::Borrowed(name), schema));
            match rules.properties.iter_mut().find(|property| *property.name == *name) {
                Some(property) => property.node = node,
                None => rules.properties.push(Property { name: name.into(), node, required: false }),
            }
        }
    }

    fn required(&mut self, value: &'s Value, rules: &mut ObjectRules) {
        for name in self.names(value) {
            match rules.properties.iter_mut().find(|property| property.name == name) {
                Some(property) => property.required = true,
                None => rules.properties.push(Property { name, node: None, required: true }),
            }
        }
    }

    fn pattern_properties(&mut self, value: &'s Value, rules: &mut ObjectRules) {
        for (pattern, schema) in self.members(value) {
            let schema = self.inside(Cow::Borrowed(pattern), schema);
            let pattern = match pattern {
                r"^\d+$" => Some(KeyPattern::Digits),
                r"^-?\d+$" => Some(KeyPattern::SignedDigits),
                pattern => self.foreign("pattern", &Value::from(pattern)).map(KeyPattern::Foreign),
            };
            rules.patterns.extend(pattern.map(|pattern| (pattern, schema)));
        }
    }

    #[inline(never)]
    fn names(&mut self, value: &'s Value) -> Vec<Box<str>> {
        let names: Option<Vec<_>> =
            value.as_array().and_then(|names| names.iter().map(|name| name.as_str().map(Box::from)).collect());
        if names.is_none() {
            self.problem("must be an array of strings");
        }
        names.unwrap_or_default()
    }

    fn members(&mut self, value: &'s Value) -> impl Iterator<Item = (&'s str, &'s Value)> + use<'s> {
        let members = value.as_object();
        if members.is_none() {
            self.problem("must be an object");
        }
        members.into_iter().flatten().map(|(name, value)| (name.as_str(), value))
    }
}
