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
    use _mcp::NoArguments as __Root;
    use ::mcp_runtime::__private as _mcp;
    const __OUTPUT: _mcp::OutputFunctions<String> = <String as _mcp::ToolOutput>::FUNCTIONS;
    impl _mcp::Tool for hello {
        fn definition(&self) -> _mcp::ToolDefinition {
            _mcp::definition::<__Root, _>("hello", "Says hello.", &[], &[], &__OUTPUT)
        }
        fn call(
            &self,
            call: _mcp::Call,
            arguments: _mcp::Arguments<'_>,
        ) -> ::core::result::Result<_mcp::Calling, _mcp::ArgumentsError> {
            let __Root(arguments) = arguments.read()?;
            ::core::result::Result::Ok(_mcp::boxed(async move { (__OUTPUT.into_result)(hello().await) }))
        }
    }
    impl _mcp::Registered for hello {
        const ENTRY: _mcp::Entry = _mcp::Entry::new("hello", || ::std::boxed::Box::new(hello {}));
    }
};
