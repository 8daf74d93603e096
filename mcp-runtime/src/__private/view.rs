//! Forms with a view.

/// Returns the form with its view.
#[cfg(feature = "views-preview")]
#[doc(hidden)]
#[macro_export]
macro_rules! __mcp_form_with_view {
    ($form:expr, $view:expr) => {
        $form.shown_by($view)
    };
}

/// Without the feature `views-preview`, causes a compile error.
#[cfg(not(feature = "views-preview"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __mcp_form_with_view {
    ($form:expr, $view:expr) => {{
        ::core::compile_error!(
            "a form with a view needs the feature `views-preview` of `mcp-runtime`; add it in `Cargo.toml`"
        );
        let _ = $view;
        $form
    }};
}
