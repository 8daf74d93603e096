//! Finds the name of an enum variant for a default in a schema, if the enum does not implement `Serialize`.

use std::mem::{Discriminant, discriminant};

use schemars::{JsonSchema, generate::SchemaSettings};
use serde::de::{DeserializeOwned, IntoDeserializer, value::Error};

use crate::wire::schema::{example::names, parameter::input_schema::generator};

/// Returns the name of the variant `value`, if `T` is an enum without data. To find the name, the function
/// deserializes each name in the schema and compares the result with `value`.
pub(super) fn name<T: DeserializeOwned + JsonSchema>(value: &T) -> Option<String> {
    let schema = T::json_schema(&mut generator(SchemaSettings::draft2020_12())).to_value();
    let names = schema.as_object().map(names).unwrap_or_default();
    let variants: Vec<_> = names.into_iter().filter_map(|name| Some((name, variant::<T>(name)?))).collect();
    // All values of a type that is not an enum have the same discriminant.
    let is_enum = variants.len() > 1
        && variants.iter().enumerate().all(|(index, (_, own))| variants[..index].iter().all(|(_, other)| own != other));
    let mut own = variants.iter().filter(|(_, variant)| is_enum && *variant == discriminant(value));
    own.next().map(|(name, _)| (*name).to_owned())
}

fn variant<T: DeserializeOwned>(name: &str) -> Option<Discriminant<T>> {
    T::deserialize(IntoDeserializer::<Error>::into_deserializer(name)).ok().map(|value| discriminant(&value))
}
