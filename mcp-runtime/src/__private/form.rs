//! The runtime part of `#[elicits]`, `#[derive(Form)]` and `#[derive(Choice)]`.

use crate::engine::elicit::{
    Answers, Elicited, Field, FieldType, Form, FormOf, Format, Handled, Literal, Problem, TypeOfField, Unfit, handled,
};

use super::Probe;

/// A field under construction. It stores the first invalid rule and the index of this rule.
#[derive(Clone, Copy)]
pub struct Draft {
    pub field: Field,
    rules: usize,
    broken: Option<(usize, Problem)>,
}

impl Draft {
    pub const fn new(name: &'static str, ty: TypeOfField) -> Self {
        Self { field: Field::new(name, ty), rules: 0, broken: None }
    }

    pub const fn title(self, title: &'static str) -> Self {
        Self { field: self.field.title(title), ..self }
    }

    pub const fn description(self, description: &'static str) -> Self {
        Self { field: self.field.description(description), ..self }
    }

    pub const fn enum_names(self) -> Self {
        self.ruled(self.field.enum_names())
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

    const fn ruled(self, field: Result<Field, Problem>) -> Self {
        let rules = self.rules + 1;
        match (field, self.broken) {
            (Ok(field), broken) => Self { field, rules, broken },
            (Err(problem), None) => Self { rules, broken: Some((self.rules, problem)), ..self },
            (Err(_), Some(_)) => Self { rules, ..self },
        }
    }
}

/// Declares one method for each rule. Each method calls the method of [`Field`] with the same name.
macro_rules! rules {
    ($($rule:ident: $bound:ty),*) => {
        impl Draft {$(
            pub const fn $rule(self, bound: $bound) -> Self {
                self.ruled(self.field.$rule(bound))
            }
        )*}
    };
}

rules!(min: Literal, max: Literal, min_length: u32, max_length: u32, min_items: u32, max_items: u32);
rules!(format: Format, default: Literal);

/// Declares traits that are implemented for the same types and differ in their error messages. The macro uses the trait
/// whose message fits the author's code.
macro_rules! wordings {
    ($($(#[$doc:meta])* $name:ident: $label:literal, $($note:literal),+;)*) => {$(
        $(#[$doc])*
        #[diagnostic::on_unimplemented(
            message = "`{Self}` cannot be a field of a form",
            label = $label,
            $(note = $note),+
        )]
        pub trait $name {
            const TYPE: TypeOfField;
        }

        #[diagnostic::do_not_recommend]
        impl<T: FieldType> $name for T {
            const TYPE: TypeOfField = <T as FieldType>::TYPE;
        }
    )*};
}

wordings! {
    /// For types that match none of the traits below.
    FlatField: "this is not text, a number, a boolean or a choice",
        "a form cannot contain a struct: move its fields into the form, or ask for them with a separate form",
        "to use an enum without data as a field, put `#[derive(Choice)]` on the enum",
        "a field can be a `String`, a `bool`, a number, an `Email`, a choice, a `MultiSelect` of choices, or an \
         `Option` of any of these types; to use your own type as a field, implement `FormField` for it";
    /// For `Vec` and similar types.
    NotAList: "a form cannot contain a list",
        "to let users select several choices, write `MultiSelect<E>`, where `E` is an enum with `#[derive(Choice)]`",
        "for other values, ask for one value at a time, or ask for one text that the tool parses";
    /// For `HashSet` and similar types.
    NotASet: "a form cannot contain a set",
        "to let users select several choices, write `MultiSelect<E>`, where `E` is an enum with `#[derive(Choice)]`";
    /// For `HashMap` and similar types.
    NotAMap: "a form cannot contain a map",
        "the fields of a form are fixed at compile time: write a separate field for each key";
    /// For `(A, B)`.
    NotATuple: "a form cannot contain a tuple",
        "write a separate field for each part of the tuple";
    /// For `&T`.
    NotABorrow: "a form cannot contain a reference",
        "write `String` instead of `&str`; for any other `&T`, write `T`";
    /// For `Box` and similar types.
    NotABox: "a field cannot be a `Box` or a similar wrapper",
        "write the inner type without its wrapper";
    /// For `Option<Option<T>>`.
    NotTwiceOptional: "this field is optional twice",
        "one `Option` already lets the user leave the field empty: remove the other one";
    /// For `MultiSelect<T>`.
    OfChoices: "the type inside `MultiSelect` is not a choice",
        "`MultiSelect` needs an enum without data: put `#[derive(Choice)]` on that enum";
}

/// A type that a variant of a set can wrap. It must be a struct with `#[derive(Form)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a form",
    label = "not a struct with `#[derive(Form)]`",
    note = "a variant must wrap a struct with `#[derive(Form)]`, or list the fields: `Confirm {{ confirmed: bool }}`"
)]
pub trait AForm: Sized {
    const FORM: FormOf<Self>;
}

#[diagnostic::do_not_recommend]
impl<F: Form> AForm for F {
    const FORM: FormOf<Self> = FormOf::new("");
}

// The methods of probes start with `__`, so that they never clash with methods of the author's traits.

const REJECTED: &str = "this type was rejected at compile time";

pub trait ReadField<T> {
    fn __read(&self, answers: &mut Answers, index: usize) -> Result<T, Unfit>;
}

impl<T: FieldType> ReadField<T> for Probe<T> {
    fn __read(&self, answers: &mut Answers, index: usize) -> Result<T, Unfit> {
        answers.read(index, T::read_field)
    }
}

pub trait ReadNoField<T> {
    fn __read(&self, _answers: &mut Answers, _index: usize) -> Result<T, Unfit> {
        unreachable!("{REJECTED}")
    }
}

impl<T> ReadNoField<T> for &Probe<T> {}

pub trait WriteField<T> {
    fn __write(&self, content: &mut Answers, index: usize, value: T);
}

impl<T: FieldType> WriteField<T> for Probe<T> {
    fn __write(&self, content: &mut Answers, index: usize, value: T) {
        content.put(index, value.write_field());
    }
}

pub trait WriteNoField<T> {
    fn __write(&self, _content: &mut Answers, _index: usize, _value: T) {
        unreachable!("{REJECTED}")
    }
}

impl<T> WriteNoField<T> for &Probe<T> {}

pub trait HandleForm<F> {
    fn __handled(&self, answer: Elicited<F>) -> Handled;
}

impl<F: Form> HandleForm<F> for Probe<F> {
    fn __handled(&self, answer: Elicited<F>) -> Handled {
        handled(answer)
    }
}

pub trait HandleNoForm<F> {
    fn __handled(&self, _answer: Elicited<F>) -> Handled {
        unreachable!("{REJECTED}")
    }
}

impl<F> HandleNoForm<F> for &Probe<F> {}

/// `read!(answers, 0, Type)` reads a field from the answer.
#[doc(hidden)]
#[macro_export]
macro_rules! __mcp_read {
    ($answers:ident, $index:literal, $ty:ty) => {{
        use $crate::__private::{ReadField as _, ReadNoField as _};
        (&$crate::__private::Probe::<$ty>::NEW).__read($answers, $index)?
    }};
}

/// `write!(content, 0, Type, value)` writes a field to the answer.
#[doc(hidden)]
#[macro_export]
macro_rules! __mcp_write {
    ($content:ident, $index:literal, $ty:ty, $value:expr) => {{
        use $crate::__private::{WriteField as _, WriteNoField as _};
        (&$crate::__private::Probe::<$ty>::NEW).__write($content, $index, $value);
    }};
}

/// `handled!(Form, answer)` converts the form in an application's answer to JSON values.
#[doc(hidden)]
#[macro_export]
macro_rules! __mcp_handled {
    ($form:ty, $answer:expr) => {{
        use $crate::__private::{HandleForm as _, HandleNoForm as _};
        let answer = $answer;
        (&$crate::__private::Probe::<$form>::NEW).__handled(answer)
    }};
}
