//! Parses the attribute and the trait or the `impl` block as one resource of a contract.

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{Attribute, Expr, ImplItem, ItemImpl, ItemTrait, TraitItem, Type, parse_quote, parse2};

use super::{attr::ContractAttr, method::Method};
use crate::{docs, errors::Errors};

pub(crate) struct Contract {
    pub(crate) attr: ContractAttr,
    pub(crate) description: Option<Expr>,
    /// The item to compile, without the attributes that only the macro reads.
    pub(crate) item: Item,
    /// The methods that are not hidden.
    pub(crate) methods: Vec<Method>,
    /// All `#[contract]` attributes on this item except the first. The macro rejects them.
    pub(crate) marked_again: Vec<Attribute>,
}

pub(crate) enum Item {
    Trait(ItemTrait),
    Impl(ItemImpl),
}

impl Item {
    pub(crate) fn parse(item: TokenStream) -> Option<Self> {
        match parse2(item).ok()? {
            syn::Item::Trait(item) => Some(Self::Trait(item)),
            syn::Item::Impl(item) => Some(Self::Impl(item)),
            _ => None,
        }
    }

    fn attrs(&mut self) -> &mut Vec<Attribute> {
        match self {
            Self::Trait(item) => &mut item.attrs,
            Self::Impl(item) => &mut item.attrs,
        }
    }

    /// Returns the name of the trait or of the type. Error messages contain this name.
    pub(crate) fn name(&self) -> TokenStream {
        match self {
            Self::Trait(item) => item.ident.to_token_stream(),
            Self::Impl(item) => item.self_ty.to_token_stream(),
        }
    }
}

impl Contract {
    /// Parses the item. Invalid parts are reported and left out.
    pub(crate) fn new(errors: &mut Errors, attr: ContractAttr, mut item: Item) -> Self {
        let description = attr.description.clone().or_else(|| docs::text(item.attrs()));
        let is_contract =
            |attr: &mut Attribute| attr.path().segments.last().is_some_and(|last| last.ident == "contract");
        let marked_again = item.attrs().extract_if(.., is_contract).collect();
        let methods = match &mut item {
            Item::Trait(item) => in_trait(errors, item),
            Item::Impl(item) if item.trait_.is_none() => in_impl(errors, item),
            Item::Impl(_) => Vec::new(),
        };
        Self { attr, description, item, methods, marked_again }
    }
}

/// Parses the methods. An `async fn` in the trait becomes a function that returns a `Send` future, because calls move
/// between threads. An implementation still writes `async fn`.
fn in_trait(errors: &mut Errors, item: &mut ItemTrait) -> Vec<Method> {
    let mut methods = Vec::new();
    for item in &mut item.items {
        match item {
            TraitItem::Fn(function) => {
                methods.extend(Method::take(errors, &mut function.attrs, &mut function.sig, None));
                if function.sig.asyncness.is_some() {
                    sendable(function);
                }
            }
            other => not_a_method(errors, other, "trait"),
        }
    }
    if item.supertraits.is_empty() {
        item.colon_token = Some(<syn::Token![:]>::default());
    }
    item.supertraits.extend::<[syn::TypeParamBound; 3]>([
        parse_quote!(::core::marker::Send),
        parse_quote!(::core::marker::Sync),
        parse_quote!('static),
    ]);
    methods
}

fn in_impl(errors: &mut Errors, item: &mut ItemImpl) -> Vec<Method> {
    let this: Type = (*item.self_ty).clone();
    let mut methods = Vec::new();
    for item in &mut item.items {
        match item {
            ImplItem::Fn(function) => {
                methods.extend(Method::take(errors, &mut function.attrs, &mut function.sig, Some(&this)));
            }
            other => not_a_method(errors, other, "`impl` block"),
        }
    }
    methods
}

fn not_a_method(errors: &mut Errors, item: &impl ToTokens, place: &str) {
    errors.push(item, format_args!("a contract has only methods; move this to another {place}"));
}

/// Turns `async fn f(&self) -> T` into `fn f(&self) -> impl Future<Output = T> + Send`.
fn sendable(function: &mut syn::TraitItemFn) {
    let output: Type = match &function.sig.output {
        syn::ReturnType::Default => parse_quote!(()),
        syn::ReturnType::Type(_, output) => (**output).clone(),
    };
    function.sig.asyncness = None;
    function.sig.output = parse_quote!(-> impl ::core::future::Future<Output = #output> + ::core::marker::Send);
    if let Some(body) = &function.default {
        function.default = Some(parse_quote!({ async move #body }));
        function.attrs.push(parse_quote!(#[allow(clippy::manual_async_fn)]));
    }
}
