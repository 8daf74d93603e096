//! Parses the parameters. A parameter by value is an argument from the model. A parameter by reference is state of the
//! server or the context of the call.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Attribute, Ident, LitStr, Meta, Pat, PatType, Path, Type, TypeReference, ext::IdentExt};

use super::{
    ArgumentKind, is_lint_level,
    serde_attr::{self, SerdeAttr},
};
use crate::{
    errors::Errors,
    types::{self, Borrow},
};

pub(crate) enum Param {
    Value(Box<Value>),
    Reference(Reference),
}

/// A parameter that the tool takes by value. It is an argument of the call.
pub(crate) struct Value {
    pub(crate) kind: ArgumentKind,
    pub(crate) ident: Ident,
    pub(crate) ty: Type,
    /// The attributes that the deserializer and the schema use: doc comments and `#[schemars]`.
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) serde: SerdeAttr,
    /// Whether the schema comes from another type or from a function, and not from the parameter's own type.
    pub(crate) described_otherwise: bool,
    /// Whether the parameter has no errors.
    pub(crate) sound: bool,
    /// The tokens, such as `#[params]`, that make this parameter take the whole arguments object. `None` for any other
    /// parameter.
    pub(crate) whole: Option<TokenStream>,
}

/// A parameter that the tool takes by reference. Its type decides whether it is the context of the call or shared
/// state.
pub(crate) struct Reference {
    pub(crate) ty: Box<Type>,
}

/// The error message for an argument that borrows data.
pub(super) const OWNED: &str =
    "an argument cannot borrow its data; write `String` instead of `&str`, `Vec<T>` instead of `&[T]`";

impl Param {
    pub(crate) fn read(errors: &mut Errors, typed: &PatType) -> Option<Self> {
        match types::peel(&typed.ty) {
            Type::Reference(reference) => Reference::read(errors, typed, reference).map(Self::Reference),
            _ => Value::read(errors, typed).map(|value| Self::Value(Box::new(value))),
        }
    }
}

impl Value {
    /// Returns the name of the argument.
    pub(crate) fn wire_name(&self) -> LitStr {
        match &self.serde.rename {
            Some(name) => name.clone(),
            None => LitStr::new(&self.ident.unraw().to_string(), self.ident.span()),
        }
    }

    fn read(errors: &mut Errors, typed: &PatType) -> Option<Self> {
        let mistakes = errors.count();
        let whole = typed.attrs.iter().find(|attr| attr.path().is_ident("params"));
        let whole = whole.map(ToTokens::to_token_stream);
        let mut attrs = attrs(errors, typed);
        let (mut serde, mut schemars) = (SerdeAttr::default(), Vec::new());
        if whole.is_some() {
            for attr in typed.attrs.iter().filter(|attr| describes(attr)) {
                errors.push(
                    attr,
                    "`#[params]` takes the whole arguments object; move this attribute to the type or its fields",
                );
            }
            attrs.clear();
        } else {
            serde = SerdeAttr::read(errors, &typed.attrs, ArgumentKind::Parameter);
            schemars = serde_attr::schemars_keys(errors, &typed.attrs);
        }
        let name = name(errors, &typed.pat);
        if let Some(ident) = name.as_ref().filter(|_| whole.is_none() && serde.rename.is_none()) {
            serde.rename = published(ident);
        }
        if !owns_itself(errors, &typed.ty) {
            return None;
        }
        let described_otherwise = serde_attr::describes_otherwise(&schemars);
        let (ident, ty, sound) = (name?, (*typed.ty).clone(), errors.count() == mistakes);
        Some(Self { kind: ArgumentKind::Parameter, ident, ty, attrs, serde, described_otherwise, sound, whole })
    }
}

impl Reference {
    fn read(errors: &mut Errors, typed: &PatType, reference: &TypeReference) -> Option<Self> {
        if !matches!(&*typed.pat, Pat::Wild(_)) {
            name(errors, &typed.pat);
        }
        for attr in &typed.attrs {
            if describes(attr) || attr.path().is_ident("params") {
                errors.push(
                    attr,
                    "this attribute has no effect, because a parameter by reference does not come from the model; \
                     remove the attribute, or take the parameter by value",
                );
            }
        }
        attrs(errors, typed);
        let elem = types::peel(&reference.elem);
        let problem = if reference.mutability.is_some() {
            taken_mutably(elem)
        } else if types::is_named(elem, "str") {
            "text from the model cannot be taken by reference; take it by value: `String`".to_owned()
        } else if let Type::Slice(slice) = elem {
            let item = &slice.elem;
            let item = quote!(#item);
            format!("a list from the model cannot be taken by reference; take it by value: `Vec<{item}>`")
        } else if let Type::TraitObject(object) = elem {
            let object = quote!(#object);
            format!("the type of shared state must be sized; take `&Arc<{object}>`")
        } else if let Type::Reference(_) = elem {
            "a parameter by reference must have only one `&`; remove the other".to_owned()
        } else if reference.lifetime.as_ref().is_some_and(|lifetime| lifetime.ident == "static") {
            "state cannot be borrowed for `'static`; write `&` without a lifetime".to_owned()
        } else {
            match types::borrow(elem) {
                None => return Some(Self { ty: Box::new(elem.clone()) }),
                Some(Borrow::Impl) => "the type of a parameter cannot contain `impl`; write a concrete type".to_owned(),
                Some(Borrow::SelfType) => {
                    "`Self` has no meaning in a free function; write the name of the type".to_owned()
                }
                Some(Borrow::Reference | Borrow::Lifetime) => {
                    "the type of shared state cannot borrow data; write a type without lifetimes".to_owned()
                }
            }
        };
        errors.push(&typed.ty, problem);
        None
    }
}

/// Returns the error for a parameter `&mut T`. Only the words depend on the name of `T`.
fn taken_mutably(elem: &Type) -> String {
    let name = types::plain(elem);
    if types::is_context(elem) {
        return format!("the context cannot be taken by `&mut`, and its methods need only `&`; write `&{name}`");
    }
    format!(
        "state cannot be taken by `&mut`, because calls share it; take `&Mutex<{name}>` and lock it, or `&{name}` if \
         this is the context"
    )
}

/// Returns whether an attribute describes an argument.
fn describes(attr: &Attribute) -> bool {
    ["doc", "serde", "schemars"].iter().any(|name| attr.path().is_ident(name))
}

/// Returns the name without leading underscores, such as `query` for `_query`. Returns `None` if `ident` has no leading
/// underscores, or if no letter follows them. An underscore only silences the lint for unused parameters.
pub(crate) fn published(ident: &Ident) -> Option<LitStr> {
    let own = ident.to_string();
    let name = own.trim_start_matches('_');
    let is_other = name.len() < own.len() && name.starts_with(|c: char| c.is_alphabetic());
    is_other.then(|| LitStr::new(name, ident.span()))
}

/// Returns the name of a parameter. Reports an error if the pattern is not a plain name.
pub(crate) fn name(errors: &mut Errors, pattern: &Pat) -> Option<Ident> {
    match pattern {
        Pat::Ident(pattern) if pattern.by_ref.is_none() && pattern.subpat.is_none() => Some(pattern.ident.clone()),
        _ => {
            errors.push(pattern, "a parameter must be a plain name; destructure the value inside the function");
            None
        }
    }
}

/// Returns whether the type owns its data. If not, reports an error, because an argument must own its data.
pub(crate) fn owns_itself(errors: &mut Errors, ty: &Type) -> bool {
    let message = match types::borrow(ty) {
        None => return true,
        Some(Borrow::Reference | Borrow::Lifetime) => OWNED,
        Some(Borrow::Impl) => "the type of a parameter cannot contain `impl`; write a concrete type",
        Some(Borrow::SelfType) => "`Self` has no meaning in a free function; write the name of the type",
    };
    errors.push(ty, message);
    false
}

/// Returns the error for an attribute that a parameter cannot have.
fn unknown(path: &Path) -> String {
    let is = |names: &[&str]| names.iter().any(|name| path.is_ident(name));
    let instead = if is(&["description", "desc"]) {
        "; to describe the parameter, write a doc comment: `/// …`"
    } else if is(&["default"]) {
        "; for a default, write `#[serde(default = …)]`"
    } else {
        ""
    };
    format!(
        "unknown attribute on a parameter; allowed are doc comments, `#[serde]`, `#[schemars]` and `#[params]`{instead}"
    )
}

/// Returns the attributes to keep. Reports attributes that have no meaning on a parameter.
fn attrs(errors: &mut Errors, typed: &PatType) -> Vec<Attribute> {
    let mut kept = Vec::new();
    for attr in &typed.attrs {
        let path = attr.path();
        if path.is_ident("doc") || path.is_ident("schemars") {
            kept.push(attr.clone());
        } else if path.is_ident("cfg") || path.is_ident("cfg_attr") {
            errors.push(
                attr,
                "`#[cfg]` cannot remove a parameter; write two versions of the function, each with `#[cfg]`",
            );
        } else if path.is_ident("params") {
            if !matches!(attr.meta, Meta::Path(_)) {
                errors.push(attr, "`#[params]` takes no arguments");
            }
        } else if !path.is_ident("serde") && !is_lint_level(attr) {
            errors.push(attr, unknown(path));
        }
    }
    kept
}
