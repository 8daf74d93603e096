#[doc = " Searches for flights."]
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
pub async fn search(
    db: &Db,
    ctx: &Ctx,
    destination: String,
    date: Option<Date>,
    limit: u32,
    budget: Price,
) -> Result<Json<Flights>, SearchError> {
    db.search(ctx, destination, date, limit, budget).await
}
#[doc(hidden)]
pub struct search {}
#[allow(deprecated)]
const _: () = {
    use ::mcp_runtime::__private as _mcp;
    const __TYPE0: _mcp::Input<String> = <String as _mcp::ToolInput>::INPUT;
    _mcp :: described ! (__Value0 : __TYPE0);
    #[allow(dead_code)]
    #[derive(_mcp :: schemars :: JsonSchema)]
    #[schemars(crate = "_mcp::schemars")]
    struct __Described0 {
        #[doc = " IATA code of the destination."]
        #[schemars(length(equal = 3))]
        value: __Value0,
    }
    const __ARGUMENT0: _mcp::Input<String> = __TYPE0.described_by(_mcp::described!(__Described0));
    #[allow(non_upper_case_globals)]
    const __default1: fn() -> Option<Date> = <Option<Date> as _mcp::Defaulted>::MAKE;
    const __ARGUMENT1: _mcp::Input<Option<Date>> = <Option<Date> as _mcp::ToolInput>::INPUT
        .or(|| ::core::option::Option::Some(__default1()), || _mcp::default!(Option<Date>, __default1()));
    fn __default2() -> u32 {
        let value: u32 = ten();
        value
    }
    const __ARGUMENT2: _mcp::Input<u32> = <u32 as _mcp::ToolInput>::INPUT
        .or(|| ::core::option::Option::Some(__default2()), || _mcp::default!(u32, __default2()));
    fn __read3<'de, __D: _mcp::serde::Deserializer<'de>>(
        deserializer: __D,
    ) -> ::core::result::Result<Price, __D::Error> {
        let value: ::core::result::Result<Price, __D::Error> = price(deserializer);
        value
    }
    const __TYPE3: _mcp::Input<Price> = _mcp::Input::UNKNOWN;
    _mcp :: described ! (__Value3 : __TYPE3);
    #[allow(dead_code)]
    #[derive(_mcp :: schemars :: JsonSchema)]
    #[schemars(crate = "_mcp::schemars")]
    struct __Described3 {
        #[schemars(with = "f64")]
        value: __Value3,
    }
    const __ARGUMENT3: _mcp::Input<Price> = __TYPE3
        .described_by(_mcp::described!(__Described3))
        .read_by(|reader| __read3(reader), |reader| __read3(reader).map(|_| ()));
    static __PARAMETERS: &[_mcp::Parameter] = &[
        _mcp::Parameter::new("destination", &[], "", &__ARGUMENT0),
        _mcp::Parameter::new("date", &[], "", &__ARGUMENT1),
        _mcp::Parameter::new("max", &[], "", &__ARGUMENT2),
        _mcp::Parameter::new("budget", &[], "", &__ARGUMENT3),
    ];
    const __TAKES: _mcp::Takes = _mcp::Takes::Parameters(__PARAMETERS);
    const _: () = <Db as _mcp::Shared>::CHECK;
    const _: () = <Ctx as _mcp::Shared>::CHECK;
    const __OUTPUT: _mcp::OutputFunctions<Result<Json<Flights>, SearchError>> =
        <Result<Json<Flights>, SearchError> as _mcp::ToolOutput>::FUNCTIONS;
    impl _mcp::Tool for search {
        fn definition(&self) -> _mcp::ToolDefinition {
            _mcp::definition(
                "search",
                "Searches for flights.",
                __TAKES,
                &[_mcp::reference!(Db, need), _mcp::reference!(Ctx, need)],
                __OUTPUT.schema,
            )
            .read_otherwise()
            .read_only(true)
        }
        fn call(
            &self,
            call: _mcp::Call,
            arguments: _mcp::Arguments<'_>,
        ) -> ::core::result::Result<_mcp::CallFuture, _mcp::ArgumentsError> {
            let mut argument0 = __ARGUMENT0.slot();
            let mut argument1 = __ARGUMENT1.slot();
            let mut argument2 = __ARGUMENT2.slot();
            let mut argument3 = __ARGUMENT3.slot();
            arguments.fill(__PARAMETERS, &mut [&mut argument0, &mut argument1, &mut argument2, &mut argument3])?;
            let argument0 = argument0.take();
            let argument1 = argument1.take();
            let argument2 = argument2.take();
            let argument3 = argument3.take();
            ::core::result::Result::Ok(_mcp::boxed(async move {
                let reference0 = _mcp::reference!(Db, &call);
                let reference1 = _mcp::reference!(Ctx, &call);
                (__OUTPUT.into_result)(
                    search(&reference0, &reference1, argument0, argument1, argument2, argument3).await,
                )
            }))
        }
    }
    _mcp :: entry ! (Tool search , "search");
    impl _mcp::AsksWith<_mcp::set_of!(Db, Ctx)> for search {}
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
        pub fn with(
            destination: impl _mcp::ToArgument<String>,
            date: impl _mcp::ToArgument<Option<Date>>,
            limit: impl _mcp::ToArgument<u32>,
            budget: impl _mcp::ToArgument<Price>,
        ) -> _mcp::PreparedCall<_mcp::set_of!(Db, Ctx), Result<Json<Flights>, SearchError>> {
            _mcp::PreparedCall::new::<Self, _>([
                ("destination", _mcp::ToArgument::<String>::to_argument(&destination)),
                ("date", _mcp::ToArgument::<Option<Date>>::to_argument(&date)),
                ("max", _mcp::ToArgument::<u32>::to_argument(&limit)),
                ("budget", _mcp::ToArgument::<Price>::to_argument(&budget)),
            ])
        }
    }
};
