#[doc = " Shows the seats."]
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
async fn show_seats() -> Json<Seats> {
    Json(Seats)
}
#[doc(hidden)]
struct show_seats {}
#[allow(deprecated)]
const _: () = {
    use ::mcp_runtime::__private as _mcp;
    static __PARAMETERS: &[_mcp::Parameter] = &[];
    const __TAKES: _mcp::Takes = _mcp::Takes::Parameters(__PARAMETERS);
    const __OUTPUT: _mcp::OutputFunctions<Json<Seats>> = <Json<Seats> as _mcp::ViewOutput>::VIEW_FUNCTIONS;
    impl _mcp::Tool for show_seats {
        fn definition(&self) -> _mcp::ToolDefinition {
            _mcp::definition("show_seats", "Shows the seats.", __TAKES, &[], __OUTPUT.schema)
                .shown_by(<SeatMap as _mcp::View>::DEFINITION)
                .visibility(_mcp::ToolVisibility::App)
        }
        fn call(
            &self,
            call: _mcp::Call,
            arguments: _mcp::Arguments<'_>,
        ) -> ::core::result::Result<_mcp::CallFuture, _mcp::ArgumentsError> {
            arguments.fill(__PARAMETERS, &mut [])?;
            ::core::result::Result::Ok(_mcp::boxed(async move { (__OUTPUT.into_result)(show_seats().await) }))
        }
    }
    _mcp :: entry ! (Tool show_seats , "show_seats");
    impl _mcp::AsksWith<_mcp::NoForms> for show_seats {}
    #[allow(
        dead_code,
        unreachable_pub,
        private_interfaces,
        private_bounds,
        clippy::needless_pass_by_value,
        clippy::too_many_arguments
    )]
    impl show_seats {
        #[doc = "A call of the tool `show_seats` with these arguments, for `ctx.call_tool(…)`."]
        fn with() -> _mcp::PreparedCall<_mcp::NoForms, Json<Seats>> {
            _mcp::PreparedCall::new::<Self, _>([])
        }
    }
};
const _: () = {
    #[deprecated(
        note = "the description `Shows the seats.` only repeats the name, but the model chooses a tool by its description; write what the tool does, and when to use it; to allow this, add `allow(repeated_description)`"
    )]
    const fn repeated_description() {}
    repeated_description()
};
