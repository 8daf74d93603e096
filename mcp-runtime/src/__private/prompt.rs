//! Builds the definitions of prompts and boxes their futures.

use super::Need;
use crate::{
    base::error::ToolError,
    serve::prompt::{GetPromptFuture, GetPromptResult, PromptDefinition},
};

/// Creates the definition of a prompt.
pub fn prompt_definition(name: &'static str, description: &'static str, needs: &[Need]) -> PromptDefinition {
    needs.iter().fold(PromptDefinition::new(name, description), |definition, need| match need {
        Need::Nothing => definition,
        Need::State(state) => definition.needs_state(*state),
        Need::Forms(add) => definition.with(add),
    })
}

/// Boxes the future of one `prompts/get`. Only this function requires `Send`, so a future that is not `Send` causes one
/// error.
pub fn boxed_prompt<F>(future: F) -> GetPromptFuture
where
    F: Future<Output = Result<GetPromptResult, ToolError>> + Send + 'static,
{
    Box::pin(future)
}

/// `fallback_prompt!(name)` implements a prompt that has errors.
#[doc(hidden)]
#[macro_export]
macro_rules! __mcp_fallback_prompt {
    ($name:ident) => {
        impl $crate::__private::Prompt for $name {
            fn definition(&self) -> $crate::__private::PromptDefinition {
                ::core::unreachable!()
            }

            fn get(
                &self,
                _: $crate::__private::Call,
                _: $crate::__private::TextArguments<'_>,
            ) -> ::core::result::Result<$crate::__private::GetPromptFuture, $crate::__private::ArgumentsError> {
                ::core::unreachable!()
            }
        }

        impl $crate::__private::RegisteredPrompt for $name {
            const ENTRY: $crate::__private::Entry<dyn $crate::__private::Prompt> =
                $crate::__private::Entry::new(::core::stringify!($name), || ::std::boxed::Box::new($name {}));
        }
    };
}
