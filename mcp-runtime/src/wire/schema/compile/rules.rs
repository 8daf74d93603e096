//! Collects the keywords of a schema object, grouped by the JSON type that they apply to.

use std::borrow::Cow;

use serde_json::Value;

use super::{CompiledRules, Compiler};
use crate::wire::schema::{
    compile::node::{Beyond, CountBound, KeyPattern, Node, NumberBound, NumberRules, ObjectRules, Property},
    format::{self, NumberFormat, StringFormat},
    value::{name_index::NameIndex, number::Number},
};

impl<'s> Compiler<'s> {
    pub(super) fn rule(&mut self, keyword: &'s str, value: &'s Value, rules: &mut CompiledRules) {
        match keyword {
            "minimum" => self.low(value, false, &mut rules.number),
            "exclusiveMinimum" => self.low(value, true, &mut rules.number),
            "maximum" => self.high(value, false, &mut rules.number),
            "exclusiveMaximum" => self.high(value, true, &mut rules.number),
            "multipleOf" => {
                rules.number.multiple_of = self.number(value);
                if rules.number.multiple_of.is_some_and(|step| step <= Number::Whole(0)) {
                    self.problem("must be greater than 0");
                }
            }
            "minLength" => self.min(value, &mut rules.string.length),
            "maxLength" => self.max(value, &mut rules.string.length),
            "format" => self.format(value, rules),
            "pattern" => rules.string.foreign.extend(self.foreign("pattern", value)),
            "items" if value.is_array() => self.problem("must be one schema: write `prefixItems` for several"),
            "items" => rules.array.items = Some(self.schema(value)),
            "prefixItems" => rules.array.prefix = self.schemas(value),
            "minItems" => self.min(value, &mut rules.array.length),
            "maxItems" => self.max(value, &mut rules.array.length),
            "uniqueItems" => match value.as_bool() {
                Some(unique) => rules.array.unique = unique,
                None => self.problem("must be a boolean"),
            },
            "contains" => rules.contains = Some(self.schema(value)),
            "minContains" => self.min(value, &mut rules.contained),
            "maxContains" => self.max(value, &mut rules.contained),
            "minProperties" => self.min(value, &mut rules.object.size),
            "maxProperties" => self.max(value, &mut rules.object.size),
            "properties" => self.properties(value, &mut rules.object),
            "required" => self.required(value, &mut rules.object),
            "additionalProperties" => {
                // A typed reader enforces `false`: its type has `#[serde(deny_unknown_fields)]`.
                let beyond = self.beyond;
                rules.object.additional = Some(self.schema(value));
                if value == &Value::Bool(false) {
                    self.beyond = beyond;
                }
            }
            "patternProperties" => self.pattern_properties(value, &mut rules.object),
            "propertyNames" => {
                self.beyond = Beyond::More;
                rules.object.names = Some(self.schema(value));
            }
            "dependentRequired" => {
                for (property, names) in self.members(value) {
                    let names = self.names(names);
                    rules.object.dependent.push((property.into(), names));
                }
            }
            "dependentSchemas" => {
                for (property, schema) in self.members(value) {
                    let schema = self.inside(Cow::Borrowed(property), schema);
                    rules.object.dependent_schemas.push((property.into(), schema));
                }
            }
            _ => self.unknown(keyword),
        }
    }

    /// Adds the collected rules to the node, and records whether the author's deserializer also enforces them.
    pub(super) fn finish(&mut self, mut rules: CompiledRules, node: &mut Node) {
        if let Some(contains) = rules.contains {
            let min = rules.contained.min.or(Some(1));
            rules.array.contains = Some((contains, CountBound { min, ..rules.contained }));
        }
        if !reader_enforces(&rules) {
            self.beyond = Beyond::More;
        }

        let CompiledRules { mut number, number_format, string, array, mut object, .. } = rules;
        if let Some(range) = number_format {
            number.low = number.low.or(range.low.map(|at| NumberBound { at, exclusive: false }));
            number.high = number.high.or(range.high.map(|at| NumberBound { at, exclusive: false }));
        }
        if object.properties.len() > ObjectRules::FEW {
            let mut index = NameIndex::default();
            for (at, property) in object.properties.iter().enumerate() {
                index.insert(Cow::Owned(property.name.to_string()), at);
            }
            object.index = Some(index);
        }
        object.required = object.properties.iter().filter(|property| property.required).count();

        node.number = number.is_some().then(|| Box::new(number));
        node.string = string.is_some().then(|| Box::new(string));
        node.array = array.is_some().then(|| Box::new(array));
        node.object = object.is_some().then(|| Box::new(object));
    }

    #[inline(never)]
    fn low(&mut self, value: &'s Value, exclusive: bool, rules: &mut NumberRules) {
        let Some(at) = self.number(value) else { return };
        let tighter = rules.low.is_none_or(|low| at > low.at || (at == low.at && exclusive));
        if tighter {
            rules.low = Some(NumberBound { at, exclusive });
        }
    }

    #[inline(never)]
    fn high(&mut self, value: &'s Value, exclusive: bool, rules: &mut NumberRules) {
        let Some(at) = self.number(value) else { return };
        let tighter = rules.high.is_none_or(|high| at < high.at || (at == high.at && exclusive));
        if tighter {
            rules.high = Some(NumberBound { at, exclusive });
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

    fn min(&mut self, value: &'s Value, count: &mut CountBound) {
        count.min = self.count(value);
    }

    fn max(&mut self, value: &'s Value, count: &mut CountBound) {
        count.max = self.count(value);
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

    fn format(&mut self, value: &'s Value, rules: &mut CompiledRules) {
        let Some(name) = value.as_str() else {
            self.problem("must be a string");
            return;
        };
        if let Some(range) = NumberFormat::named(name) {
            rules.number_format = Some(range);
        } else if let Some(format) = StringFormat::named(name) {
            rules.string.format = Some(format);
        } else if format::FOREIGN.contains(&name) {
            rules.string.foreign.extend(self.foreign("format", value));
        }
        // JSON Schema does not enforce other formats. They only describe the value.
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

/// Returns whether the deserializer of the author's type enforces these rules itself.
fn reader_enforces(rules: &CompiledRules) -> bool {
    let CompiledRules { number, number_format, string, array, object, .. } = rules;
    let bound_of_type = |bound: Option<NumberBound>, of_type: Option<Number>| {
        bound.is_none_or(|bound| !bound.exclusive && of_type == Some(bound.at))
    };
    let (low, high) = number_format.map_or((None, None), |format| (format.low, format.high));
    let of_tuple = array.items.is_none() && array.length == CountBound::exactly(array.prefix.len());
    number.multiple_of.is_none()
        && bound_of_type(number.low, low)
        && bound_of_type(number.high, high)
        && string.length.is_any()
        && string.format.is_none()
        && (array.length.is_any() || (of_tuple && !array.prefix.is_empty()))
        && !array.unique
        && array.contains.is_none()
        && object.size.is_any()
        && object.dependent.is_empty()
        && object.dependent_schemas.is_empty()
}
