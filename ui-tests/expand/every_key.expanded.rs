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
async fn search() {}
#[doc(hidden)]
struct SearchTool {}
#[allow(deprecated)]
const _: () = {
    use ::facade::mcp::__private as _mcp;
    static __PARAMETERS: &[_mcp::Parameter] = &[];
    const __TAKES: _mcp::Takes = _mcp::Takes::Parameters(__PARAMETERS);
    const __OUTPUT: _mcp::OutputFunctions<()> = <() as _mcp::ToolOutput>::FUNCTIONS;
    impl _mcp::Tool for SearchTool {
        fn definition(&self) -> _mcp::ToolDefinition {
            _mcp::definition("search.all", "Searches everything.", __TAKES, &[], __OUTPUT.schema)
                .title("Search")
                .read_only(true)
                .destructive(false)
                .idempotent(true)
                .open_world(false)
                .timeout(::core::time::Duration::from_millis(30000u64))
                .requires(_mcp::Capability::Sampling)
                .optional(_mcp::Capability::Roots)
                .scope("search")
                .scope("catalogue:read")
                .replayable()
                .allow("unportable_name")
                .allow("undescribed_parameter")
                .meta("example.com/version", 3)
                .meta("beta", true)
        }
        fn call(
            &self,
            call: _mcp::Call,
            arguments: _mcp::Arguments<'_>,
        ) -> ::core::result::Result<_mcp::CallFuture, _mcp::ArgumentsError> {
            arguments.fill(__PARAMETERS, &mut [])?;
            ::core::result::Result::Ok(_mcp::boxed(async move { (__OUTPUT.into_result)(search().await) }))
        }
    }
    _mcp :: entry ! (Tool SearchTool , "search.all");
    impl _mcp::AsksWith<_mcp::NoForms> for SearchTool {}
    #[allow(
        dead_code,
        unreachable_pub,
        private_interfaces,
        private_bounds,
        clippy::needless_pass_by_value,
        clippy::too_many_arguments
    )]
    impl SearchTool {
        #[doc = "A call of the tool `search.all` with these arguments, for `ctx.call_tool(…)`."]
        fn with() -> _mcp::PreparedCall<_mcp::NoForms, ()> {
            _mcp::PreparedCall::new::<Self, _>([])
        }
    }
};
