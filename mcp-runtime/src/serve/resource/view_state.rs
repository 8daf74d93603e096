//! What a function with `#[mcp_view]` returns, and how it fills in the page.

use std::any::Any;

use serde::Serialize;
use serde_json::Value;

use super::{
    ReadResourceResult, Resource, ResourceContents, ResourceDefinition, ResourceNotFound, page_template::fill,
    view_client::with_client,
};
use crate::{
    base::error::{IntoToolError, ToolError, UnserializableOutput},
    engine::tool::{Json, ViewDefinition, output::outputs},
    wire::protocol::view::{MIME_TYPE, UI},
};

/// A type that a function with [`#[mcp_view]`](macro@crate::view::mcp_view) can return: what its page shows.
///
/// | type | the page |
/// | --- | --- |
/// | [`Json<T: Serialize>`](Json) | `{{name}}` is the member `name` of the value, and `{{json}}` is the whole value |
/// | `Option<T>` | `T`, or the error that the view does not exist |
/// | `Result<T, E>` | `T`, or an error made from `E` |
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot fill in the page of a view",
    label = "it is not the state of a page",
    note = "return a `Json<T>`, whose members the page names as `{{{{name}}}}`, or an `Option` or `Result` of it",
    note = "`T` needs `#[derive(serde::Serialize)]`"
)]
pub trait ViewState: Sized {
    /// Converts the value to JSON.
    ///
    /// # Errors
    /// Returns the error of the function, or the error that the view does not exist.
    fn into_state(self) -> Result<Value, ToolError>;

    // Generated code names only this constant, so that a type without the trait causes only one error.
    #[doc(hidden)]
    const INTO_STATE: fn(Self) -> Result<Value, ToolError> = Self::into_state;
}

outputs! {
    ViewState::into_state -> Value;
    [T: Serialize] Json<T>: Json(value) => Ok(serde_json::to_value(value).map_err(UnserializableOutput)?);
    // Not `do_not_recommend`: the compiler must report the error for `T` or `E`, not for the whole `Option` or `Result`.
    [T: ViewState] Option<T>: value => value.ok_or(ResourceNotFound)?.into_state();
    [T: ViewState, E: IntoToolError] Result<T, E>: result => {
        result.map_err(IntoToolError::into_tool_error)?.into_state()
    };
}

impl ResourceDefinition {
    /// Makes the resource the page of a view.
    #[doc(hidden)]
    pub fn page_of(mut self, view: &'static ViewDefinition) -> Self {
        self.call.view = Some(view);
        let page = self.mime_type(MIME_TYPE);
        match view.meta() {
            Some(ui) => page.meta(UI, ui),
            None => page,
        }
    }
}

/// Returns the page of a view, filled in with this state.
#[doc(hidden)]
pub fn fill_page(view: &ViewDefinition, state: &Value) -> Result<ReadResourceResult, ToolError> {
    let contents = page(view, fill(view.html, state)?);
    Ok(ReadResourceResult::new([contents]))
}

/// Returns the contents of a page.
pub(super) fn page(view: &ViewDefinition, html: impl Into<std::borrow::Cow<'static, str>>) -> ResourceContents {
    let contents = ResourceContents::text(with_client(html.into()));
    match view.meta() {
        Some(ui) => contents.meta(UI, ui),
        None => contents,
    }
}

/// Returns the resource in the form in which a view creates it.
#[doc(hidden)]
pub fn boxed_resource(resource: impl Resource) -> Box<dyn Any + Send + Sync> {
    let resource: Box<dyn Resource> = Box::new(resource);
    Box::new(resource)
}
