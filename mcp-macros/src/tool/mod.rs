//! The parts of a tool that all macros share: its keys, its parameters and its definition.

pub(crate) mod argument;
mod attr;
pub(crate) mod called;
pub(crate) mod check;
mod check_rules;
mod constraint;
pub(crate) mod expand;
mod field;
mod foreign;
pub(crate) mod param;
pub(crate) mod receiver;
mod scopes;
pub(crate) mod serde_attr;
pub(crate) mod view;
pub(crate) mod warnings;

use syn::{Attribute, Expr, FnArg, Ident, Signature, Type, ext::IdentExt};

use crate::words;

pub(crate) use self::{
    attr::{ToolAttr, duration_of},
    param::{Param, Value},
};

/// The published definition of a tool, and its parameters.
pub(crate) struct Interface {
    pub(crate) attr: ToolAttr,
    pub(crate) origin: Origin,
    /// The identifier that becomes the name of the tool, unless `name = …` is set.
    pub(crate) ident: Ident,
    pub(crate) description: Option<Expr>,
    /// The parameters of the function that takes the arguments.
    pub(crate) params: Vec<Param>,
    pub(crate) output: Type,
}

/// Where an argument is declared. Only messages depend on this.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ArgumentKind {
    /// A parameter of a function that the server publishes, such as a tool or a prompt.
    Parameter,
    /// A parameter of a method of a contract.
    Input,
    /// A field of a tool for a model.
    Field,
}

/// The item from which the tool is generated.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// `#[mcp_tool]` on a function.
    Function,
    /// `#[handoff]` on the `impl` block of a type.
    Phases,
    /// `#[contract]` on the trait or the `impl` block of a method, or `#[action]` on a method.
    Method,
    /// `#[mcp_actions]` on the `impl` block of a type.
    Actions,
}

impl Interface {
    /// Returns the name by which the client calls the tool.
    pub(crate) fn wire_name(&self) -> String {
        match &self.attr.name {
            Some(name) => name.value(),
            None => self.origin.name(&self.ident),
        }
    }

    /// Returns the name of the registration type. The type can have the same name as the function, because types and
    /// functions have separate namespaces.
    pub(crate) fn registered(&self) -> &Ident {
        self.attr.register.as_ref().unwrap_or(&self.ident)
    }

    /// Returns the types of the parameters that are taken by reference.
    pub(crate) fn references(&self) -> impl Iterator<Item = &Type> {
        self.params.iter().filter_map(|param| match param {
            Param::Value(_) => None,
            Param::Reference(reference) => Some(&*reference.ty),
        })
    }

    /// Returns the parameters that are taken by value.
    pub(crate) fn values(&self) -> impl Iterator<Item = &Value> + Clone {
        self.params.iter().filter_map(|param| match param {
            Param::Value(value) => Some(&**value),
            Param::Reference(_) => None,
        })
    }
}

impl Origin {
    /// Returns the default name of a tool.
    fn name(self, ident: &Ident) -> String {
        match self {
            Self::Function | Self::Method => ident.unraw().to_string(),
            Self::Phases | Self::Actions => words::snake(ident),
        }
    }

    /// Returns the kind of item, for messages.
    pub(crate) fn noun(self) -> &'static str {
        match self {
            Self::Function => "function",
            Self::Phases | Self::Actions => "type",
            Self::Method => "method",
        }
    }

    /// Returns the place for the doc comment of the tool, as text for messages.
    pub(crate) fn documented(self) -> &'static str {
        match self {
            Self::Function | Self::Method => "",
            Self::Phases | Self::Actions => " above the `impl`",
        }
    }
}

/// Removes all attributes of the parameters, except lint levels.
pub(crate) fn strip(sig: &mut Signature) {
    for input in &mut sig.inputs {
        let attrs = match input {
            FnArg::Receiver(receiver) => &mut receiver.attrs,
            FnArg::Typed(typed) => &mut typed.attrs,
        };
        attrs.retain(is_lint_level);
    }
}

/// Returns whether the attribute sets the level of a lint.
pub(crate) fn is_lint_level(attr: &Attribute) -> bool {
    ["allow", "deny", "expect", "forbid", "warn"].iter().any(|level| attr.path().is_ident(level))
}
