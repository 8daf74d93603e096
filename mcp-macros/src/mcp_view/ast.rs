//! Parses the attribute and the item as a view.

use syn::{Attribute, Ident, ItemStruct, LitStr};

use super::{attr::ViewAttr, page::Page};
use crate::{docs, errors::Errors, mcp_tool::ast::is_named, words};

/// The view, whatever the item is: its keys and its page.
pub(super) struct View {
    pub(super) attr: ViewAttr,
    /// The name of the item.
    pub(super) ident: Ident,
    /// The file with the page. `None` if the file is missing or not a text, or if the compiler does not say where the
    /// source file is, as in some editors.
    pub(super) page: Option<Page>,
}

/// A struct that is a view.
pub(super) struct ViewStruct {
    pub(super) view: View,
    /// The struct, without the attributes that only the macro reads.
    pub(super) item: ItemStruct,
    /// All `#[mcp_view]` attributes on this struct except the first. The macro rejects them.
    pub(super) marked_again: Vec<Attribute>,
}

impl View {
    /// Reads the page. If it is invalid, the error is reported. `attrs` are the attributes of the item.
    pub(super) fn new(errors: &mut Errors, mut attr: ViewAttr, ident: Ident, attrs: &[Attribute]) -> Self {
        attr.description = attr.description.or_else(|| docs::text(attrs));
        let page = attr.html.as_ref().and_then(|html| Page::read(errors, html));
        Self { attr, ident, page }
    }

    /// Returns the name of the view in the list of resources.
    pub(super) fn wire_name(&self) -> String {
        self.attr.name.as_ref().map_or_else(|| words::snake(&self.ident), LitStr::value)
    }
}

impl ViewStruct {
    /// Parses the item. Invalid parts are reported and left out.
    pub(super) fn new(errors: &mut Errors, attr: ViewAttr, mut item: ItemStruct) -> Self {
        let marked_again = item.attrs.extract_if(.., |attr| is_named(attr, "mcp_view")).collect();
        let view = View::new(errors, attr, item.ident.clone(), &item.attrs);
        Self { view, item, marked_again }
    }
}
