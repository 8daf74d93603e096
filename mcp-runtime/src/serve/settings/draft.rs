//! A definition under construction, which constants of generated code check at compile time.

use super::{
    definition::{SettingDefinition, SettingKind},
    reserved,
    value::TypeOfSetting,
};
use crate::{
    base::const_eq::same,
    engine::elicit::{Field, Literal, Problem, ShapeKind, TypeOfField},
};

/// A setting under construction. It stores the first invalid rule and the index of this rule.
#[derive(Clone, Copy)]
pub struct SettingDraft {
    /// What is declared so far.
    pub definition: SettingDefinition,
    is_optional: bool,
    rules: usize,
    broken: Option<(usize, Problem)>,
}

impl SettingDraft {
    /// Creates a setting with these names: the key in the settings file, the variable and the option.
    pub const fn new(name: &'static str, env: &'static str, flag: &'static str, ty: TypeOfSetting) -> Self {
        let TypeOfSetting { of_value, check, is_optional, is_list } = ty;
        let field = Field::new(name, TypeOfField { shape: of_value.shape, optional: is_optional });
        let kind = match of_value.shape.0 {
            ShapeKind::Text { .. } => SettingKind::Text,
            ShapeKind::Integer { .. } | ShapeKind::Number { .. } => SettingKind::Number,
            ShapeKind::Boolean => SettingKind::Boolean,
            ShapeKind::One(_) | ShapeKind::Several { .. } => SettingKind::Choice,
        };
        let mut definition = SettingDefinition {
            field,
            kind,
            is_list,
            is_secret: of_value.is_secret,
            expected: of_value.expected,
            check,
            env,
            flag: if of_value.is_secret { None } else { Some(flag) },
        };
        // As for the options of other programs: it is off until somebody turns it on.
        if matches!(kind, SettingKind::Boolean) && !is_optional && !is_list && !of_value.is_secret {
            definition.field.default = Some(Literal::Bool(false));
        }
        Self { definition, is_optional, rules: 0, broken: None }
    }

    /// Sets the name that is shown to users.
    pub const fn title(mut self, title: &'static str) -> Self {
        self.definition.field = self.definition.field.title(title);
        self
    }

    /// Sets the description.
    pub const fn description(mut self, description: &'static str) -> Self {
        self.definition.field = self.definition.field.description(description);
        self
    }

    /// Checks that the type hides the value.
    pub const fn secret(self) -> Self {
        let problem = self.of("the type of ").with(
            " does not hide its value, so `Debug` and errors would show it; write `Secret<String>`, which is always a secret",
        );
        self.ruled(if self.definition.is_secret { None } else { Some(problem) })
    }

    /// Sets what a path leads to.
    pub const fn kind(mut self, kind: SettingKind) -> Self {
        let is_text = matches!(self.definition.field.shape.0, ShapeKind::Text { format: None, .. });
        let problem = if self.definition.is_secret {
            Some(self.of("").with(" is a secret, not a path; remove `kind`: a secret can always be set with a file"))
        } else if is_text {
            None
        } else {
            Some(self.of("").with(" is not a path; write the type `PathBuf`, or remove `kind`"))
        };
        if problem.is_none() {
            self.definition.kind = kind;
        }
        self.ruled(problem)
    }

    /// Sets the smallest value of a number.
    pub const fn min(self, limit: Literal) -> Self {
        self.limited("min", self.definition.field.min(limit))
    }

    /// Sets the largest value of a number.
    pub const fn max(self, limit: Literal) -> Self {
        self.limited("max", self.definition.field.max(limit))
    }

    const fn limited(mut self, rule: &str, field: Result<Field, Problem>) -> Self {
        let problem = match field {
            _ if !matches!(self.definition.kind, SettingKind::Number) => {
                let problem = self.of("").with(" is not a number, so it has no `").with(rule).with("`; remove `");
                Some(problem.with(rule).with("`"))
            }
            Ok(field) => {
                self.definition.field = field;
                None
            }
            Err(problem) => Some(problem),
        };
        self.ruled(problem)
    }

    /// Checks that the setting can have an option, whose name was given to [`new`](Self::new).
    pub const fn flag(self, _: &'static str) -> Self {
        let problem = self.of("").with(
            " is a secret, and other users of the machine can read command lines, so it has no option; remove `flag`: \
             the secret is set with its variable, with a file, or in the settings file",
        );
        self.ruled(if self.definition.is_secret { Some(problem) } else { None })
    }

    /// Sets the default.
    pub const fn default(mut self, default: Literal) -> Self {
        let problem = if self.definition.is_secret {
            Some(self.of("").with(" is a secret, and anyone can read a default in the program; remove `default`"))
        } else if self.is_optional {
            Some(
                self.of("")
                    .with(" is an `Option`, which never needs its default; remove the `Option` or the `default`"),
            )
        } else if self.definition.is_list {
            self.misfit_of_list(default)
        } else {
            match self.definition.field.default(default) {
                Ok(field) => {
                    self.definition.field = field;
                    None
                }
                Err(problem) => Some(problem),
            }
        };
        if problem.is_none() {
            self.definition.field.default = Some(default);
        }
        self.ruled(problem)
    }

    const fn misfit_of_list(&self, default: Literal) -> Option<Problem> {
        let Literal::List(texts) = default else {
            return Some(self.of("").with(" is a list; write `default = [\"one\", \"two\"]`"));
        };
        if !matches!(self.definition.field.shape.0, ShapeKind::Text { .. } | ShapeKind::One(_)) {
            return Some(
                self.of("").with(" is a list of numbers or booleans, which cannot have a default; remove `default`"),
            );
        }
        let mut index = 0;
        while index < texts.len() {
            if let Err(problem) = self.definition.field.default(Literal::Text(texts[index])) {
                return Some(problem);
            }
            index += 1;
        }
        None
    }

    /// If the rule at this index is the first invalid rule, panics with the message about this rule.
    #[track_caller]
    pub const fn holds(&self, rule: usize) {
        if let Some((broken, problem)) = &self.broken
            && *broken == rule
        {
            panic!("{}", problem.text());
        }
    }

    /// Panics if a setting of the server or one of the `others` has the name, the variable or the option.
    #[track_caller]
    pub const fn is_alone(&self, others: &[SettingDefinition]) {
        let own = &self.definition;
        let mut problem = match own.field.shape.0 {
            ShapeKind::Several { .. } => Some(self.of("the list ").with(" must be a `Vec`, not a `MultiSelect`")),
            _ => reserved::problem(own),
        };
        let mut index = 0;
        while index < others.len() && problem.is_none() {
            problem = own.clash(&others[index]);
            index += 1;
        }
        if let Some(problem) = problem {
            panic!("{}", problem.text());
        }
    }

    const fn of(&self, text: &str) -> Problem {
        Problem::new(text).with("`").with(self.definition.field.name).with("`")
    }

    const fn ruled(self, problem: Option<Problem>) -> Self {
        let broken = match (problem, self.broken) {
            (Some(problem), None) => Some((self.rules, problem)),
            (_, broken) => broken,
        };
        Self { rules: self.rules + 1, broken, ..self }
    }
}

impl SettingDefinition {
    /// Returns why a server cannot have both settings, if it cannot.
    pub(crate) const fn clash(&self, other: &Self) -> Option<Problem> {
        if same(self.field.name, other.field.name) {
            let problem = Problem::new("two settings have the name `").with(self.field.name);
            return Some(problem.with("`; write `#[setting(rename = \"…\")]` on one"));
        }
        if same(self.env, other.env) {
            let problem = Problem::new("two settings have the variable `").with(self.env);
            return Some(problem.with("`; write `#[setting(env = \"…\")]` on one"));
        }
        // `APP_TOKEN_FILE` names the file of the secret `APP_TOKEN`.
        if is_file_of(self.env, other) || is_file_of(other.env, self) {
            let problem = Problem::new("the variable of `").with(self.field.name).with("` or `").with(other.field.name);
            return Some(
                problem.with("` also names the file of the other, a secret; write `#[setting(env = \"…\")]` on one"),
            );
        }
        match (self.flag, other.flag) {
            (Some(flag), Some(same_flag)) if same(flag, same_flag) => {
                let problem = Problem::new("two settings have the option `--").with(flag);
                Some(problem.with("`; write `#[setting(flag = \"…\")]` on one"))
            }
            _ => None,
        }
    }
}

/// Returns whether the variable names the file of this secret.
const fn is_file_of(env: &str, secret: &SettingDefinition) -> bool {
    let (env, name) = (env.as_bytes(), secret.env.as_bytes());
    if !secret.is_secret || env.len() != name.len() + 5 {
        return false;
    }
    let mut index = 0;
    while index < env.len() {
        let expected = if index < name.len() { name[index] } else { b"_FILE"[index - name.len()] };
        if env[index] != expected {
            return false;
        }
        index += 1;
    }
    true
}
