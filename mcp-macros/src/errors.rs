//! The mistakes of one macro call, collected so that one compile shows them all.

use std::fmt::Display;

use proc_macro2::TokenStream;
use quote::ToTokens;

/// Collects errors. Nothing returns early: a mistake is reported, then treated as absent.
///
/// `finish` must be called: a collector dropped with errors in it panics.
#[derive(Default)]
pub(crate) struct Errors(Option<syn::Error>);

impl Errors {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Reports a mistake at these tokens of the author.
    pub(crate) fn push(&mut self, culprit: impl ToTokens, message: impl Display) {
        self.add(syn::Error::new_spanned(culprit, message));
    }

    /// The value, or nothing and a mistake more.
    pub(crate) fn handle<T>(&mut self, result: syn::Result<T>) -> Option<T> {
        result.map_err(|error| self.add(error)).ok()
    }

    /// # Errors
    /// The `compile_error!` calls for all that was collected.
    pub(crate) fn finish(mut self) -> Result<(), TokenStream> {
        self.0.take().map_or(Ok(()), |errors| Err(errors.into_compile_error()))
    }

    fn add(&mut self, error: syn::Error) {
        match &mut self.0 {
            Some(errors) => errors.combine(error),
            None => self.0 = Some(error),
        }
    }
}

impl Drop for Errors {
    fn drop(&mut self) {
        assert!(self.0.is_none() || std::thread::panicking(), "errors were collected and never reported");
    }
}
