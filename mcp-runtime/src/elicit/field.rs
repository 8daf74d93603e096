//! One field of a form. Its rules are in `rules.rs`.

use std::marker::PhantomData;

use super::shape::{Kind, Literal, Shape, TypeOfField};

/// One field, as published.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    pub(crate) name: &'static str,
    pub(crate) title: Option<&'static str>,
    pub(crate) description: Option<&'static str>,
    pub(crate) shape: Shape,
    pub(crate) optional: bool,
    pub(crate) default: Option<Literal>,
    /// Whether the titles of choices take their old form, `enumNames`, in every revision.
    pub(crate) enum_names: bool,
}

/// Names a field of the form `F` whose type is `T`: the constants that the macros make (`PickFlight::FLIGHT_ID`).
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
    /// A field without rules.
    pub const fn new(name: &'static str, ty: TypeOfField) -> Self {
        let TypeOfField { shape, optional } = ty;
        Self { name, title: None, description: None, shape, optional, default: None, enum_names: false }
    }

    /// What a person reads instead of the name.
    pub const fn title(self, title: &'static str) -> Self {
        Self { title: Some(title), ..self }
    }

    /// What the field is about.
    pub const fn description(self, description: &'static str) -> Self {
        Self { description: Some(description), ..self }
    }

    /// Whether an answer must have it.
    pub(crate) const fn is_required(&self) -> bool {
        !self.optional && self.default.is_none()
    }

    /// Whether it is a list, which older revisions do not know.
    pub(crate) const fn is_multi_select(&self) -> bool {
        matches!(self.shape.0, Kind::Several { .. })
    }
}
