//! Parses the attribute and the `impl` block as a tool.

use syn::{Attribute, Ident, ImplItem, ItemImpl, Path, Type, parse_quote};

use super::{
    after::{self, After},
    before::Before,
    client::Client,
    phase::{self, NAMES, Signatures},
};
use crate::{
    docs,
    errors::Errors,
    tool::{self, Interface, Origin, ToolAttr},
    types,
};

pub(crate) struct Handoff {
    /// The tool's interface. It has the parameters of `before` and the output of `after`.
    pub(crate) interface: Interface,
    /// The block to compile, without the attributes that only the macro reads.
    pub(crate) block: ItemImpl,
    /// The trait that the block implements, if there is one. The macro rejects such a block.
    pub(crate) of_trait: Option<Path>,
    /// All `#[handoff]` attributes on this block except the first. The macro rejects them.
    pub(crate) marked_again: Vec<Attribute>,
    /// The three phases, if all of them could be parsed.
    pub(crate) phases: Option<Phases>,
}

pub(crate) struct Phases {
    pub(crate) before: Before,
    pub(crate) client: Client,
    pub(crate) after: After,
}

impl Handoff {
    /// Parses the item. Invalid parts are reported and left out.
    pub(crate) fn new(errors: &mut Errors, attr: ToolAttr, mut block: ItemImpl) -> Self {
        let description = attr.description.clone().or_else(|| docs::text(&block.attrs));
        let ident = named_after(&block.self_ty);
        let marked_again = block.attrs.extract_if(.., |attr| is_handoff(attr)).collect();
        let of_trait = block.trait_.as_ref().map(|(path, _)| path.clone());
        let signatures = match of_trait {
            None => Signatures::take(errors, &mut block),
            Some(_) => Signatures::default(),
        };
        let this = &*block.self_ty;
        let (before, params) = signatures.before.as_ref().map(|sig| Before::read(errors, sig, this)).unzip();
        let after = signatures.after.as_ref().and_then(|sig| After::read(errors, sig, this, &signatures));
        let handed = signatures.after.as_ref().and_then(|sig| after::handoff(sig, this));
        let client = signatures.client.as_ref().map(|sig| Client::read(errors, sig, this, handed.as_ref()));
        let output = signatures.after.as_ref().map_or_else(|| parse_quote!(()), |sig| phase::output(sig, this));
        let phases = match (before, client, after) {
            (Some(before), Some(client), Some(after)) => Some(Phases { before, client, after }),
            _ => None,
        };
        for item in &mut block.items {
            if let ImplItem::Fn(method) = item
                && NAMES.iter().any(|name| method.sig.ident == name)
            {
                tool::strip(&mut method.sig);
                method.attrs.push(phase::lints());
            }
        }
        let params = params.unwrap_or_default();
        let interface = Interface { attr, origin: Origin::Phases, ident, description, params, output };
        Self { interface, block, of_trait, marked_again, phases }
    }
}

fn is_handoff(attr: &Attribute) -> bool {
    attr.path().segments.last().is_some_and(|last| last.ident == "handoff")
}

/// Returns the name of the type, without its path and its parameters.
fn named_after(this: &Type) -> Ident {
    match types::peel(this) {
        Type::Path(path) => path.path.segments.last().map(|last| last.ident.clone()),
        _ => None,
    }
    .unwrap_or_else(|| Ident::new("handoff", proc_macro2::Span::call_site()))
}
