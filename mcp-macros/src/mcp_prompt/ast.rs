//! Parses the attribute and the function as a prompt.

use syn::{Attribute, FnArg, PatType, Signature, Type};

use super::argument::Argument;
use crate::{
    docs,
    errors::Errors,
    mcp_tool::ast::{Function, is_named},
    tool::{ArgumentKind, Interface, Origin, Param, ToolAttr, Value, serde_attr::SerdeAttr},
    types,
};

pub(crate) struct Prompt {
    /// The parts that prompts share with tools.
    pub(crate) interface: Interface,
    pub(crate) arguments: Vec<Argument>,
    pub(crate) function: Function,
    /// All `#[mcp_prompt]` attributes on this function except the first. The macro rejects them.
    pub(crate) marked_again: Vec<Attribute>,
}

impl Prompt {
    /// Parses the item. Invalid parts are reported and left out.
    pub(crate) fn new(errors: &mut Errors, attr: ToolAttr, function: Function) -> Self {
        let description = attr.description.clone().or_else(|| docs::text(&function.attrs));
        let (params, arguments) = text_parameters(errors, &function.sig, TextNoun::PROMPT);
        let output = function.output();
        let ident = function.sig.ident.clone();
        let interface = Interface { attr, origin: Origin::Function, ident, description, params, output };
        let marked_again = function.attrs.iter().filter(|attr| is_named(attr, "mcp_prompt")).cloned().collect();
        Self { interface, arguments, marked_again, function: function.stripped() }
    }
}

/// The words for a prompt or a resource in error messages. Both take arguments that are text on the wire.
#[derive(Clone, Copy)]
pub(crate) struct TextNoun {
    /// The word for the item, with its article, such as `a prompt`.
    pub(crate) item: &'static str,
    /// The word for one value, such as `argument` or `variable`. The next field is its article.
    pub(crate) part: &'static str,
    pub(crate) article: &'static str,
    /// Advice on what to write instead of a default.
    pub(crate) default: &'static str,
}

impl TextNoun {
    pub(crate) const PROMPT: Self = Self {
        item: "a prompt",
        part: "argument",
        article: "an",
        default: "; for a default take an `Option` and use `unwrap_or`",
    };
    pub(crate) const RESOURCE: Self = Self { item: "a resource", part: "variable", article: "a", default: "" };
}

/// Reads the parameters of a function. Returns two lists: all parameters, and the parameters that the function takes by
/// value. The parameters in the second list are text on the wire.
pub(crate) fn text_parameters(errors: &mut Errors, sig: &Signature, noun: TextNoun) -> (Vec<Param>, Vec<Argument>) {
    let (mut params, mut arguments) = (Vec::new(), Vec::new());
    for input in &sig.inputs {
        match input {
            FnArg::Receiver(receiver) => errors.push(
                receiver,
                format_args!(
                    "{} cannot take `self`; take shared state as a parameter by reference: `db: &Db`",
                    noun.item
                ),
            ),
            FnArg::Typed(typed) if matches!(types::peel(&typed.ty), Type::Reference(_)) => {
                params.extend(reference(errors, typed, noun));
            }
            FnArg::Typed(typed) => {
                if let Some(argument) = Argument::read(errors, typed, noun) {
                    params.push(Param::Value(Box::new(value(&argument))));
                    arguments.push(argument);
                }
            }
        }
    }
    (params, arguments)
}

/// Reads a parameter by reference, which is the context or shared state.
fn reference(errors: &mut Errors, typed: &PatType, TextNoun { article, part, .. }: TextNoun) -> Option<Param> {
    if let Type::Reference(reference) = types::peel(&typed.ty)
        && types::is_named(types::peel(&reference.elem), "str")
    {
        errors.push(&typed.ty, format_args!("{article} {part} cannot borrow its data; write `String`"));
        return None;
    }
    let mut rest = typed.clone();
    for attr in rest.attrs.extract_if(.., |attr| attr.path().is_ident("complete") || attr.path().is_ident("arg")) {
        errors.push(
            attr,
            "this attribute has no effect, because a parameter by reference does not come from the client; remove the \
             attribute, or take the parameter by value",
        );
    }
    Param::read(errors, &rest)
}

/// Converts the argument to a parameter of a tool, so that `Interface` contains all parameters in the author's order.
fn value(argument: &Argument) -> Value {
    Value {
        kind: ArgumentKind::Parameter,
        ident: argument.ident.clone(),
        ty: argument.ty.clone(),
        attrs: Vec::new(),
        serde: SerdeAttr::default(),
        described_otherwise: false,
        sound: argument.is_sound,
        whole: None,
    }
}
