//! The default of a parameter, as published in the schema.

use schemars::JsonSchema;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use super::{Probe, variant};

pub trait WriteSerialize<T> {
    fn write(&self, value: &T) -> Option<Value>;
}

impl<T: Serialize> WriteSerialize<T> for &&Probe<T> {
    fn write(&self, value: &T) -> Option<Value> {
        serde_json::to_value(value).ok()
    }
}

/// Writes an enum without data as the name of its variant.
pub trait WriteVariant<T> {
    fn write(&self, value: &T) -> Option<Value>;
}

impl<T: DeserializeOwned + JsonSchema> WriteVariant<T> for &Probe<T> {
    fn write(&self, value: &T) -> Option<Value> {
        variant::name(value).map(Value::String)
    }
}

/// Used for a type that supports neither `WriteSerialize` nor `WriteVariant`. Writes nothing, so the schema shows no
/// default.
pub trait WriteAny<T> {
    fn write(&self, _value: &T) -> Option<Value> {
        None
    }
}

impl<T> WriteAny<T> for Probe<T> {}

/// `default!(Type, value)` converts the default to JSON. It uses the first of the three traits above that the type
/// implements.
#[doc(hidden)]
#[macro_export]
macro_rules! __mcp_default {
    ($ty:ty, $value:expr) => {{
        use $crate::__private::{WriteAny as _, WriteSerialize as _, WriteVariant as _};
        (&&&$crate::__private::Probe::<$ty>::NEW).write(&$value)
    }};
}
