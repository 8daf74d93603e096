//! Arguments that clients send as text, such as arguments of prompts, and their completion.

mod argument;
mod completion;
mod from_text;
mod methods;
mod text_arguments;

pub(crate) use self::methods::{Completable, CompletionRef, Completions};
pub use self::{
    argument::{Completer, TextArgument},
    completion::{CompleteFuture, Completion, CompletionFunction, CompletionOutput, CompletionRequest},
    from_text::FromText,
    text_arguments::{TextArguments, TextInput, TextKind},
};
