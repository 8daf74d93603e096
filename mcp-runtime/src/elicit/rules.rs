//! The rules of a field, held against its type while the program is compiled.

use super::{
    field::Field,
    problem::Problem,
    shape::{Bounds, Format, Kind, Literal, Shape},
};

#[allow(clippy::result_large_err, reason = "a constant expression has no boxes, and no program runs this")]
impl Field {
    /// The smallest number.
    pub const fn min(self, bound: Literal) -> Result<Self, Problem> {
        match (self.shape.0, bound) {
            (Kind::Integer { max, .. }, Literal::Integer(bound)) => match self.out_of_range("min", bound) {
                Some(problem) => Err(problem),
                None => Ok(self.shaped(Kind::Integer { min: bound, max })),
            },
            (Kind::Integer { .. }, Literal::Float(_)) => Err(self.with_a_fraction("min")),
            (Kind::Number { max, .. }, Literal::Integer(_) | Literal::Float(_)) => {
                Ok(self.shaped(Kind::Number { min: Some(bound), max }))
            }
            _ => Err(self.without("min", self.limits().0)),
        }
    }

    /// The largest number.
    pub const fn max(self, bound: Literal) -> Result<Self, Problem> {
        match (self.shape.0, bound) {
            (Kind::Integer { min, .. }, Literal::Integer(bound)) => match self.out_of_range("max", bound) {
                Some(problem) => Err(problem),
                None => Ok(self.shaped(Kind::Integer { min, max: bound })),
            },
            (Kind::Integer { .. }, Literal::Float(_)) => Err(self.with_a_fraction("max")),
            (Kind::Number { min, .. }, Literal::Integer(_) | Literal::Float(_)) => {
                Ok(self.shaped(Kind::Number { min, max: Some(bound) }))
            }
            _ => Err(self.without("max", self.limits().1)),
        }
    }

    /// The fewest characters.
    pub const fn min_length(self, bound: u32) -> Result<Self, Problem> {
        match self.shape.0 {
            Kind::Text { length, format } => {
                Ok(self.shaped(Kind::Text { length: Bounds { min: Some(bound), ..length }, format }))
            }
            _ => Err(self.without("min_length", self.limits().0)),
        }
    }

    /// The most characters.
    pub const fn max_length(self, bound: u32) -> Result<Self, Problem> {
        match self.shape.0 {
            Kind::Text { length, format } => {
                Ok(self.shaped(Kind::Text { length: Bounds { max: Some(bound), ..length }, format }))
            }
            _ => Err(self.without("max_length", self.limits().1)),
        }
    }

    /// The fewest choices.
    pub const fn min_items(self, bound: u32) -> Result<Self, Problem> {
        match self.shape.0 {
            Kind::Several { choices, .. } if bound as usize > choices.len() => Err(self
                .of("the `min_items` of ")
                .with(" is ")
                .with_number(bound as i128)
                .with(", and there are only ")
                .with_number(choices.len() as i128)
                .with(" choices")),
            Kind::Several { choices, count } => {
                Ok(self.shaped(Kind::Several { choices, count: Bounds { min: Some(bound), ..count } }))
            }
            _ => Err(self.without("min_items", self.limits().0)),
        }
    }

    /// The most choices.
    pub const fn max_items(self, bound: u32) -> Result<Self, Problem> {
        match self.shape.0 {
            Kind::Several { choices, count } => {
                Ok(self.shaped(Kind::Several { choices, count: Bounds { max: Some(bound), ..count } }))
            }
            _ => Err(self.without("max_items", self.limits().1)),
        }
    }

    /// The format of a text.
    pub const fn format(self, format: Format) -> Result<Self, Problem> {
        match self.shape.0 {
            Kind::Text { length, format: None } => Ok(self.shaped(Kind::Text { length, format: Some(format) })),
            Kind::Text { format: Some(known), .. } => Err(self
                .of("")
                .with(" has the format `")
                .with(known.as_str())
                .with("` by its type; remove `format`, or make it a `String`")),
            _ => Err(self.without("format", None)),
        }
    }

    /// Titles of choices take their old form.
    pub const fn enum_names(self) -> Result<Self, Problem> {
        match self.shape.0 {
            Kind::One([first, ..]) if first.title.is_none() => Err(self.of("the choices of ").with(
                " have no titles for `enum_names`; write `#[choice(title = \"…\")]` on them, or remove `enum_names`",
            )),
            Kind::One(_) => Ok(Self { enum_names: true, ..self }),
            _ => Err(self.without("enum_names", None)),
        }
    }

    /// What the field is when it is left out. The last of the rules: it is held against all others.
    pub const fn default(self, default: Literal) -> Result<Self, Problem> {
        match self.misfit(default) {
            Some(problem) => Err(problem),
            None => Ok(Self { default: Some(default), ..self }),
        }
    }

    const fn shaped(self, kind: Kind) -> Self {
        Self { shape: Shape(kind), ..self }
    }

    /// The beginning of a message, with the name of the field behind it.
    pub(super) const fn of(&self, text: &str) -> Problem {
        Problem::new(text).with("`").with(self.name).with("`")
    }

    /// The beginning of a message: what kind of field it is.
    pub(super) const fn is(&self) -> Problem {
        self.of("").with(" is ").with(self.shape.0.noun())
    }

    /// A whole number that the type does not hold, or that other rules forbid.
    pub(super) const fn out_of_range(&self, what: &str, number: i128) -> Option<Problem> {
        let Kind::Integer { min, max } = self.shape.0 else { return None };
        if min <= number && number <= max {
            return None;
        }
        let problem = Problem::new("the `").with(what).with("` of `").with(self.name).with("` is ").with_number(number);
        Some(problem.with(", outside its range of ").with_number(min).with(" to ").with_number(max))
    }

    const fn with_a_fraction(&self, rule: &str) -> Problem {
        self.is().with(", so its `").with(rule).with("` has no fraction; write a whole number")
    }

    /// A rule that fields of this kind do not have, and the one they have instead.
    const fn without(&self, rule: &str, instead: Option<&str>) -> Problem {
        let problem = self.is().with(", which has no `").with(rule).with("`; ");
        match instead {
            Some(instead) => problem.with("write `").with(instead).with("`"),
            None => problem.with("remove it"),
        }
    }

    /// The rules that limit a field of this kind, below and above.
    const fn limits(&self) -> (Option<&'static str>, Option<&'static str>) {
        match self.shape.0 {
            Kind::Text { format: None, .. } => (Some("min_length"), Some("max_length")),
            Kind::Integer { .. } | Kind::Number { .. } => (Some("min"), Some("max")),
            Kind::Several { .. } => (Some("min_items"), Some("max_items")),
            Kind::Text { .. } | Kind::Boolean | Kind::One(_) => (None, None),
        }
    }
}

impl Kind {
    /// What a message calls it.
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
