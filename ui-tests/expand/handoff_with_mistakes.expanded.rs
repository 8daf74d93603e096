::core::compile_error! { "`replayable` has no effect on a handoff, where only `client` can run again; remove `replayable`" }
::core::compile_error! { "a phase must be an `async fn`; write `async` before `fn`" }
::core::compile_error! { "`after` must take two values: the handoff from `before` and the answer from `client`; write `after(&self, handoff: Flights, answer: Choice)`" }
::core::compile_error! { "`client` must borrow the handoff, because `after` needs it later; write `&Flights`" }
::core::compile_error! { "`BookFlight` has no description, but the model chooses a tool by its description; write a doc comment above the `impl`: `/// What it does and when to use it.`" }
impl BookFlight {
    #[allow(
        clippy::unused_async,
        clippy::unused_self,
        clippy::needless_pass_by_value,
        clippy::trivially_copy_pass_by_ref,
        clippy::ptr_arg,
        clippy::implicit_hasher,
        clippy::too_many_arguments,
        clippy::fn_params_excessive_bools,
        clippy::missing_errors_doc,
        clippy::missing_panics_doc
    )]
    async fn before(&self, destination: String, db: &Db) -> Flights {
        self.search(destination)
    }
    #[allow(
        clippy::unused_async,
        clippy::unused_self,
        clippy::needless_pass_by_value,
        clippy::trivially_copy_pass_by_ref,
        clippy::ptr_arg,
        clippy::implicit_hasher,
        clippy::too_many_arguments,
        clippy::fn_params_excessive_bools,
        clippy::missing_errors_doc,
        clippy::missing_panics_doc
    )]
    async fn client(ctx: &Ctx<Booking>, flights: Flights) -> Choice {
        ask(ctx, flights).await
    }
    #[allow(
        clippy::unused_async,
        clippy::unused_self,
        clippy::needless_pass_by_value,
        clippy::trivially_copy_pass_by_ref,
        clippy::ptr_arg,
        clippy::implicit_hasher,
        clippy::too_many_arguments,
        clippy::fn_params_excessive_bools,
        clippy::missing_errors_doc,
        clippy::missing_panics_doc
    )]
    fn after(&self, flights: Flights) -> Result<String, BookingError> {
        self.book(flights)
    }
    fn helper(&self) {}
}
#[allow(deprecated)]
const _: () = {
    use ::mcp_runtime::__private as _mcp;
    _mcp :: fallback ! (Tool [] BookFlight);
    const _: _mcp::Input<String> = <String as _mcp::ToolInput>::INPUT;
    const _: () = <Db as _mcp::Shared>::CHECK;
    const __OUTPUT: _mcp::OutputFunctions<Result<String, BookingError>> =
        <Result<String, BookingError> as _mcp::ToolOutput>::FUNCTIONS;
    #[allow(
        dead_code,
        unreachable_pub,
        private_interfaces,
        private_bounds,
        clippy::needless_pass_by_value,
        clippy::too_many_arguments
    )]
    impl BookFlight {
        #[doc = "A call of the tool `book_flight` with these arguments, for `ctx.call_tool(…)`."]
        pub fn with(
            _: impl _mcp::ToArgument<String>,
        ) -> _mcp::PreparedCall<_mcp::NoForms, Result<String, BookingError>> {
            ::core::unreachable!()
        }
    }
};
