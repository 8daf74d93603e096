//! Reads the variants of an enum that has a derive macro.

use syn::{Data, DeriveInput, Variant};

use crate::errors::Errors;

/// Returns the variants of the enum. `empty` is the error for an enum without variants. `other` is the error for an
/// item that is not an enum.
pub(crate) fn of_enum<'a>(
    errors: &mut Errors,
    input: &'a DeriveInput,
    empty: &str,
    other: &str,
) -> impl Iterator<Item = &'a Variant> + use<'a> {
    let variants = match &input.data {
        Data::Enum(data) => {
            if data.variants.is_empty() {
                errors.push(&input.ident, empty);
            }
            Some(&data.variants)
        }
        Data::Struct(data) => {
            errors.push(data.struct_token, other);
            None
        }
        Data::Union(data) => {
            errors.push(data.union_token, other);
            None
        }
    };
    variants.into_iter().flatten()
}
