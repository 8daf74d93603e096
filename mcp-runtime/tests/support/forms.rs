//! What `#[elicits]` makes, by hand.

/// `forms! { Set: Form "key" { CONSTANT field: Type, CONSTANT field: Type => min(Literal::Integer(1)) } }`
macro_rules! forms {
    ($set:ident: $($form:ident $key:literal {
        $($constant:ident $field:ident: $ty:ty $(=> $rule:ident($($value:tt)*))?),* $(,)?
    })*) => {
        #[allow(dead_code)]
        pub(crate) enum $set { $($form($form)),* }

        impl mcp_runtime::Elicits for $set {
            const FORMS: &'static [mcp_runtime::__private::FormEntry] =
                &[$(<$set as mcp_runtime::Includes<$form>>::FORM.entry("")),*];
        }

        $(
            #[derive(Clone, Debug, PartialEq)]
            pub(crate) struct $form { $(pub(crate) $field: $ty),* }

            impl mcp_runtime::Includes<$form> for $set {
                const FORM: mcp_runtime::__private::FormOf<$form> = mcp_runtime::__private::FormOf::new($key);
            }

            const _: () = {
                use mcp_runtime::__private::{Answers, Content, Field, FieldType, FormSchema, Unfit};

                #[allow(non_camel_case_types)]
                enum At { $($field),* }

                const FIELDS: &[Field] = &[$({
                    let field = Field::new(stringify!($field), <$ty as FieldType>::TYPE);
                    $(let field = match field.$rule($($value)*) {
                        Ok(field) => field,
                        Err(_) => panic!("this does not fit the field"),
                    };)?
                    field
                }),*];
                static SCHEMA: FormSchema = FormSchema::new(FIELDS);

                #[allow(dead_code)]
                impl $form {
                    $(pub(crate) const $constant: mcp_runtime::FieldKey<Self, $ty> =
                        mcp_runtime::FieldKey::new(At::$field as usize);)*
                }

                impl mcp_runtime::Form for $form {
                    fn schema() -> &'static FormSchema {
                        &SCHEMA
                    }

                    fn read(answers: &mut Answers) -> Result<Self, Unfit> {
                        Ok(Self { $($field: {
                            let index = At::$field as usize;
                            let answer = answers.take(index);
                            <$ty as FieldType>::read_field(answer).map_err(|reason| answers.unfit(index, &reason))?
                        }),* })
                    }

                    fn write(self, content: &mut Content) {
                        $(content.put(At::$field as usize, self.$field.write_field());)*
                    }
                }
            };
        )*
    };
}
pub(crate) use forms;

/// `choice! { Name: Variant "name" or "title" }`
macro_rules! choice {
    ($name:ident: $($variant:ident $wire:literal $(= $title:literal)?),*) => {
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub(crate) enum $name { $($variant),* }

        impl mcp_runtime::Choice for $name {
            const CHOICES: &'static [mcp_runtime::ChoiceEntry] = &[$({
                #[allow(unused_mut, unused_assignments)]
                let mut title = None;
                $(title = Some($title);)?
                mcp_runtime::ChoiceEntry::new($wire, title)
            }),*];

            fn index(&self) -> usize {
                *self as usize
            }

            fn at(index: usize) -> Option<Self> {
                [$(Self::$variant),*].get(index).copied()
            }
        }

        impl mcp_runtime::FormField for $name {
            const SHAPE: mcp_runtime::Shape = mcp_runtime::Shape::one_of(<Self as mcp_runtime::Choice>::CHOICES);

            fn read(answer: serde_json::Value) -> Result<Self, String> {
                mcp_runtime::__private::read_choice(&answer)
            }

            fn write(self) -> serde_json::Value {
                mcp_runtime::__private::write_choice(&self)
            }
        }
    };
}
pub(crate) use choice;
