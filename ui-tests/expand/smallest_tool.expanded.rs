#[doc = " Says hello."]
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
async fn hello() -> String {
    "Hello!".to_owned()
}
#[doc(hidden)]
struct hello {}
#[allow(deprecated)]
const _: () = {
    use ::mcp_runtime::__private as _mcp;
    static __PARAMETERS: &[_mcp::Parameter] = &[];
    const __TAKES: _mcp::Takes = _mcp::Takes::Parameters(__PARAMETERS);
    const __OUTPUT: _mcp::OutputFunctions<String> = <String as _mcp::ToolOutput>::FUNCTIONS;
    impl _mcp::Tool for hello {
        fn definition(&self) -> _mcp::ToolDefinition {
            _mcp::definition("hello", "Says hello.", __TAKES, &[], __OUTPUT.schema)
        }
        fn call(
            &self,
            call: _mcp::Call,
            arguments: _mcp::Arguments<'_>,
        ) -> ::core::result::Result<_mcp::CallFuture, _mcp::ArgumentsError> {
            arguments.fill(__PARAMETERS, &mut [])?;
            ::core::result::Result::Ok(_mcp::boxed(async move { (__OUTPUT.into_result)(hello().await) }))
        }
    }
    _mcp :: entry ! (Tool hello , "hello");
    impl _mcp::AsksWith<_mcp::NoForms> for hello {}
    #[allow(
        dead_code,
        unreachable_pub,
        private_interfaces,
        private_bounds,
        clippy::needless_pass_by_value,
        clippy::too_many_arguments
    )]
    impl hello {
        #[doc = "A call of the tool `hello` with these arguments, for `ctx.call_tool(…)`."]
        fn with() -> _mcp::PreparedCall<_mcp::NoForms, String> {
            _mcp::PreparedCall::new::<Self, _>([])
        }
    }
};
