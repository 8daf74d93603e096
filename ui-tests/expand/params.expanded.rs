#[doc = " Searches."]
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
async fn search(query: Query) {}
#[doc(hidden)]
struct search {}
#[allow(deprecated)]
const _: () = {
    use ::mcp_runtime::__private as _mcp;
    _mcp :: argument ! (__Argument0 : Query , ToolInput);
    use __Argument0 as __Root;
    const __OUTPUT: _mcp::OutputFunctions<()> = <() as _mcp::ToolOutput>::FUNCTIONS;
    impl _mcp::Tool for search {
        fn definition(&self) -> _mcp::ToolDefinition {
            _mcp::definition::<__Root, _>("search", "Searches.", &[], &[], &__OUTPUT)
        }
        fn call(
            &self,
            call: _mcp::Call,
            arguments: _mcp::Arguments<'_>,
        ) -> ::core::result::Result<_mcp::Calling, _mcp::ArgumentsError> {
            let __Root(arguments) = arguments.read()?;
            ::core::result::Result::Ok(_mcp::boxed(async move { (__OUTPUT.into_result)(search(arguments).await) }))
        }
    }
    impl _mcp::Registered for search {
        const ENTRY: _mcp::Entry = _mcp::Entry::new("search", || ::std::boxed::Box::new(search {}));
    }
};
