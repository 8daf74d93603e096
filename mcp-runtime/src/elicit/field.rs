//! One field of a form, and what the attributes on it say. All of it is checked while the program is compiled.

use std::marker::PhantomData;

use super::{
    problem::Problem,
    shape::{Bounds, Format, Kind, Literal, Shape, TypeOfField},
};

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

#[allow(clippy::result_large_err, reason = "a constant expression has no boxes, and no program runs this")]
impl Field {
    /// A field without constraints.
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

    /// The smallest number.
    pub const fn min(self, bound: Literal) -> Result<Self, Problem> {
        match (self.shape.0, bound) {
            (Kind::Integer { min, max }, Literal::Integer(bound)) if min <= bound && bound <= max => {
                Ok(self.shaped(Kind::Integer { min: bound, max }))
            }
            (Kind::Number { max, .. }, Literal::Integer(_) | Literal::Float(_)) => {
                Ok(self.shaped(Kind::Number { min: Some(bound), max }))
            }
            _ => Err(self.problem("`min` does not fit its type")),
        }
    }

    /// The largest number.
    pub const fn max(self, bound: Literal) -> Result<Self, Problem> {
        match (self.shape.0, bound) {
            (Kind::Integer { min, max }, Literal::Integer(bound)) if min <= bound && bound <= max => {
                Ok(self.shaped(Kind::Integer { min, max: bound }))
            }
            (Kind::Number { min, .. }, Literal::Integer(_) | Literal::Float(_)) => {
                Ok(self.shaped(Kind::Number { min, max: Some(bound) }))
            }
            _ => Err(self.problem("`max` does not fit its type")),
        }
    }

    /// The fewest characters.
    pub const fn min_length(self, bound: u32) -> Result<Self, Problem> {
        match self.shape.0 {
            Kind::Text { length, format } => {
                Ok(self.shaped(Kind::Text { length: Bounds { min: Some(bound), ..length }, format }))
            }
            _ => Err(self.problem("`min_length` is for text")),
        }
    }

    /// The most characters.
    pub const fn max_length(self, bound: u32) -> Result<Self, Problem> {
        match self.shape.0 {
            Kind::Text { length, format } => {
                Ok(self.shaped(Kind::Text { length: Bounds { max: Some(bound), ..length }, format }))
            }
            _ => Err(self.problem("`max_length` is for text")),
        }
    }

    /// The fewest choices.
    pub const fn min_items(self, bound: u32) -> Result<Self, Problem> {
        match self.shape.0 {
            Kind::Several { choices, count } => {
                Ok(self.shaped(Kind::Several { choices, count: Bounds { min: Some(bound), ..count } }))
            }
            _ => Err(self.problem("`min_items` is for a `MultiSelect`")),
        }
    }

    /// The most choices.
    pub const fn max_items(self, bound: u32) -> Result<Self, Problem> {
        match self.shape.0 {
            Kind::Several { choices, count } => {
                Ok(self.shaped(Kind::Several { choices, count: Bounds { max: Some(bound), ..count } }))
            }
            _ => Err(self.problem("`max_items` is for a `MultiSelect`")),
        }
    }

    /// The format of a text.
    pub const fn format(self, format: Format) -> Result<Self, Problem> {
        match self.shape.0 {
            Kind::Text { length, format: None } => Ok(self.shaped(Kind::Text { length, format: Some(format) })),
            _ => Err(self.problem("`format` is for a `String`")),
        }
    }

    /// What the field is when it is left out.
    pub const fn default(self, default: Literal) -> Result<Self, Problem> {
        Ok(Self { default: Some(default), ..self })
    }

    /// Titles of choices take their old form.
    pub const fn enum_names(self) -> Result<Self, Problem> {
        match self.shape.0 {
            Kind::One(_) => Ok(Self { enum_names: true, ..self }),
            _ => Err(self.problem("`enum_names` is for a choice")),
        }
    }

    /// Whether an answer must have it.
    pub(crate) const fn is_required(&self) -> bool {
        !self.optional && self.default.is_none()
    }

    /// Whether it is a list, which older revisions do not know.
    pub(crate) const fn is_multi_select(&self) -> bool {
        matches!(self.shape.0, Kind::Several { .. })
    }

    const fn shaped(self, kind: Kind) -> Self {
        Self { shape: Shape(kind), ..self }
    }

    const fn problem(&self, what: &str) -> Problem {
        Problem::new("field `").with(self.name).with("`: ").with(what)
    }
}
