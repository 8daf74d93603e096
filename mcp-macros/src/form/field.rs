//! One field of a form, as written.

use darling::FromMeta;
use syn::{Attribute, Expr, Ident, LitStr, Type, Visibility, ext::IdentExt, parse_quote};

use super::{
    beside::Beside,
    field_attr::{FieldAttr, is_not_blank},
};
use crate::{
    docs,
    errors::Errors,
    types::{self, Shut},
};

/// The attributes that end here, unless somebody beside the form reads them: those that are read, those that are
/// refused, and those that `rustc` has followed.
const READ: &[&str] = &["elicit", "choice", "serde", "schemars", "cfg", "cfg_attr"];

pub(crate) struct Field {
    pub(crate) ident: Ident,
    pub(crate) vis: Visibility,
    /// Borrows for `'static` where the author left open for how long: it stands in constants.
    pub(crate) ty: Type,
    /// Why no constant can name the type. Then nothing else is said of it.
    pub(crate) shut: Option<Shut>,
    /// All but those that the macro has read.
    pub(crate) attrs: Vec<Attribute>,
    pub(crate) attr: FieldAttr,
    pub(crate) description: Option<Expr>,
}

impl Field {
    /// A field with a name, of this form. `generics` are the parameters that its type cannot have.
    pub(crate) fn read(
        errors: &mut Errors,
        field: &syn::Field,
        form: &Ident,
        generics: &[&Ident],
        beside: Beside,
    ) -> Option<Self> {
        let ident = field.ident.clone()?;
        for attr in &field.attrs {
            beside.refuse(errors, attr, "the keys of `#[elicit(…)]` do: `rename`, `default`, `min`, …");
        }
        let attr = FieldAttr::read(errors, &field.attrs);
        let shut =
            types::shut(&field.ty, generics).or_else(|| types::mentions(&field.ty, form).then_some(Shut::Itself));
        if let Some(message) = shut.and_then(Shut::message) {
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
        // Who reads the code should know as much as who fills in the form.
        if let Some(given) = &description
            && docs::text(&attrs).is_none()
        {
            attrs.push(parse_quote!(#[doc = #given]));
        }
        let ty = types::outliving(&field.ty, generics);
        Some(Self { ident, vis: field.vis.clone(), ty, shut, attrs, attr, description })
    }

    /// The name in the answer, where the author wrote it.
    pub(crate) fn wire_name(&self) -> LitStr {
        let name = || LitStr::new(&self.ident.unraw().to_string(), self.ident.span());
        self.attr.rename.clone().unwrap_or_else(name)
    }
}
