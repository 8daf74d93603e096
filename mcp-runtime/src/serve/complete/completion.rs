//! Requests for completions, and their results.

use std::{fmt, pin::Pin};

use super::TextArguments;
use crate::{
    base::error::{IntoToolError, ToolError},
    engine::{
        call::{Call, Principal},
        tool::{State, state::missing_state},
    },
};

/// The maximum number of values in a result.
const MOST_VALUES: usize = 100;

/// A request to complete the value of an argument. Functions named in `#[complete(…)]` receive this request. Before it,
/// they can take up to three values of shared state by reference.
///
/// ```
/// use mcp_runtime::complete::CompletionRequest;
///
/// struct Languages(Vec<String>);
///
/// async fn languages(all: &Languages, request: CompletionRequest) -> Vec<String> {
///     if request.argument("project") == Some("mcp") { vec!["Rust".to_owned()] } else { all.0.clone() }
/// }
/// ```
pub struct CompletionRequest {
    pub(super) value: String,
    pub(super) arguments: TextArguments<'static>,
    pub(crate) call: Call,
}

impl CompletionRequest {
    /// Returns the text that the user has typed so far.
    pub fn value(&self) -> &str {
        &self.value
    }

    /// Returns the value of another argument that the user has already filled in (since 2025-06-18).
    pub fn argument(&self, name: &str) -> Option<&str> {
        self.arguments.get(name)
    }

    /// Returns the other arguments that the user has already filled in.
    #[cfg(feature = "remote")]
    pub(crate) fn filled(&self) -> serde_json::Map<String, serde_json::Value> {
        self.arguments.iter().map(|(name, text)| (name.to_owned(), text.into())).collect()
    }

    /// Returns the server's shared value of this type.
    ///
    /// # Errors
    /// Fails if the server has no such value. Add one with [`Server::state`](crate::Server::state).
    pub fn state<T: State>(&self) -> Result<&T, ToolError> {
        self.call.state().ok_or_else(missing_state::<T>)
    }

    /// Returns the caller; see [`Ctx::principal`](crate::Ctx::principal).
    pub fn principal(&self) -> Option<Principal> {
        self.call.0.principal()
    }
}

impl fmt::Debug for CompletionRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CompletionRequest").field("value", &self.value).finish_non_exhaustive()
    }
}

/// The completions of a value: at most 100.
///
/// ```
/// use mcp_runtime::complete::Completion;
///
/// let completion = Completion::matching(["rust", "ruby", "trust", "go"], "ru");
/// assert_eq!(completion.values(), ["rust", "ruby", "trust"]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[must_use]
pub struct Completion {
    pub(super) values: Vec<String>,
    /// The number of all values that match, if it is known.
    pub(super) total: Option<usize>,
}

impl Completion {
    /// Creates a completion with exactly these values, in this order. The best value should be first. Values after the
    /// 100th are left out.
    pub fn new(values: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self::of_all(values.into_iter().map(Into::into).collect())
    }

    fn of_all(mut values: Vec<String>) -> Self {
        let total = Some(values.len());
        values.truncate(MOST_VALUES);
        Self { values, total }
    }

    /// Creates a completion with those values that contain the typed text. Values that begin with the text come first.
    /// Upper and lower case make no difference.
    pub fn matching(values: impl IntoIterator<Item = impl Into<String>>, typed: &str) -> Self {
        Self::of_matching(values.into_iter().map(Into::<String>::into), typed)
    }

    /// Creates the same completion, but copies only the values that match.
    pub(super) fn of_matching<T: AsRef<str> + Into<String>>(values: impl IntoIterator<Item = T>, typed: &str) -> Self {
        let typed = typed.to_lowercase();
        let mut contain = Vec::new();
        // A `Vec<String>` is filtered in place.
        let begin = values.into_iter().filter_map(|value| match place_in(value.as_ref(), &typed)? {
            0 => Some(value.into()),
            _ => {
                contain.push(value.into());
                None
            }
        });
        let mut begin: Vec<String> = begin.collect();
        begin.append(&mut contain);
        Self::of_all(begin)
    }

    /// Reads the result of another server.
    ///
    /// # Errors
    /// Fails if the text is not a `CompleteResult`.
    #[cfg(feature = "remote")]
    pub(crate) fn read(text: &str) -> serde_json::Result<Self> {
        #[derive(serde::Deserialize)]
        struct ReadResult {
            completion: ReadCompletion,
        }
        #[derive(serde::Deserialize)]
        struct ReadCompletion {
            values: Vec<String>,
            total: Option<usize>,
        }
        let ReadResult { completion: ReadCompletion { mut values, total } } = serde_json::from_str(text)?;
        values.truncate(MOST_VALUES);
        Ok(Self { values, total })
    }

    /// Sets the number of all values that match, if this completion contains only some of them.
    pub fn total(mut self, total: usize) -> Self {
        self.total = Some(total.max(self.values.len()));
        self
    }

    /// Returns the values.
    pub fn values(&self) -> &[String] {
        &self.values
    }
}

/// Returns the place of `typed` in the value, without regard to upper and lower case. `typed` is in lower case.
#[inline]
fn place_in(value: &str, typed: &str) -> Option<usize> {
    if !is_ascii(value.as_bytes()) {
        return place_in_lower_case(value, typed);
    }
    let Some((last, rest)) = typed.as_bytes().split_last() else { return Some(0) };
    // The bit in which the upper case of the last typed byte differs.
    let case = if last.is_ascii_lowercase() { 0x20 } else { 0 };
    let value = value.as_bytes();
    let ends = value.get(rest.len()..)?;
    // Values often begin alike, so the last typed byte is compared first.
    (0..ends.len()).find(|&place| ends[place] | case == *last && begins_with(&value[place..], rest))
}

/// Like `str::is_ascii`, but with fewer comparisons for short text.
fn is_ascii(bytes: &[u8]) -> bool {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let Some(last) = bytes.last_chunk() else { return bytes.is_ascii() };
    // The last word overlaps the one before it.
    let words = bytes.as_chunks().0.iter();
    words.fold(u64::from_ne_bytes(*last), |all, word| all | u64::from_ne_bytes(*word)) & HIGH == 0
}

/// Returns whether `value` begins with the bytes of `typed`, without regard to upper and lower case. Not inlined,
/// because only few values are compared that far.
#[inline(never)]
fn begins_with(value: &[u8], typed: &[u8]) -> bool {
    value.get(..typed.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(typed))
}

#[cold]
fn place_in_lower_case(value: &str, typed: &str) -> Option<usize> {
    value.to_lowercase().find(typed)
}

/// A type that a completion function can return.
///
/// | type | what the client gets |
/// | --- | --- |
/// | `Vec<String>`, `Vec<&'static str>` | the values that match the typed text: see [`Completion::matching`] |
/// | [`Completion`] | this completion |
/// | `Result<T, E>` | `T`, or an error |
#[diagnostic::on_unimplemented(
    message = "a completion function cannot return `{Self}`",
    label = "not a list of completions",
    note = "return `Vec<String>`, `Vec<&'static str>`, a `Completion`, or a `Result` of one of these"
)]
pub trait CompletionOutput {
    /// Converts the value.
    ///
    /// # Errors
    /// Returns the error of the function.
    fn into_completion(self, typed: &str) -> Result<Completion, ToolError>;
}

impl CompletionOutput for Completion {
    fn into_completion(self, _: &str) -> Result<Completion, ToolError> {
        Ok(self)
    }
}

impl CompletionOutput for Vec<String> {
    fn into_completion(self, typed: &str) -> Result<Completion, ToolError> {
        Ok(Completion::of_matching(self, typed))
    }
}

impl CompletionOutput for Vec<&'static str> {
    fn into_completion(self, typed: &str) -> Result<Completion, ToolError> {
        Ok(Completion::of_matching(self, typed))
    }
}

impl<T: CompletionOutput, E: IntoToolError> CompletionOutput for Result<T, E> {
    fn into_completion(self, typed: &str) -> Result<Completion, ToolError> {
        self.map_err(IntoToolError::into_tool_error)?.into_completion(typed)
    }
}

/// The future of a completion.
pub type CompleteFuture = Pin<Box<dyn Future<Output = Result<Completion, ToolError>> + Send>>;

/// A function that completes an argument: `async fn languages(request: CompletionRequest) -> Vec<String>`. For its
/// outputs see [`CompletionOutput`].
#[diagnostic::on_unimplemented(
    message = "this function cannot complete an argument",
    label = "not a function from a `CompletionRequest` to completions",
    note = "write `async fn languages(request: CompletionRequest) -> Vec<String>`",
    note = "its future must be `Send`"
)]
pub trait CompletionFunction {
    /// Starts the function.
    fn begin(self, request: CompletionRequest) -> CompleteFuture;
}

#[diagnostic::do_not_recommend]
impl<F, R> CompletionFunction for F
where
    F: FnOnce(CompletionRequest) -> R,
    R: Future<Output: CompletionOutput> + Send + 'static,
{
    fn begin(self, request: CompletionRequest) -> CompleteFuture {
        let typed = request.value.clone();
        let future = self(request);
        Box::pin(async move { future.await.into_completion(&typed) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_same_values_as_a_search_in_lower_case() {
        let values = ["", "a", "ab", "ABBA", "aab", "Straße", "ΟΔΟΣ", "K", "k2", "İx", "x-é", "bab", "]", "}["];
        for typed in ["", "a", "B", "ab", "AAB", "ß", "σ", "ς", "K", "\u{212a}", "i", "É", "abbab", "]", "{", "["] {
            for value in values {
                let expected = value.to_lowercase().find(&typed.to_lowercase());
                assert_eq!(place_in(value, &typed.to_lowercase()), expected, "{typed:?} in {value:?}");
            }
        }
    }
}
