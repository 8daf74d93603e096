//! The parameters of a tool. Each is read from the arguments and described in the schema.
//!
//! The functions of a type are compiled once per type, not once per tool. Generated code takes them from one trait
//! constant, so that a type without the trait causes only one compile error.

pub(crate) mod input_schema;
pub(crate) mod object;

use std::any::type_name;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{
    Deserializer,
    de::{DeserializeOwned, Visitor, value::Error},
    forward_to_deserialize_any,
};
use serde_json::{Value, de::StrRead};

/// The deserializer from which one value of the arguments is read.
pub(crate) type Reader<'de> = serde_json::Deserializer<StrRead<'de>>;

type ReadFn<T> = fn(&mut Reader<'_>) -> serde_json::Result<T>;

/// The functions that read and describe a parameter of type `T`. The struct has no bound on `T`.
#[derive(Debug)]
pub struct Input<T> {
    read: ReadFn<T>,
    absent: fn() -> Option<T>,
    functions: Functions,
}

/// The part of [`Input`] that does not depend on the type `T`.
#[derive(Clone, Copy, Debug)]
struct Functions {
    /// Reads a value and drops it.
    skip: ReadFn<()>,
    /// Returns `Some(())` if the argument can be absent, and `None` if it is required.
    absent: fn() -> Option<()>,
    /// Returns the schema of the value, or of an object whose only property is the parameter.
    describe: fn(&mut SchemaGenerator) -> Schema,
    describes_property: bool,
    /// Returns the value of an absent argument. The schema publishes this value as `default`.
    default: Option<fn() -> Option<Value>>,
}

/// The functions that read and describe a type `T`, if the whole arguments object is deserialized into a `T`. The
/// struct has no bound on `T`.
#[derive(Debug)]
pub struct Whole<T> {
    /// Reads the JSON text of the object.
    pub read: fn(&str) -> serde_json::Result<T>,
    /// Describes the arguments without naming the type `T`.
    pub takes: Takes,
}

/// The arguments of a tool.
#[derive(Clone, Copy, Debug)]
pub enum Takes {
    /// An object with one argument for each of these parameters.
    Parameters(&'static [Parameter]),
    /// One type for the whole object.
    Whole(WholeFunctions),
}

/// The part of [`Whole`] that has the same Rust type for every `T`.
#[derive(Clone, Copy, Debug)]
pub struct WholeFunctions {
    pub(crate) skip: fn(&str) -> serde_json::Result<()>,
    pub(crate) describe: fn(SchemaGenerator) -> Schema,
}

/// A parameter: its name, its aliases, its doc comment, and the functions that read and describe its value.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    pub(crate) name: &'static str,
    /// The aliases that deserialization accepts. The schema does not publish them.
    pub(crate) aliases: &'static [&'static str],
    /// The doc comment.
    doc: &'static str,
    functions: Functions,
}

/// A slot for the value of one parameter. The slot is empty until the value is read.
#[derive(Debug)]
pub struct Slot<T> {
    value: Option<T>,
    read: ReadFn<T>,
    absent: fn() -> Option<T>,
}

/// The operations on a [`Slot`] that do not depend on the type of its value.
pub trait Fill {
    /// Drops the value.
    fn clear(&mut self);

    /// Returns whether the slot has a value.
    fn is_filled(&self) -> bool;

    /// Reads the value.
    ///
    /// # Errors
    /// Fails if the value does not match the type. Fails if the slot already has a value, and keeps that value.
    fn fill(&mut self, reader: &mut Reader<'_>) -> serde_json::Result<()>;

    /// Sets the value of an absent argument. Returns `false` if the argument is required.
    fn leave(&mut self) -> bool;
}

impl<T> Input<T> {
    /// The initial value, in which the function that reads `T` and the function that describes `T` are not set.
    pub const UNKNOWN: Self =
        Self { read: refused, absent: || None, functions: Functions::new(refused, || None, |_| unknown()) };

    /// Creates an `Input` for a type that implements `Deserialize`. The function that describes the type must be set
    /// separately.
    pub const fn read() -> Self
    where
        T: DeserializeOwned,
    {
        let functions = Functions::new(skip::<T>, || absent::<T>().map(drop), |_| unknown());
        Self { read, absent, functions }
    }

    /// Creates an `Input` for a type that implements `JsonSchema`. The function that reads the type must be set
    /// separately.
    pub const fn described() -> Self
    where
        T: JsonSchema,
    {
        Self { functions: Functions::new(refused, || None, SchemaGenerator::subschema_for::<T>), ..Self::UNKNOWN }
    }

    /// Creates an `Input` for a type that implements `Deserialize` and `JsonSchema`.
    pub const fn of() -> Self
    where
        T: DeserializeOwned + JsonSchema,
    {
        let describe = SchemaGenerator::subschema_for::<T>;
        Self { read, absent, functions: Functions::new(skip::<T>, || absent::<T>().map(drop), describe) }
    }

    /// Sets the function that reads a value. `skip` reads the same JSON, but drops the value.
    #[must_use]
    pub const fn read_by(mut self, read: ReadFn<T>, skip: ReadFn<()>) -> Self {
        self.read = read;
        self.functions.skip = skip;
        self
    }

    /// Sets the function that describes the parameter. It returns the schema of an object whose only property is the
    /// parameter.
    #[must_use]
    pub const fn described_by(mut self, property: fn(&mut SchemaGenerator) -> Schema) -> Self {
        (self.functions.describe, self.functions.describes_property) = (property, true);
        self
    }

    /// Makes the argument optional. `absent` returns the value of a missing argument. `default` returns the default
    /// that the schema publishes.
    #[must_use]
    pub const fn or(mut self, absent: fn() -> Option<T>, default: fn() -> Option<Value>) -> Self {
        self.absent = absent;
        self.functions.absent = || Some(());
        self.functions.default = Some(default);
        self
    }

    /// Returns the schema of the type.
    pub fn describe(&self, generator: &mut SchemaGenerator) -> Schema {
        (self.functions.describe)(generator)
    }

    /// Returns an empty slot for the value.
    pub fn slot(&self) -> Slot<T> {
        Slot { value: None, read: self.read, absent: self.absent }
    }
}

impl<T: DeserializeOwned + JsonSchema> Whole<T> {
    pub(crate) const OF: Self = Self {
        read: |text| serde_json::from_str(text),
        takes: Takes::Whole(WholeFunctions {
            skip: |text| serde_json::from_str::<T>(text).map(drop),
            describe: SchemaGenerator::into_root_schema_for::<T>,
        }),
    };
}

impl Functions {
    const fn new(skip: ReadFn<()>, absent: fn() -> Option<()>, describe: fn(&mut SchemaGenerator) -> Schema) -> Self {
        Self { skip, absent, describe, describes_property: false, default: None }
    }
}

impl Parameter {
    /// Creates a parameter that is read and described by the functions of `input`.
    pub const fn new<T>(
        name: &'static str,
        aliases: &'static [&'static str],
        doc: &'static str,
        input: &Input<T>,
    ) -> Self {
        Self { name, aliases, doc, functions: input.functions }
    }

    pub(crate) fn is_named(&self, name: &str) -> bool {
        self.name == name || self.aliases.contains(&name)
    }

    /// Returns the default that the schema publishes.
    pub(crate) fn default(&self) -> Option<Value> {
        self.functions.default.and_then(|default| default())
    }

    /// Returns a slot that reads a value only to check it, and does not keep the value.
    pub(crate) fn dropping(&self) -> Slot<()> {
        Slot { value: None, read: self.functions.skip, absent: self.functions.absent }
    }
}

impl<T> Slot<T> {
    /// Returns the value. Panics if the slot is empty.
    pub fn take(self) -> T {
        self.value.expect("every slot is filled if the arguments could be read")
    }
}

impl<T> Fill for Slot<T> {
    fn clear(&mut self) {
        self.value = None;
    }

    fn is_filled(&self) -> bool {
        self.value.is_some()
    }

    fn fill(&mut self, reader: &mut Reader<'_>) -> serde_json::Result<()> {
        if self.value.is_some() {
            return Err(again());
        }
        self.value = Some((self.read)(reader)?);
        Ok(())
    }

    fn leave(&mut self) -> bool {
        self.value = (self.absent)();
        self.is_filled()
    }
}

fn read<T: DeserializeOwned>(reader: &mut Reader<'_>) -> serde_json::Result<T> {
    T::deserialize(reader)
}

fn skip<T: DeserializeOwned>(reader: &mut Reader<'_>) -> serde_json::Result<()> {
    T::deserialize(reader).map(drop)
}

/// Returns the value that `T` has if its field is absent. For an `Option` this is `None`. Returns `None` if the type
/// has no such value.
fn absent<T: DeserializeOwned>() -> Option<T> {
    T::deserialize(Nothing).ok()
}

#[cold]
fn again() -> serde_json::Error {
    serde::de::Error::custom("the slot already has a value")
}

fn refused<T>(_: &mut Reader<'_>) -> serde_json::Result<T> {
    unreachable!("the reader of `{}` is set separately", type_name::<T>())
}

fn unknown() -> Schema {
    unreachable!("the schema of the type is set separately")
}

/// The deserializer of an absent argument.
struct Nothing;

impl<'de> Deserializer<'de> for Nothing {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, Error> {
        Err(serde::de::Error::custom("absent"))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_none()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}
