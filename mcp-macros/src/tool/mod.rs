//! What every tool is made of, whichever macro it comes from: its keys, its parameters, its definition.

pub(crate) mod argument;
mod attr;
pub(crate) mod check;
mod constraint;
pub(crate) mod expand;
mod field;
mod foreign;
mod param;
mod scopes;
pub(crate) mod serde_attr;

use syn::{Expr, FnArg, Ident, Signature, Type, ext::IdentExt};

use crate::words;

pub(crate) use self::{
    attr::ToolAttr,
    param::{Param, Value},
};

/// What is published about a tool, and what it takes from outside.
pub(crate) struct Interface {
    pub(crate) attr: ToolAttr,
    pub(crate) origin: Origin,
    /// What the tool is named after, unless `name = …` says otherwise.
    pub(crate) ident: Ident,
    pub(crate) description: Option<Expr>,
    /// Of the function that takes the arguments.
    pub(crate) params: Vec<Param>,
    pub(crate) output: Type,
}

/// Where a value that a model wrote arrives. It decides the words, and nothing else.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// A parameter of a tool of the server.
    Parameter,
    /// A field of a tool that only a model calls.
    Field,
}

/// What a macro has made the tool of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// `#[mcp_tool]` on a function.
    Function,
    /// `#[handoff]` on the `impl` block of a type.
    Phases,
}

impl Interface {
    /// What the client calls.
    pub(crate) fn wire_name(&self) -> String {
        match &self.attr.name {
            Some(name) => name.value(),
            None => self.origin.name(&self.ident),
        }
    }

    /// The types taken by reference.
    pub(crate) fn references(&self) -> impl Iterator<Item = &Type> {
        self.params.iter().filter_map(|param| match param {
            Param::Value(_) => None,
            Param::Reference(reference) => Some(&*reference.ty),
        })
    }

    /// The parameters by value.
    pub(crate) fn values(&self) -> impl Iterator<Item = &Value> + Clone {
        self.params.iter().filter_map(|param| match param {
            Param::Value(value) => Some(&**value),
            Param::Reference(_) => None,
        })
    }
}

impl Origin {
    /// The name of a tool that has no other.
    fn name(self, ident: &Ident) -> String {
        match self {
            Self::Function => ident.unraw().to_string(),
            Self::Phases => words::snake(ident),
        }
    }

    /// What the tool is named after, as messages call it.
    pub(crate) fn noun(self) -> &'static str {
        match self {
            Self::Function => "function",
            Self::Phases => "type",
        }
    }

    /// Where the doc comment of the tool stands, as messages say it.
    pub(crate) fn documented(self) -> &'static str {
        match self {
            Self::Function => "",
            Self::Phases => " above the `impl`",
        }
    }
}

/// Takes away what the macro has read from the parameters.
pub(crate) fn strip(sig: &mut Signature) {
    for input in &mut sig.inputs {
        let attrs = match input {
            FnArg::Receiver(receiver) => &mut receiver.attrs,
            FnArg::Typed(typed) => &mut typed.attrs,
        };
        attrs
            .retain(|attr| ["allow", "deny", "expect", "forbid", "warn"].iter().any(|lint| attr.path().is_ident(lint)));
    }
}
