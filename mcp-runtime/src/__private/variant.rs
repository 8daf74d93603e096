//! Finds the name of an enum variant for a default in a schema, if the enum does not implement `Serialize`.

use std::mem::{Discriminant, discriminant};

use schemars::{JsonSchema, generate::SchemaSettings};
use serde::de::{DeserializeOwned, IntoDeserializer, value::Error};
use serde_json::Value;

/// Returns the name from which `value` is read, if `T` is an enum without data. Each name of the schema is read and
/// compared by its variant.
pub(super) fn name<T: DeserializeOwned + JsonSchema>(value: &T) -> Option<String> {
    let mut generator =
        SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true).into_generator();
    let schema = T::json_schema(&mut generator).to_value();
    let variants: Vec<_> = names(&schema).into_iter().filter_map(|name| Some((name, variant::<T>(name)?))).collect();
    // All values of a type that is not an enum have the same discriminant.
    let is_enum = variants.len() > 1
        && variants.iter().enumerate().all(|(index, (_, own))| variants[..index].iter().all(|(_, other)| own != other));
    let mut own = variants.iter().filter(|(_, variant)| is_enum && *variant == discriminant(value));
    own.next().map(|(name, _)| (*name).to_owned())
}

fn variant<T: DeserializeOwned>(name: &str) -> Option<Discriminant<T>> {
    T::deserialize(IntoDeserializer::<Error>::into_deserializer(name)).ok().map(|value| discriminant(&value))
}

/// Returns the strings that a schema lists: `enum`, or `const` for each variant with a description.
fn names(schema: &Value) -> Vec<&str> {
    let list = |key: &str| schema[key].as_array().into_iter().flatten();
    let described = list("oneOf").map(|variant| &variant["const"]);
    list("enum").chain(described).filter_map(Value::as_str).chain(list("oneOf").flat_map(names)).collect()
}
