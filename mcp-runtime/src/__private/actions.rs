//! The runtime part of `#[mcp_actions]`.

/// `into_tool!(Type)` makes a value of the type a tool of `Server::tool`.
#[doc(hidden)]
#[macro_export]
macro_rules! __mcp_into_tool {
    ($ty:ty) => {
        impl $crate::tool::IntoTool<$crate::__private::HasActions> for $ty {
            type Tool = $crate::actions::Actions;

            fn into_tool(self) -> $crate::actions::Actions {
                self.into_actions()
            }
        }
    };
}
