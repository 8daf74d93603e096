//! Collects the errors of one macro call, so that one compilation shows them all.

use std::fmt::Display;

use proc_macro2::TokenStream;
use quote::ToTokens;

/// Collects errors. The macro does not stop at the first error. It reports each error and ignores the invalid part.
///
/// Call `finish` on every collector. Dropping a collector that contains errors panics.
#[derive(Default)]
pub(crate) struct Errors {
    all: Option<syn::Error>,
    count: usize,
}

impl Errors {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Reports an error at the tokens `culprit`, in which the author made the mistake.
    pub(crate) fn push(&mut self, culprit: impl ToTokens, message: impl Display) {
        self.add(syn::Error::new_spanned(culprit, message));
    }

    /// Returns the number of errors so far.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// Returns the value of `result`, or reports its error and returns `None`.
    pub(crate) fn handle<T>(&mut self, result: syn::Result<T>) -> Option<T> {
        result.map_err(|error| self.add(error)).ok()
    }

    /// # Errors
    /// Returns the `compile_error!` calls for all collected errors, if there are any.
    pub(crate) fn finish(mut self) -> Result<(), TokenStream> {
        self.all.take().map_or(Ok(()), |errors| Err(errors.into_compile_error()))
    }

    fn add(&mut self, error: syn::Error) {
        self.count += 1;
        match &mut self.all {
            Some(errors) => errors.combine(error),
            None => self.all = Some(error),
        }
    }
}

impl Drop for Errors {
    fn drop(&mut self) {
        assert!(self.all.is_none() || std::thread::panicking(), "errors were collected, but `finish` was not called");
    }
}
