//! `#[handoff]` turns an `impl` block with three phases into a tool.

mod after;
mod ast;
mod before;
mod check;
mod client;
mod expand;
mod fallback;
mod phase;

use proc_macro2::TokenStream;
use quote::quote;
use syn::{ItemImpl, parse2};

use self::ast::Handoff;
use crate::{errors::Errors, tool::ToolAttr};

pub(crate) fn expand(attr: TokenStream, item: &TokenStream) -> TokenStream {
    let mut errors = Errors::new();
    let attr = ToolAttr::of_phases(&mut errors, attr);
    let Ok(block) = parse2::<ItemImpl>(item.clone()) else {
        return fallback::not_an_impl(errors, item);
    };
    let handoff = Handoff::new(&mut errors, attr, block);
    check::handoff(&mut errors, &handoff);
    match (errors.finish(), &handoff.phases) {
        (Ok(()), Some(phases)) => expand::handoff(&handoff, phases),
        (result, _) => {
            let (errors, handoff) = (result.err(), fallback::handoff(&handoff));
            quote!(#errors #handoff)
        }
    }
}
