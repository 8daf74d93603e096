//! One field of a form. `rules.rs` sets its limits and its default.

use std::marker::PhantomData;

use super::shape::{Literal, Shape, ShapeKind, TypeOfField};

/// A field of a form: its name, its type, and the rules that the form's schema shows to the client.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    pub(crate) name: &'static str,
    pub(crate) title: Option<&'static str>,
    pub(crate) description: Option<&'static str>,
    pub(crate) shape: Shape,
    pub(crate) optional: bool,
    pub(crate) default: Option<Literal>,
    /// Whether the schema lists the titles of choices in the older keyword `enumNames`, in every revision.
    pub(crate) enum_names: bool,
}

/// Identifies a field of type `T` in the form `F`. The macros generate such keys, for example `PickFlight::FLIGHT_ID`.
pub struct FieldKey<F, T> {
    pub(crate) index: usize,
    of: PhantomData<fn() -> (F, T)>,
}

impl<F, T> FieldKey<F, T> {
    #[doc(hidden)]
    pub const fn new(index: usize) -> Self {
        Self { index, of: PhantomData }
    }
}

impl<F, T> Clone for FieldKey<F, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<F, T> Copy for FieldKey<F, T> {}

impl<F, T> std::fmt::Debug for FieldKey<F, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("FieldKey").field(&self.index).finish()
    }
}

impl Field {
    /// Creates a field without title, description, limits or default.
    pub const fn new(name: &'static str, ty: TypeOfField) -> Self {
        let TypeOfField { shape, optional } = ty;
        Self { name, title: None, description: None, shape, optional, default: None, enum_names: false }
    }

    /// Sets the name shown to users.
    pub const fn title(self, title: &'static str) -> Self {
        Self { title: Some(title), ..self }
    }

    /// Sets the description.
    pub const fn description(self, description: &'static str) -> Self {
        Self { description: Some(description), ..self }
    }

    /// Returns whether an answer must contain the field.
    pub(crate) const fn is_required(&self) -> bool {
        !self.optional && self.default.is_none()
    }

    /// Returns whether the field is a list of choices. Older revisions do not support such lists.
    pub(crate) const fn is_multi_select(&self) -> bool {
        matches!(self.shape.0, ShapeKind::Several { .. })
    }
}
