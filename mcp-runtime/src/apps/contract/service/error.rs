//! The errors of methods, and their HTTP statuses.

use std::{any::type_name, error::Error, fmt, marker::PhantomData};

use crate::base::{error::ToolError, report::report_limited};

/// An error type whose errors have an HTTP status.
///
/// The endpoints for JSON-RPC and REST show the status. If the error type of a method does not implement this trait, the
/// REST endpoint responds with the status 500, and the JSON-RPC endpoint shows no status.
///
/// ```
/// use mcp_runtime::contract::ErrorStatus;
///
/// #[derive(Debug, thiserror::Error)]
/// enum TodoError {
///     #[error("there is no todo {0}")]
///     NotFound(u64),
///     #[error("the title `{0}` is taken")]
///     Taken(String),
/// }
///
/// impl ErrorStatus for TodoError {
///     const STATUSES: &'static [u16] = &[404, 409];
///
///     fn status(&self) -> u16 {
///         match self {
///             Self::NotFound(_) => 404,
///             Self::Taken(_) => 409,
///         }
///     }
/// }
/// ```
pub trait ErrorStatus: Error + Send + Sync + 'static {
    /// All statuses that [`status`](Self::status) can return, from 400 to 599. Documents list them.
    const STATUSES: &'static [u16];

    /// Returns the status of this error.
    fn status(&self) -> u16;
}

/// The error with which a method failed.
#[derive(Debug)]
pub struct MethodError {
    pub(crate) error: ToolError,
    pub(crate) status: Option<u16>,
}

impl MethodError {
    /// Returns the HTTP status, if the type of the error implements [`ErrorStatus`].
    pub fn status(&self) -> Option<u16> {
        self.status
    }

    /// Returns the error of the method, if its type is `E`.
    pub fn downcast_ref<E: Error + 'static>(&self) -> Option<&E> {
        self.error.downcast_ref()
    }

    /// Returns the text of the error without its sources. Reports the sources to the operator, if there are any.
    pub(crate) fn public_text(&self) -> String {
        let error = self.error.as_error();
        if error.source().is_some() {
            report_limited!("a method failed: {}", self.error.chain());
        }
        error.to_string()
    }

    /// Returns the error of the method.
    pub fn as_error(&self) -> &(dyn Error + Send + Sync + 'static) {
        self.error.as_error()
    }
}

/// Writes the text of the error and of its sources, separated by `: `.
impl fmt::Display for MethodError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.error.chain())
    }
}

/// The name and the HTTP statuses of a method's error type.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct ErrorFunctions {
    /// Returns the name of the type, with its path.
    pub(crate) name: fn() -> &'static str,
    pub(crate) statuses: &'static [u16],
    pub(crate) status: fn(&ToolError) -> Option<u16>,
}

/// Finds the [`ErrorFunctions`] for an output type. Generated code calls `functions` on a reference to a probe. The
/// compiler chooses the function of `ErrorProbe` itself if the error type has statuses, the function of [`WithError`]
/// for other error types, and the function of [`WithoutError`] for an output without an error type.
#[doc(hidden)]
#[derive(Debug)]
pub struct ErrorProbe<Output>(PhantomData<fn() -> Output>);

impl<Output> ErrorProbe<Output> {
    #[allow(clippy::new_without_default, reason = "only generated code creates it")]
    pub fn new() -> Self {
        Self(PhantomData)
    }
}

impl<T, E: ErrorStatus> ErrorProbe<Result<T, E>> {
    /// Returns the functions of the error type `E`.
    pub fn functions(&self) -> Option<ErrorFunctions> {
        let status = |error: &ToolError| error.downcast_ref::<E>().map(E::status);
        Some(ErrorFunctions { name: type_name::<E>, statuses: E::STATUSES, status })
    }
}

#[doc(hidden)]
pub trait WithError {
    fn functions(&self) -> Option<ErrorFunctions>;
}

impl<T, E> WithError for ErrorProbe<Result<T, E>> {
    fn functions(&self) -> Option<ErrorFunctions> {
        Some(ErrorFunctions { name: type_name::<E>, statuses: &[], status: |_| None })
    }
}

#[doc(hidden)]
pub trait WithoutError {
    fn functions(&self) -> Option<ErrorFunctions>;
}

impl<Output> WithoutError for &ErrorProbe<Output> {
    fn functions(&self) -> Option<ErrorFunctions> {
        None
    }
}
