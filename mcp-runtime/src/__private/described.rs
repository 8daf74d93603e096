//! Supports parameters with `schemars` attributes. The macro moves the attributes to a field of a generated struct.

use schemars::{JsonSchema, Schema, SchemaGenerator};

use super::Probe;

pub trait DescribeStruct {
    fn describe(&self, generator: &mut SchemaGenerator) -> Schema;
}

impl<T: JsonSchema> DescribeStruct for Probe<T> {
    fn describe(&self, generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}

/// A fallback that describes nothing. It prevents a second error if the derive has already rejected an attribute.
pub trait DescribeNothing {
    fn describe(&self, _generator: &mut SchemaGenerator) -> Schema {
        Schema::default()
    }
}

impl<T> DescribeNothing for &Probe<T> {}

/// `described!(Name: INPUT)` declares a type `Name` for the field, with the schema of the constant `INPUT`. The field
/// does not have the author's own type, because that type may lack a trait that the derive needs. Another check reports
/// a missing trait.
///
/// `described!(Name)` expands to the function that returns the schema of the struct `Name`.
#[doc(hidden)]
#[macro_export]
macro_rules! __mcp_described {
    ($name:ident: $input:ident) => {
        struct $name;

        impl $crate::__private::schemars::JsonSchema for $name {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> ::std::borrow::Cow<'static, str> {
                ::std::borrow::Cow::Borrowed(::core::stringify!($name))
            }

            fn json_schema(
                generator: &mut $crate::__private::schemars::SchemaGenerator,
            ) -> $crate::__private::schemars::Schema {
                $input.describe(generator)
            }
        }
    };
    ($name:ident) => {
        |generator| {
            use $crate::__private::{DescribeNothing as _, DescribeStruct as _};
            (&$crate::__private::Probe::<$name>::NEW).describe(generator)
        }
    };
}
