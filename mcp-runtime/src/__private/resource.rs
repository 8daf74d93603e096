//! Builds the definitions of resources and boxes their futures.

use super::Need;
use crate::{
    base::error::ToolError,
    serve::resource::{ReadResourceFuture, ReadResourceResult, ResourceDefinition},
};

/// Creates the definition of a resource.
pub fn resource_definition(
    uri: &'static str,
    name: &'static str,
    description: &'static str,
    needs: &[Need],
) -> ResourceDefinition {
    needs.iter().fold(ResourceDefinition::new(uri, name, description), |definition, need| match need {
        Need::Nothing => definition,
        Need::State(state) => definition.needs_state(*state),
        Need::Forms(add) => definition.with(add),
    })
}

/// Boxes the future of one `resources/read`. Only this function requires `Send`, so a future that is not `Send` causes
/// one error.
pub fn boxed_resource<F>(future: F) -> ReadResourceFuture
where
    F: Future<Output = Result<ReadResourceResult, ToolError>> + Send + 'static,
{
    Box::pin(future)
}

/// `fallback_resource!(name)` implements a resource that has errors.
#[doc(hidden)]
#[macro_export]
macro_rules! __mcp_fallback_resource {
    ($name:ident) => {
        impl $crate::__private::Resource for $name {
            fn definition(&self) -> $crate::__private::ResourceDefinition {
                ::core::unreachable!()
            }

            fn read(
                &self,
                _: $crate::__private::Call,
                _: $crate::__private::ReadRequest<'_>,
            ) -> ::core::result::Result<$crate::__private::ReadResourceFuture, $crate::__private::ArgumentsError> {
                ::core::unreachable!()
            }
        }

        impl $crate::__private::RegisteredResource for $name {
            const ENTRY: $crate::__private::Entry<dyn $crate::__private::Resource> =
                $crate::__private::Entry::new(::core::stringify!($name), || ::std::boxed::Box::new($name {}));
        }
    };
}
