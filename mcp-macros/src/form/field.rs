//! Parses one field of a form.

use darling::FromMeta;
use syn::{Attribute, Expr, Ident, LitStr, Type, Visibility, ext::IdentExt, parse_quote};

use super::{
    beside::OtherDerives,
    field_attr::{FieldAttr, is_not_blank},
};
use crate::{
    docs,
    errors::Errors,
    types::{self, Unnameable},
};

/// Attributes that the macro removes, unless another derive reads them. The macro reads or rejects these attributes, or
/// `rustc` has already processed them.
const READ: &[&str] = &["elicit", "choice", "serde", "schemars", "cfg", "cfg_attr"];

pub(crate) struct Field {
    pub(crate) ident: Ident,
    pub(crate) vis: Visibility,
    /// The type of the field. `'static` replaces omitted lifetimes, because generated constants name the type.
    pub(crate) ty: Type,
    /// The reason why a constant cannot name the type. If there is a reason, the field is not checked further.
    pub(crate) unnameable: Option<Unnameable>,
    /// All attributes that the macro does not read.
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) attr: FieldAttr,
    pub(crate) description: Option<Expr>,
}

impl Field {
    /// Parses a named field of this form. `generics` are the generic parameters, which the field's type cannot use.
    pub(crate) fn read(
        errors: &mut Errors,
        field: &syn::Field,
        form: &Ident,
        generics: &[&Ident],
        beside: OtherDerives,
    ) -> Option<Self> {
        let ident = field.ident.clone()?;
        for attr in &field.attrs {
            beside.refuse(errors, attr, "use the keys of `#[elicit(…)]`: `rename`, `default`, `min`, …");
        }
        let attr = FieldAttr::read(errors, &field.attrs);
        let unnameable = types::unnameable(&field.ty, generics)
            .or_else(|| types::mentions(&field.ty, form).then_some(Unnameable::Itself));
        if let Some(message) = unnameable.and_then(Unnameable::message) {
            errors.push(&field.ty, message);
        }
        let mut attrs = field.attrs.clone();
        attrs.retain(|attr| beside.reads(attr) || !READ.iter().any(|read| attr.path().is_ident(read)));
        let description = match &attr.description {
            Some(given) => LitStr::from_expr(given)
                .map_or(true, |text| is_not_blank(errors, "description", &text))
                .then(|| given.clone()),
            None => docs::text(&field.attrs),
        };
        // Readers of the code get the same description as users of the form.
        if let Some(given) = &description
            && docs::text(&attrs).is_none()
        {
            attrs.push(parse_quote!(#[doc = #given]));
        }
        let ty = types::outliving(&field.ty, generics);
        Some(Self { ident, vis: field.vis.clone(), ty, unnameable, attrs, attr, description })
    }

    /// Returns the name of the field in the client's answer. The name has the author's span.
    pub(crate) fn wire_name(&self) -> LitStr {
        let name = || LitStr::new(&self.ident.unraw().to_string(), self.ident.span());
        self.attr.rename.clone().unwrap_or_else(name)
    }
}
