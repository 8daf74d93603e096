//! The formats that schemars writes for Rust's number types. JSON Schema does not define them.

use crate::wire::schema::value::number::Number;

/// The range of a Rust number type.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NumberFormat {
    pub(crate) low: Option<Number>,
    pub(crate) high: Option<Number>,
    /// Whether the schema publishes the range. A very large range is not published, because it does not help a model.
    pub(crate) published: bool,
}

impl NumberFormat {
    pub(crate) fn named(name: &str) -> Option<Self> {
        let (low, high, published) = match name {
            "int8" => (Some(i8::MIN.into()), Some(i8::MAX.into()), true),
            "int16" => (Some(i16::MIN.into()), Some(i16::MAX.into()), true),
            "int32" => (Some(i32::MIN.into()), Some(i32::MAX.into()), true),
            "int64" => (Some(i64::MIN.into()), Some(i64::MAX.into()), false),
            "int" => (Some(isize::MIN as i128), Some(isize::MAX as i128), false),
            "uint8" => (Some(0), Some(u8::MAX.into()), true),
            "uint16" => (Some(0), Some(u16::MAX.into()), true),
            "uint32" => (Some(0), Some(u32::MAX.into()), true),
            "uint64" => (Some(0), Some(u64::MAX.into()), false),
            "uint" => (Some(0), Some(usize::MAX as i128), false),
            "int128" => (Some(i128::MIN), Some(i128::MAX), false),
            "uint128" => (Some(0), None, false),
            "double" => {
                let [low, high] = [f64::MIN, f64::MAX].map(|end| Some(Number::Float(end)));
                return Some(Self { low, high, published: false });
            }
            // A number beyond the range of `f32` becomes infinite, and readers accept an infinite `f32`.
            "float" => (None, None, false),
            _ => return None,
        };
        Some(Self { low: low.map(Number::Whole), high: high.map(Number::Whole), published })
    }
}
