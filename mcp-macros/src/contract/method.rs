//! Parses one method.

use syn::{Attribute, FnArg, PatType, ReturnType, Signature, Type, parse_quote, parse_quote_spanned};

use super::method_attr::{MethodAttr, Route};
use crate::{
    docs,
    errors::Errors,
    tool::{self, ArgumentKind, Interface, Origin, Param, receiver::is_shared},
    types::{self, Borrow},
};

pub(crate) struct Method {
    pub(crate) interface: Interface,
    pub(crate) route: Route,
    /// The author's signature, without the attributes that only the macro reads.
    pub(crate) sig: Signature,
}

impl Method {
    /// Parses a method, and removes the attributes that only the macro reads. Returns `None` if the method is hidden or
    /// takes no `self`. `this` is the type of the `impl` block. In a trait, this type is unknown.
    pub(crate) fn take(
        errors: &mut Errors,
        attrs: &mut Vec<Attribute>,
        sig: &mut Signature,
        this: Option<&Type>,
    ) -> Option<Self> {
        let MethodAttr { mut tool, hidden, route } = MethodAttr::take(errors, attrs);
        if hidden {
            return None;
        }
        match sig.receiver() {
            None => {
                let place = if this.is_some() { "`impl` block" } else { "trait" };
                errors.push(
                    &sig.ident,
                    format_args!(
                        "a method of a contract takes `&self`; add it, move this function to another {place}, \
                         or hide it with `#[method(hidden)]`"
                    ),
                );
                return None;
            }
            Some(receiver) if !is_shared(receiver) => {
                errors.push(
                    receiver,
                    "a method must take `&self`, because calls that run at the same time share the service",
                );
            }
            Some(_) => {}
        }
        let description = tool.description.clone().or_else(|| docs::text(attrs));
        let params = params(errors, sig, this);
        let output = output(errors, sig, this);
        let ident = sig.ident.clone();
        tool::strip(sig);
        set_conventional_hints(&mut tool, &ident.to_string());
        let interface = Interface { attr: tool, origin: Origin::Method, ident, description, params, output };
        Some(Self { interface, route, sig: sig.clone() })
    }
}

fn params(errors: &mut Errors, sig: &Signature, this: Option<&Type>) -> Vec<Param> {
    let typed = sig.inputs.iter().filter_map(|input| match input {
        FnArg::Receiver(_) => None,
        FnArg::Typed(typed) => Some(typed),
    });
    let typed: Vec<_> = typed.collect();
    let values = typed.iter().filter(|param| !matches!(types::peel(&param.ty), Type::Reference(_))).count();
    typed
        .into_iter()
        .filter_map(|param| {
            let mut param = param.clone();
            *param.ty = known(errors, &param.ty, this)?;
            if values == 1 && is_input(&param) {
                param.attrs.push(parse_quote!(#[params]));
            }
            if is_never_the_context(&param.ty) {
                errors.push(
                    &param.ty,
                    "the only reference that a method can take is `&Ctx`; take inputs by value, and keep shared state \
                     in the service, which is `&self`",
                );
                return None;
            }
            let mut param = Param::read(errors, &param)?;
            if let Param::Value(value) = &mut param {
                value.kind = ArgumentKind::Input;
            }
            Some(param)
        })
        .collect()
}

/// Returns whether the parameter is named `input`, as in `input: CreateTodo`. Such a parameter takes the whole
/// arguments object.
fn is_input(param: &PatType) -> bool {
    matches!(&*param.pat, syn::Pat::Ident(name) if name.ident == "input")
        && !param.attrs.iter().any(|attr| attr.path().is_ident("params"))
}

/// Returns whether the type is a reference that is never a `&Ctx`: a reference to a type without a name, or a mutable
/// one. A trait of the runtime checks whether a named type is the context. Other checks report `&str`, `&[T]` and
/// `&mut Ctx`.
fn is_never_the_context(ty: &Type) -> bool {
    let Type::Reference(reference) = types::peel(ty) else { return false };
    match types::peel(&reference.elem) {
        Type::Slice(_) => false,
        elem @ Type::Path(_) => reference.mutability.is_some() && !types::is_context(elem),
        _ => true,
    }
}

/// Replaces `Self` in the type with the type of the `impl` block. In a trait, reports `Self` as an error.
fn known(errors: &mut Errors, ty: &Type, this: Option<&Type>) -> Option<Type> {
    match this {
        Some(this) => Some(types::named(ty, this)),
        None if types::borrow(ty) == Some(Borrow::SelfType) => {
            errors.push(ty, "`Self` has no meaning for the callers of a contract; write the name of a type");
            None
        }
        None => Some(ty.clone()),
    }
}

fn output(errors: &mut Errors, sig: &Signature, this: Option<&Type>) -> Type {
    match &sig.output {
        ReturnType::Default => parse_quote_spanned!(sig.ident.span()=> ()),
        ReturnType::Type(_, output) => known(errors, output, this).unwrap_or_else(|| parse_quote!(())),
    }
}

/// Sets hints by the name of the method, such as `read_only` for `list`. Hints that the author sets are kept.
fn set_conventional_hints(attr: &mut tool::ToolAttr, name: &str) {
    let is_true = |flag: &Option<syn::LitBool>| flag.as_ref().is_some_and(|flag| flag.value);
    let yes = || Some(parse_quote!(true));
    match name {
        "list" | "get" | "search" if attr.read_only.is_none() && !is_true(&attr.destructive) => attr.read_only = yes(),
        "delete" if attr.destructive.is_none() && !is_true(&attr.read_only) => attr.destructive = yes(),
        "update" if attr.idempotent.is_none() => attr.idempotent = yes(),
        _ => {}
    }
}
