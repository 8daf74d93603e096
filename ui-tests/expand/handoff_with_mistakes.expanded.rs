::core::compile_error! { "`client` can always be run again, and `before` and `after` run once; remove `replayable`" }
::core::compile_error! { "a phase is an `async fn`; write `async` before `fn`" }
::core::compile_error! { "`after` takes two values, the handoff from `before` and the answer from `client`; write `after(&self, handoff: Flights, answer: Choice)`" }
::core::compile_error! { "`client` borrows the handoff, because `after` takes it; write `&Flights`" }
::core::compile_error! { "`BookFlight` has no description, and the model chooses tools by their descriptions; write a doc comment above the `impl`: `/// What it does and when to use it.`" }
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
    _mcp :: fallback_handoff ! ([] BookFlight);
    const _: _mcp::Input<String> = <String as _mcp::ToolInput>::INPUT;
    const _: () = <Db as _mcp::Shared>::CHECK;
    const __OUTPUT: _mcp::OutputFunctions<Result<String, BookingError>> =
        <Result<String, BookingError> as _mcp::ToolOutput>::FUNCTIONS;
};
