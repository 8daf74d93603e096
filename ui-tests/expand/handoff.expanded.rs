#[doc = " Books a flight."]
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
    async fn before(&self, airports: &Airports, destination: String, date: Option<Date>) -> Result<Flights> {
        self.search(airports, destination, date).await
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
    async fn client(ctx: &Ctx<Booking>, flights: &Flights) -> Result<Choice> {
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
    async fn after(&self, log: &PhaseCtx, flights: Flights, choice: Choice) -> Result<String, BookingError> {
        self.book(log, flights, choice).await
    }
    fn helper(&self) {}
}
#[allow(deprecated)]
const _: () = {
    use ::mcp_runtime::__private as _mcp;
    const __ARGUMENT0: _mcp::Input<String> = <String as _mcp::ToolInput>::INPUT;
    const __ARGUMENT1: _mcp::Input<Option<Date>> = <Option<Date> as _mcp::ToolInput>::INPUT;
    static __PARAMETERS: &[_mcp::Parameter] = &[
        _mcp::Parameter::new("destination", &[], "City.", &__ARGUMENT0),
        _mcp::Parameter::new("date", &[], "", &__ARGUMENT1),
    ];
    const __TAKES: _mcp::Takes = _mcp::Takes::Parameters(__PARAMETERS);
    const _: () = <Airports as _mcp::Shared>::CHECK;
    const _: () = <PhaseCtx as _mcp::Shared>::CHECK;
    _mcp::runs_once!(Airports);
    _mcp::runs_once!(PhaseCtx);
    const __OUTPUT: _mcp::OutputFunctions<Result<String, BookingError>> =
        <Result<String, BookingError> as _mcp::ToolOutput>::FUNCTIONS;
    const __BEFORE: fn(Result<Flights>) -> ::core::result::Result<Flights, _mcp::ToolError> =
        <Result<Flights> as _mcp::FromBefore<Flights>>::GIVE;
    const __CLIENT: fn(Result<Choice>) -> ::core::result::Result<Choice, _mcp::ToolError> =
        <Result<Choice> as _mcp::FromClient<Choice>>::GIVE;
    const __HANDOFF: _mcp::Keeping<Flights> = <Flights as _mcp::Travel>::KEEPING;
    impl _mcp::Tool for BookFlight {
        fn definition(&self) -> _mcp::ToolDefinition {
            _mcp::definition(
                "book_flight",
                "Books a flight.",
                __TAKES,
                &[
                    _mcp::reference!(Airports, need),
                    _mcp::reference!(PhaseCtx, need),
                    _mcp::reference!(Ctx<Booking>, need).of_client(),
                    _mcp::reference!(Flights, need).of_client(),
                ],
                __OUTPUT.schema,
            )
            .title("Book")
            .replayable()
            .reads_handoff(__HANDOFF.reads)
            .finds_itself::<Self>()
        }
        fn call(
            &self,
            call: _mcp::Call,
            arguments: _mcp::Arguments<'_>,
        ) -> ::core::result::Result<_mcp::CallFuture, _mcp::ArgumentsError> {
            let mut argument0 = __ARGUMENT0.slot();
            let mut argument1 = __ARGUMENT1.slot();
            arguments.fill(__PARAMETERS, &mut [&mut argument0, &mut argument1])?;
            let argument0 = argument0.take();
            let argument1 = argument1.take();
            ::core::result::Result::Ok(_mcp::boxed(async move {
                let handoff = _mcp::before(
                    &call,
                    &__HANDOFF,
                    _mcp::boxed(async {
                        let this = _mcp::this!(BookFlight, &call);
                        let reference0 = _mcp::reference!(Airports, &call);
                        __BEFORE(<BookFlight>::before(&this, &reference0, argument0, argument1).await)
                    }),
                )
                .await?;
                let answer = _mcp::boxed(async {
                    let taken0 = _mcp::taken!(Ctx<Booking>, Flights, &call, &handoff);
                    let taken1 = _mcp::taken!(Flights, Flights, &call, &handoff);
                    __CLIENT(<BookFlight>::client(&taken0, &taken1).await)
                })
                .await?;
                _mcp::after(
                    &call,
                    _mcp::boxed(async {
                        let this = _mcp::this!(BookFlight, &call);
                        let lent0 = _mcp::reference!(PhaseCtx, &call);
                        (__OUTPUT.into_result)(<BookFlight>::after(&this, &lent0, handoff, answer).await)
                    }),
                )
                .await
            }))
        }
    }
    impl _mcp::AsksWith<_mcp::set_of!(Ctx<Booking>, Flights)> for BookFlight {}
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
            destination: impl _mcp::ToArgument<String>,
            date: impl _mcp::ToArgument<Option<Date>>,
        ) -> _mcp::PreparedCall<_mcp::set_of!(Ctx<Booking>, Flights), Result<String, BookingError>> {
            _mcp::PreparedCall::new::<Self, _>([
                ("destination", _mcp::ToArgument::<String>::to_argument(&destination)),
                ("date", _mcp::ToArgument::<Option<Date>>::to_argument(&date)),
            ])
        }
    }
};
const _: () = {
    #[deprecated(
        note = "the description `Books a flight.` only repeats the name, but the model chooses a tool by its description; write what the tool does, and when to use it; to allow this, add `allow(repeated_description)`"
    )]
    const fn repeated_description() {}
    repeated_description()
};
