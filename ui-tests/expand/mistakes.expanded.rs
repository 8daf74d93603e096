::core::compile_error! { "unknown key `titel`; did you mean `title`?" }
::core::compile_error! { "a tool must be an `async fn`; write `async` before `fn`" }
::core::compile_error! { "`search` has no description, but the model chooses a tool by its description; write a doc comment: `/// What it does and when to use it.`" }
#[allow(
    clippy::unused_async,
    clippy::needless_pass_by_value,
    clippy::trivially_copy_pass_by_ref,
    clippy::ptr_arg,
    clippy::implicit_hasher,
    clippy::too_many_arguments,
    clippy::fn_params_excessive_bools,
    clippy::missing_errors_doc,
    clippy::missing_panics_doc
)]
fn search(text: String) -> String {
    text
}
#[doc(hidden)]
struct search {}
#[allow(deprecated)]
const _: () = {
    use ::mcp_runtime::__private as _mcp;
    _mcp :: fallback ! (Tool [] search);
    _mcp :: entry ! (Tool search , :: core :: stringify ! (search));
    const _: _mcp::Input<String> = <String as _mcp::ToolInput>::INPUT;
    const __OUTPUT: _mcp::OutputFunctions<String> = <String as _mcp::ToolOutput>::FUNCTIONS;
    impl _mcp::AsksWith<_mcp::NoForms> for search {}
    #[allow(
        dead_code,
        unreachable_pub,
        private_interfaces,
        private_bounds,
        clippy::needless_pass_by_value,
        clippy::too_many_arguments
    )]
    impl search {
        #[doc = "A call of the tool `search` with these arguments, for `ctx.call_tool(…)`."]
        fn with(_: impl _mcp::ToArgument<String>) -> _mcp::PreparedCall<_mcp::NoForms, String> {
            ::core::unreachable!()
        }
    }
};
