//! Checks the rules of a field against its type at compile time.

use super::{
    field::Field,
    problem::Problem,
    shape::{Bounds, Format, Literal, Shape, ShapeKind},
};

#[allow(clippy::result_large_err, reason = "constant expressions cannot use `Box`, and this runs only at compile time")]
impl Field {
    /// Sets the minimum of a number.
    pub const fn min(self, bound: Literal) -> Result<Self, Problem> {
        match (self.shape.0, bound) {
            (ShapeKind::Integer { max, .. }, Literal::Integer(bound)) => match self.out_of_range("min", bound) {
                Some(problem) => Err(problem),
                None => Ok(self.shaped(ShapeKind::Integer { min: bound, max })),
            },
            (ShapeKind::Integer { .. }, Literal::Float(_)) => Err(self.with_a_fraction("min")),
            (ShapeKind::Number { max, .. }, Literal::Integer(_) | Literal::Float(_)) => {
                Ok(self.shaped(ShapeKind::Number { min: Some(bound), max }))
            }
            _ => Err(self.without("min", self.limits().0)),
        }
    }

    /// Sets the maximum of a number.
    pub const fn max(self, bound: Literal) -> Result<Self, Problem> {
        match (self.shape.0, bound) {
            (ShapeKind::Integer { min, .. }, Literal::Integer(bound)) => match self.out_of_range("max", bound) {
                Some(problem) => Err(problem),
                None => Ok(self.shaped(ShapeKind::Integer { min, max: bound })),
            },
            (ShapeKind::Integer { .. }, Literal::Float(_)) => Err(self.with_a_fraction("max")),
            (ShapeKind::Number { min, .. }, Literal::Integer(_) | Literal::Float(_)) => {
                Ok(self.shaped(ShapeKind::Number { min, max: Some(bound) }))
            }
            _ => Err(self.without("max", self.limits().1)),
        }
    }

    /// Sets the minimum number of characters.
    pub const fn min_length(self, bound: u32) -> Result<Self, Problem> {
        match self.shape.0 {
            ShapeKind::Text { length, format } => {
                Ok(self.shaped(ShapeKind::Text { length: Bounds { min: Some(bound), ..length }, format }))
            }
            _ => Err(self.without("min_length", self.limits().0)),
        }
    }

    /// Sets the maximum number of characters.
    pub const fn max_length(self, bound: u32) -> Result<Self, Problem> {
        match self.shape.0 {
            ShapeKind::Text { length, format } => {
                Ok(self.shaped(ShapeKind::Text { length: Bounds { max: Some(bound), ..length }, format }))
            }
            _ => Err(self.without("max_length", self.limits().1)),
        }
    }

    /// Sets the minimum number of choices.
    pub const fn min_items(self, bound: u32) -> Result<Self, Problem> {
        match self.shape.0 {
            ShapeKind::Several { choices, .. } if bound as usize > choices.len() => Err(self
                .of("the `min_items` of ")
                .with(" is ")
                .with_number(bound as i128)
                .with(", but there are only ")
                .with_number(choices.len() as i128)
                .with(" choices")),
            ShapeKind::Several { choices, count } => {
                Ok(self.shaped(ShapeKind::Several { choices, count: Bounds { min: Some(bound), ..count } }))
            }
            _ => Err(self.without("min_items", self.limits().0)),
        }
    }

    /// Sets the maximum number of choices.
    pub const fn max_items(self, bound: u32) -> Result<Self, Problem> {
        match self.shape.0 {
            ShapeKind::Several { choices, count } => {
                Ok(self.shaped(ShapeKind::Several { choices, count: Bounds { max: Some(bound), ..count } }))
            }
            _ => Err(self.without("max_items", self.limits().1)),
        }
    }

    /// Sets the format of a text field.
    pub const fn format(self, format: Format) -> Result<Self, Problem> {
        match self.shape.0 {
            ShapeKind::Text { length, format: None } => {
                Ok(self.shaped(ShapeKind::Text { length, format: Some(format) }))
            }
            ShapeKind::Text { format: Some(known), .. } => Err(self
                .of("the type of ")
                .with(" already has the format `")
                .with(known.as_str())
                .with("`; remove `format`, or make the field a `String`")),
            _ => Err(self.without("format", None)),
        }
    }

    /// Publishes the titles of choices in the older notation, `enumNames`.
    pub const fn enum_names(self) -> Result<Self, Problem> {
        match self.shape.0 {
            ShapeKind::One([first, ..]) if first.title.is_none() => Err(self.of("the choices of ").with(
                " have no titles for `enum_names`; write `#[choice(title = \"…\")]` on them, or remove `enum_names`",
            )),
            ShapeKind::One(_) => Ok(Self { enum_names: true, ..self }),
            _ => Err(self.without("enum_names", None)),
        }
    }

    /// Sets the default. Must be called last, because the default is checked against all other rules.
    pub const fn default(self, default: Literal) -> Result<Self, Problem> {
        match self.misfit(default) {
            Some(problem) => Err(problem),
            None => Ok(Self { default: Some(default), ..self }),
        }
    }

    const fn shaped(self, kind: ShapeKind) -> Self {
        Self { shape: Shape(kind), ..self }
    }

    /// Starts an error message with `text` and the name of the field.
    pub(super) const fn of(&self, text: &str) -> Problem {
        Problem::new(text).with("`").with(self.name).with("`")
    }

    /// Starts an error message that says which kind of field this is, such as "`name` is a number".
    pub(super) const fn is(&self) -> Problem {
        self.of("").with(" is ").with(self.shape.0.noun())
    }

    /// Returns an error if `number` is less than the field's minimum or greater than its maximum.
    pub(super) const fn out_of_range(&self, what: &str, number: i128) -> Option<Problem> {
        let ShapeKind::Integer { min, max } = self.shape.0 else { return None };
        if min <= number && number <= max {
            return None;
        }
        let problem = Problem::new("the `").with(what).with("` of `").with(self.name).with("` is ").with_number(number);
        Some(problem.with(", outside its range of ").with_number(min).with(" to ").with_number(max))
    }

    const fn with_a_fraction(&self, rule: &str) -> Problem {
        self.is().with(", so its `").with(rule).with("` cannot have a fraction; write a whole number")
    }

    /// Returns the error for `rule`, a rule that this kind of field does not have. The error suggests `instead`, if
    /// any.
    const fn without(&self, rule: &str, instead: Option<&str>) -> Problem {
        let problem = self.is().with(", which has no `").with(rule).with("`; ");
        match instead {
            Some(instead) => problem.with("write `").with(instead).with("`"),
            None => problem.with("remove it"),
        }
    }

    /// Returns the names of the lower and the upper limit that fields of this kind have.
    const fn limits(&self) -> (Option<&'static str>, Option<&'static str>) {
        match self.shape.0 {
            ShapeKind::Text { format: None, .. } => (Some("min_length"), Some("max_length")),
            ShapeKind::Integer { .. } | ShapeKind::Number { .. } => (Some("min"), Some("max")),
            ShapeKind::Several { .. } => (Some("min_items"), Some("max_items")),
            ShapeKind::Text { .. } | ShapeKind::Boolean | ShapeKind::One(_) => (None, None),
        }
    }
}

impl ShapeKind {
    /// Returns the kind's name in messages.
    const fn noun(self) -> &'static str {
        match self {
            Self::Text { format: None, .. } => "text",
            Self::Text { format: Some(format), .. } => format.noun(),
            Self::Integer { .. } => "a whole number",
            Self::Number { .. } => "a number",
            Self::Boolean => "a boolean",
            Self::One(_) => "a choice",
            Self::Several { .. } => "a list of choices",
        }
    }
}
