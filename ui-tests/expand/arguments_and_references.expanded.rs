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
    _mcp :: argument ! (__Argument0 : String , ToolInput);
    _mcp :: argument ! (__Argument1 : Option < Date > , ToolInput);
    _mcp :: default ! (__Argument1 : Option < Date >);
    _mcp :: argument ! (__Argument2 : u32 , ToolInput);
    fn __default2() -> __Argument2 {
        let value: u32 = ten();
        __Argument2(value)
    }
    _mcp :: argument ! (__Argument3 : Price);
    fn __read3<'de, __D: _mcp::serde::Deserializer<'de>>(
        deserializer: __D,
    ) -> ::core::result::Result<__Argument3, __D::Error> {
        let value: ::core::result::Result<Price, __D::Error> = price(deserializer);
        value.map(__Argument3)
    }
    #[derive(_mcp :: serde :: Deserialize, _mcp :: schemars :: JsonSchema)]
    #[serde(crate = "_mcp::serde", deny_unknown_fields)]
    #[schemars(crate = "_mcp::schemars")]
    struct __Arguments {
        #[doc = " IATA code of the destination."]
        #[schemars(length(equal = 3))]
        destination: __Argument0,
        #[serde(default)]
        date: __Argument1,
        #[serde(rename = "max", default = "__default2")]
        limit: __Argument2,
        #[schemars(with = "f64")]
        #[serde(deserialize_with = "__read3")]
        budget: __Argument3,
    }
    _mcp :: argument ! (__Root : __Arguments);
    use _mcp::Some;
    const _: () = <Db as _mcp::Shared>::CHECK;
    const _: () = <Ctx as _mcp::Shared>::CHECK;
    const __OUTPUT: _mcp::OutputFunctions<Result<Json<Flights>, SearchError>> =
        <Result<Json<Flights>, SearchError> as _mcp::ToolOutput>::FUNCTIONS;
    impl _mcp::Tool for search {
        fn definition(&self) -> _mcp::ToolDefinition {
            _mcp::definition::<__Root, _>(
                "search",
                "Searches for flights.",
                &[("destination", _mcp::may_be_absent::<__Argument0>)],
                &[_mcp::reference!(Db, need), _mcp::reference!(Ctx, need)],
                &__OUTPUT,
            )
            .read_otherwise()
            .read_only(true)
        }
        fn call(
            &self,
            call: _mcp::Call,
            arguments: _mcp::Arguments<'_>,
        ) -> ::core::result::Result<_mcp::Calling, _mcp::ArgumentsError> {
            let __Root(arguments) = arguments.read()?;
            ::core::result::Result::Ok(_mcp::boxed(async move {
                let reference0 = _mcp::reference!(Db, &call);
                let reference1 = _mcp::reference!(Ctx, &call);
                (__OUTPUT.into_result)(
                    search(
                        &reference0,
                        &reference1,
                        arguments.destination.0,
                        arguments.date.0,
                        arguments.limit.0,
                        arguments.budget.0,
                    )
                    .await,
                )
            }))
        }
    }
    impl _mcp::Registered for search {
        const ENTRY: _mcp::Entry = _mcp::Entry::new("search", || ::std::boxed::Box::new(search {}));
    }
};
