//! How an argument is read and described, whether or not its type can be.
//!
//! Each argument gets a local type around the author's (`argument!`), which always implements what serde's and
//! schemars' derives ask for. Where the author's type lacks something, one constant says so in our words
//! (`verdict`), and the local type falls back on code that is never reached, since the program does not compile.

use std::{borrow::Cow, marker::PhantomData};

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{DeserializeOwned, Visitor, value::Error},
    forward_to_deserialize_any,
};

use super::variant;

/// Asks what `T` can do. The methods of `…Owned` are found first where `T` has what they need, those of `…Any`
/// one reference further where it has not.
pub struct Probe<T: ?Sized>(PhantomData<fn(&T)>);

impl<T: ?Sized> Probe<T> {
    pub const NEW: Self = Self(PhantomData);
}

const REFUSED: &str = "this type was refused at compile time";

pub trait ReadOwned<T> {
    fn read<'de, D: Deserializer<'de>>(&self, deserializer: D) -> Result<T, D::Error>;
}

impl<T: DeserializeOwned> ReadOwned<T> for Probe<T> {
    #[inline]
    fn read<'de, D: Deserializer<'de>>(&self, deserializer: D) -> Result<T, D::Error> {
        T::deserialize(deserializer)
    }
}

pub trait ReadAny<T> {
    fn read<'de, D: Deserializer<'de>>(&self, _deserializer: D) -> Result<T, D::Error> {
        unreachable!("{REFUSED}")
    }
}

impl<T> ReadAny<T> for &Probe<T> {}

pub trait DescribeOwned {
    fn inline(&self) -> bool;
    fn name(&self) -> Cow<'static, str>;
    fn id(&self) -> Cow<'static, str>;
    fn describe(&self, generator: &mut SchemaGenerator) -> Schema;
}

impl<T: JsonSchema> DescribeOwned for Probe<T> {
    fn inline(&self) -> bool {
        T::inline_schema()
    }

    fn name(&self) -> Cow<'static, str> {
        T::schema_name()
    }

    fn id(&self) -> Cow<'static, str> {
        T::schema_id()
    }

    fn describe(&self, generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}

pub trait DescribeAny {
    fn inline(&self) -> bool {
        unreachable!("{REFUSED}")
    }

    fn name(&self) -> Cow<'static, str> {
        unreachable!("{REFUSED}")
    }

    fn id(&self) -> Cow<'static, str> {
        unreachable!("{REFUSED}")
    }

    fn describe(&self, _generator: &mut SchemaGenerator) -> Schema {
        unreachable!("{REFUSED}")
    }
}

impl<T> DescribeAny for &Probe<T> {}

pub trait MakeDefault<T> {
    fn make(&self) -> T;
}

impl<T: Default> MakeDefault<T> for Probe<T> {
    fn make(&self) -> T {
        T::default()
    }
}

pub trait MakeAny<T> {
    fn make(&self) -> T {
        unreachable!("{REFUSED}")
    }
}

impl<T> MakeAny<T> for &Probe<T> {}

pub trait WriteSerialize<T> {
    fn write<S: Serializer>(&self, value: &T, serializer: S) -> Result<S::Ok, S::Error>;
}

impl<T: Serialize> WriteSerialize<T> for &&Probe<T> {
    fn write<S: Serializer>(&self, value: &T, serializer: S) -> Result<S::Ok, S::Error> {
        value.serialize(serializer)
    }
}

/// Only the default in the schema is ever written: an enum without data by the name of its variant.
pub trait WriteVariant<T> {
    fn write<S: Serializer>(&self, value: &T, serializer: S) -> Result<S::Ok, S::Error>;
}

impl<T: DeserializeOwned + JsonSchema> WriteVariant<T> for &Probe<T> {
    fn write<S: Serializer>(&self, value: &T, serializer: S) -> Result<S::Ok, S::Error> {
        match variant::name(value) {
            Some(name) => serializer.serialize_str(&name),
            None => Err(serde::ser::Error::custom("not `Serialize`")),
        }
    }
}

/// What cannot be written is left out of the schema.
pub trait WriteAny<T> {
    fn write<S: Serializer>(&self, _value: &T, _serializer: S) -> Result<S::Ok, S::Error> {
        Err(serde::ser::Error::custom("not `Serialize`"))
    }
}

impl<T> WriteAny<T> for Probe<T> {}

/// The arguments of a tool that takes none.
pub struct NoArguments(pub NoFields);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NoFields {}

impl<'de> Deserialize<'de> for NoArguments {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        NoFields::deserialize(deserializer).map(Self)
    }
}

impl JsonSchema for NoArguments {
    fn schema_name() -> Cow<'static, str> {
        NoFields::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        NoFields::json_schema(generator)
    }
}

/// `argument!(Name: Type, Verdict)`: the type `Name`, which reads and describes a `Type` that should be a `Verdict`.
#[doc(hidden)]
#[macro_export]
macro_rules! __mcp_argument {
    ($name:ident: $ty:ty, $verdict:ident) => {
        const _: () = <$ty as $crate::__private::$verdict>::CHECK;
        $crate::__private::argument!($name: $ty);
    };
    ($name:ident: $ty:ty) => {
        struct $name($ty);

        impl<'de> $crate::__private::serde::Deserialize<'de> for $name {
            #[inline]
            fn deserialize<__D: $crate::__private::serde::Deserializer<'de>>(
                deserializer: __D,
            ) -> ::core::result::Result<Self, __D::Error> {
                use $crate::__private::{ReadAny as _, ReadOwned as _};
                (&$crate::__private::Probe::<$ty>::NEW).read(deserializer).map($name)
            }
        }

        impl $crate::__private::schemars::JsonSchema for $name {
            fn inline_schema() -> bool {
                use $crate::__private::{DescribeAny as _, DescribeOwned as _};
                (&$crate::__private::Probe::<$ty>::NEW).inline()
            }

            fn schema_name() -> ::std::borrow::Cow<'static, str> {
                use $crate::__private::{DescribeAny as _, DescribeOwned as _};
                (&$crate::__private::Probe::<$ty>::NEW).name()
            }

            fn schema_id() -> ::std::borrow::Cow<'static, str> {
                use $crate::__private::{DescribeAny as _, DescribeOwned as _};
                (&$crate::__private::Probe::<$ty>::NEW).id()
            }

            fn json_schema(
                generator: &mut $crate::__private::schemars::SchemaGenerator,
            ) -> $crate::__private::schemars::Schema {
                use $crate::__private::{DescribeAny as _, DescribeOwned as _};
                (&$crate::__private::Probe::<$ty>::NEW).describe(generator)
            }
        }

        impl $crate::__private::serde::Serialize for $name {
            fn serialize<__S: $crate::__private::serde::Serializer>(
                &self,
                serializer: __S,
            ) -> ::core::result::Result<__S::Ok, __S::Error> {
                use $crate::__private::{WriteAny as _, WriteSerialize as _, WriteVariant as _};
                (&&&$crate::__private::Probe::<$ty>::NEW).write(&self.0, serializer)
            }
        }
    };
}

/// `default!(Name: Type)`: the default of an argument is that of its type.
#[doc(hidden)]
#[macro_export]
macro_rules! __mcp_default {
    ($name:ident: $ty:ty) => {
        const _: () = <$ty as $crate::__private::Defaulted>::CHECK;

        impl ::core::default::Default for $name {
            fn default() -> Self {
                use $crate::__private::{MakeAny as _, MakeDefault as _};
                $name((&$crate::__private::Probe::<$ty>::NEW).make())
            }
        }
    };
}

/// Whether a `T` can be made of nothing, as serde makes an `Option`: by what it does, not by its name.
pub fn may_be_absent<T: for<'de> Deserialize<'de>>() -> bool {
    T::deserialize(Nothing).is_ok()
}

/// The argument that was not given.
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
