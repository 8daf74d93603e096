#[doc = " Searches the notes."]
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
    const __WHOLE: _mcp::Whole<Query> = <Query as _mcp::ToolInput>::WHOLE;
    const __TAKES: _mcp::Takes = __WHOLE.takes;
    const __OUTPUT: _mcp::OutputFunctions<()> = <() as _mcp::ToolOutput>::FUNCTIONS;
    impl _mcp::Tool for search {
        fn definition(&self) -> _mcp::ToolDefinition {
            _mcp::definition("search", "Searches the notes.", __TAKES, &[], __OUTPUT.schema)
        }
        fn call(
            &self,
            call: _mcp::Call,
            arguments: _mcp::Arguments<'_>,
        ) -> ::core::result::Result<_mcp::CallFuture, _mcp::ArgumentsError> {
            let argument0 = arguments.read_by(__WHOLE.read)?;
            ::core::result::Result::Ok(_mcp::boxed(async move { (__OUTPUT.into_result)(search(argument0).await) }))
        }
    }
    _mcp :: entry ! (Tool search , "search");
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
        fn with(query: impl _mcp::ToArgument<Query>) -> _mcp::PreparedCall<_mcp::NoForms, ()> {
            _mcp::PreparedCall::whole::<Self>(_mcp::ToArgument::<Query>::to_argument(&query))
        }
    }
};
