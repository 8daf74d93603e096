//! The named types of a contract. Each type has one schema, and other schemas refer to it.

use std::collections::HashMap;

use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

use crate::{apps::contract::service::OutputSchemaOf, wire::schema::parameter::Takes};

/// The schemas of the named types that have been found so far.
#[derive(Default)]
pub(super) struct ContractTypes(pub(super) Map<String, Value>);

/// The start of each `$ref` to a named type in a generated schema.
const IN_SCHEMA: &str = "#/$defs/";

/// The start of each `$ref` to a named type in a contract.
pub(super) const IN_CONTRACT: &str = "#/types/";

impl ContractTypes {
    /// Returns the schema of an input. Moves named types into `self`. The returned schema refers to these types.
    pub(super) fn input(&mut self, takes: &Takes) -> Value {
        let mut schema = takes.schema_with(SchemaSettings::draft2020_12().into_generator());
        let named = matches!(takes, Takes::Whole(_));
        // Documents distinguish an input without fields from an input whose fields are unknown.
        if let (false, Some(object)) = (named, schema.as_object_mut()) {
            object.entry("properties").or_insert_with(|| json!({}));
        }
        self.adopt(schema, named)
    }

    /// Returns the schema of an output. Moves named types into `self`. The returned schema refers to these types.
    pub(super) fn output(&mut self, output: OutputSchemaOf) -> Value {
        let schema = output(&mut SchemaSettings::draft2020_12().for_serialize().into_generator());
        schema.map_or(Value::Null, |schema| self.adopt(schema.to_value(), true))
    }

    /// Moves the definitions of a schema into `self`, and also the schema itself if it is `named`. Returns a schema
    /// that refers to the moved types.
    fn adopt(&mut self, mut schema: Value, named: bool) -> Value {
        let Some(object) = schema.as_object_mut() else { return schema };
        object.remove("$schema");
        add_limits(&mut schema);
        let Some(object) = schema.as_object_mut() else { return schema };
        let mut definitions = match object.remove("$defs") {
            Some(Value::Object(definitions)) => definitions,
            _ => Map::new(),
        };
        // The title of a root schema is the name of its type. Definitions have no such title.
        let own = if named && object.contains_key("properties") { object.remove("title") } else { None };
        let own = own.and_then(|title| title.as_str().map(str::to_owned));
        if let Some(own) = &own {
            definitions.insert(own.clone(), schema.clone());
        }
        let names = self.names_of(&definitions);
        for (name, mut definition) in definitions {
            refer_to_types(&mut definition, &names, own.as_deref());
            self.0.insert(names[&name].clone(), definition);
        }
        match own {
            Some(own) => json!({ "$ref": format!("{IN_CONTRACT}{}", names[&own]) }),
            None => {
                refer_to_types(&mut schema, &names, None);
                schema
            }
        }
    }

    /// Returns the name that each definition gets in `self`. If `self` has a different type with the name `Item`, the
    /// definition gets the name `Item2`.
    fn names_of(&self, definitions: &Map<String, Value>) -> TypeNames {
        let mut numbers: HashMap<&String, usize> = definitions.keys().map(|name| (name, 1)).collect();
        // A new name also changes the types that refer to the name, so the loop repeats until all names are free.
        loop {
            let names: TypeNames =
                numbers.iter().map(|(name, number)| ((*name).clone(), numbered(name, *number))).collect();
            let taken = definitions.iter().find(|(name, definition)| {
                let mut definition = (*definition).clone();
                refer_to_types(&mut definition, &names, Some(name));
                self.0.get(&names[*name]).is_some_and(|earlier| *earlier != definition)
                    || names.iter().any(|(other, new)| other != *name && *new == names[*name] && numbers[*name] > 1)
            });
            match taken {
                Some((name, _)) => *numbers.entry(name).or_default() += 1,
                None => return names,
            }
        }
    }
}

/// Maps names of types in a schema to names of types in the contract.
type TypeNames = HashMap<String, String>;

fn numbered(name: &str, number: usize) -> String {
    if number == 1 { name.to_owned() } else { format!("{name}{number}") }
}

/// Changes the references in a schema to the names in `names`. The reference `#` becomes a reference to the type `own`.
fn refer_to_types(schema: &mut Value, names: &TypeNames, own: Option<&str>) {
    each_object(schema, &mut |object| {
        let Some(Value::String(reference)) = object.get_mut("$ref") else { return };
        let name = match reference.strip_prefix(IN_SCHEMA) {
            Some(name) => Some(name),
            None => own.filter(|_| reference == "#"),
        };
        if let Some(name) = name.and_then(|name| names.get(name)) {
            *reference = format!("{IN_CONTRACT}{name}");
        }
    });
}

/// Replaces the start of each `$ref` to a named type with `place`. Each kind of document has the types at a different
/// place.
pub(crate) fn refer_to(document: &mut Value, place: &str) {
    each_object(document, &mut |object| {
        if let Some(Value::String(reference)) = object.get_mut("$ref")
            && let Some(name) = reference.strip_prefix(IN_CONTRACT)
        {
            *reference = format!("{place}{name}");
        }
    });
}

/// Adds the maximum to the schemas of unsigned integers, because most programs do not know formats such as `uint8`.
fn add_limits(schema: &mut Value) {
    each_object(schema, &mut |object| {
        let most = match object.get("format").and_then(Value::as_str) {
            Some("uint32") => u64::from(u32::MAX),
            Some("uint" | "uint64") => u64::MAX,
            _ => return,
        };
        if !object.contains_key("exclusiveMaximum") {
            object.entry("maximum").or_insert_with(|| most.into());
        }
    });
}

/// Changes each object in a JSON value, the outer ones first.
fn each_object(value: &mut Value, change: &mut impl FnMut(&mut Map<String, Value>)) {
    match value {
        Value::Object(object) => {
            change(object);
            object.values_mut().for_each(|value| each_object(value, change));
        }
        Value::Array(values) => values.iter_mut().for_each(|value| each_object(value, change)),
        _ => {}
    }
}
