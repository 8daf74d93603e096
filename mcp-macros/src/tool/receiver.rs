//! The `self` of methods that clients call.

use syn::{Receiver, ReceiverKind, Type};

use crate::types;

/// Returns whether the receiver is `&self`.
pub(crate) fn is_shared(receiver: &Receiver) -> bool {
    match &receiver.kind {
        ReceiverKind::Reference(_, _, mutability) => mutability.is_none(),
        ReceiverKind::Typed(_, ty) => {
            matches!(types::peel(ty), Type::Reference(ty) if ty.mutability.is_none() && types::is_named(&ty.elem, "Self"))
        }
        _ => false,
    }
}
