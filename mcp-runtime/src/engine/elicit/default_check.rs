//! Checks the default of a field against the field at compile time.

use super::{
    ChoiceEntry,
    field::Field,
    problem::Problem,
    shape::{Bounds, Literal, ShapeKind},
};
use crate::base::const_eq::same;

impl Field {
    /// Returns why the field cannot have this default, or `None` if it can.
    pub(super) const fn misfit(&self, default: Literal) -> Option<Problem> {
        match (self.shape.0, default) {
            (ShapeKind::Text { length, format }, Literal::Text(text)) => match format {
                Some(format) if !format.accepts(text) => {
                    let problem = self.of("the `default` of ").with(" is not ").with(format.noun());
                    Some(self.with_example(problem))
                }
                _ => {
                    self.misfit_count(characters(text), length, ["character", "characters", "min_length", "max_length"])
                }
            },
            (ShapeKind::Integer { .. }, Literal::Integer(number)) => self.out_of_range("default", number),
            (ShapeKind::Number { min, max }, Literal::Integer(_) | Literal::Float(_)) => {
                self.misfit_number(default, min, max)
            }
            (ShapeKind::Boolean, Literal::Bool(_)) => None,
            (ShapeKind::One(choices), Literal::Text(name)) => self.misfit_choice(name, choices),
            (ShapeKind::Several { choices, count }, Literal::List(names)) => {
                let mut index = 0;
                while index < names.len() {
                    if let Some(problem) = self.misfit_choice(names[index], choices) {
                        return Some(problem);
                    }
                    index += 1;
                }
                self.misfit_count(names.len(), count, ["choice", "choices", "min_items", "max_items"])
            }
            _ => {
                let problem = self.is().with(", but its default is ").with(default.noun());
                Some(self.with_example(problem))
            }
        }
    }

    const fn misfit_count(&self, count: usize, bounds: Bounds, words: [&str; 4]) -> Option<Problem> {
        let [one, several, min, max] = words;
        let (side, rule, bound) = match bounds {
            Bounds { min: Some(bound), .. } if count < bound as usize => ("fewer", min, bound),
            Bounds { max: Some(bound), .. } if count > bound as usize => ("more", max, bound),
            _ => return None,
        };
        let problem = self.of("the `default` of ").with(" has ").with_number(count as i128).with(" ");
        let problem = problem.with(if count == 1 { one } else { several }).with(", ").with(side).with(" than its `");
        Some(problem.with(rule).with("` of ").with_number(bound as i128))
    }

    const fn misfit_number(&self, number: Literal, min: Option<Literal>, max: Option<Literal>) -> Option<Problem> {
        let rule = match (min, max) {
            (Some(min), _) if number.to_f64() < min.to_f64() => " is below its `min`",
            (_, Some(max)) if number.to_f64() > max.to_f64() => " is above its `max`",
            _ => return None,
        };
        Some(self.of("the `default` of ").with(rule))
    }

    const fn misfit_choice(&self, name: &str, choices: &[ChoiceEntry]) -> Option<Problem> {
        let mut problem =
            Problem::new("`").with(name).with("` is not a choice of `").with(self.name).with("`; the choices are ");
        let mut index = 0;
        while index < choices.len() {
            if same(choices[index].name, name) {
                return None;
            }
            let between = match choices.len() - index {
                _ if index == 0 => "`",
                1 => " and `",
                _ => ", `",
            };
            problem = problem.with(between).with(choices[index].name).with("`");
            index += 1;
        }
        Some(problem)
    }

    /// Appends an example of a valid default.
    const fn with_example(&self, problem: Problem) -> Problem {
        let problem = problem.with("; write `default = ");
        let problem = match self.shape.0 {
            ShapeKind::Text { format: None, .. } => problem.with("\"text\""),
            ShapeKind::Text { format: Some(format), .. } => problem.with("\"").with(format.example()).with("\""),
            ShapeKind::Integer { .. } => problem.with("3"),
            ShapeKind::Number { .. } => problem.with("0.5"),
            ShapeKind::Boolean => problem.with("true"),
            ShapeKind::One([first, ..]) => problem.with("\"").with(first.name).with("\""),
            ShapeKind::Several { choices: [first, ..], .. } => problem.with("[\"").with(first.name).with("\"]"),
            ShapeKind::One([]) | ShapeKind::Several { choices: [], .. } => problem.with("…"),
        };
        problem.with("`")
    }
}

impl Literal {
    const fn noun(self) -> &'static str {
        match self {
            Self::Text(_) => "text",
            Self::Bool(_) => "a boolean",
            Self::Integer(_) => "a whole number",
            Self::Float(_) => "a number with a fraction",
            Self::List(_) => "a list",
        }
    }

    /// Returns a number as `f64`, for comparisons. Returns 0 for other literals, which are never compared.
    pub(crate) const fn to_f64(self) -> f64 {
        match self {
            Self::Integer(number) => number as f64,
            Self::Float(number) => number,
            Self::Text(_) | Self::Bool(_) | Self::List(_) => 0.0,
        }
    }
}

/// Returns the number of code points in `text`. JSON Schema measures the length of text in code points.
const fn characters(text: &str) -> usize {
    let (mut index, mut count) = (0, 0);
    while index < text.len() {
        count += text.is_char_boundary(index) as usize;
        index += 1;
    }
    count
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::engine::elicit::{
        Shape, TypeOfField,
        schema::{self, Changes},
        shape::Format,
    };

    const CHOICES: &[ChoiceEntry] = &[ChoiceEntry::new("a", None), ChoiceEntry::new("b", None)];

    fn fields() -> Vec<Field> {
        let field = |shape| Field::new("x", TypeOfField { shape, optional: false });
        let ruled = |field: Result<Field, Problem>| field.unwrap_or_else(|problem| panic!("{}", problem.text()));
        let text = ruled(ruled(field(Shape::text()).min_length(2)).max_length(3));
        let whole = ruled(ruled(field(Shape::integer(-128, 127)).min(Literal::Integer(-2))).max(Literal::Integer(9)));
        let number = ruled(ruled(field(Shape::number()).min(Literal::Float(-0.5))).max(Literal::Integer(2)));
        let several = ruled(ruled(field(Shape::several_of(CHOICES)).min_items(1)).max_items(1));
        let others = [
            Shape::text(),
            Shape::integer(i64::MIN, u64::MAX),
            Shape::number(),
            Shape::boolean(),
            Shape::one_of(CHOICES),
            Shape::several_of(CHOICES),
            Shape::formatted(Format::Date),
        ];
        others.into_iter().map(field).chain([text, whole, number, several]).collect()
    }

    /// Returns whether the literal is an accepted value in another notation, such as `3.0` for an integer. An answer
    /// can have that notation, because JSON has one type for all numbers.
    fn is_other_notation(field: &Field, literal: Literal) -> bool {
        matches!((field.shape.0, literal), (ShapeKind::Integer { .. }, Literal::Float(_)))
    }

    #[test]
    fn accepts_a_default_exactly_if_it_is_a_valid_answer() {
        let numbers = [-129, -3, -2, 0, 9, 10, i128::from(u64::MAX) + 1].map(Literal::Integer);
        let fractions = [-0.75, -0.5, 0.0, 2.0, 2.25].map(Literal::Float);
        let texts = ["", "a", "b", "ä", "äö", "äöü", "äöüß", "2024-02-29"].map(Literal::Text);
        let lists: [&[&str]; 5] = [&[], &["a"], &["b", "a"], &["c"], &["a", "c"]];
        let literals = numbers.into_iter().chain(fractions).chain(texts).chain(lists.map(Literal::List));
        let literals: Vec<_> = literals.chain([true, false].map(Literal::Bool)).collect();
        for field in fields() {
            let checker = schema::checker(&[field], &Changes::default());
            for literal in &literals {
                let fits = field.misfit(*literal).is_none();
                let answer = json!({ "x": schema::literal(*literal) }).to_string();
                if fits || !is_other_notation(&field, *literal) {
                    assert_eq!(fits, checker.check(&answer).is_ok(), "{literal:?} for {field:?}");
                }
            }
        }
    }
}
