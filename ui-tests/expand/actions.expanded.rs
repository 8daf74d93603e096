#[doc = " Runs pipelines."]
impl Pipelines {
    #[doc = " Lists the runs."]
    async fn list(&self, ctx: &Ctx, limit: u32) -> Json<Vec<Run>> {
        self.runs(ctx, limit)
    }
    fn runs(&self, _: &Ctx, _: u32) -> Json<Vec<Run>> {
        Json(Vec::new())
    }
}
impl Pipelines {
    #[doc = "Returns the tool `pipelines`, made of the actions of this value."]
    #[allow(deprecated)]
    pub fn into_actions(self) -> ::renamed::actions::Actions {
        use ::renamed::__private as _mcp;
        let service = ::std::sync::Arc::new(self);
        _mcp::Actions::new(
            _mcp::ActionSet::new(
                _mcp::ToolDefinition::new("pipelines", "Runs pipelines.")
                    .title("Pipelines")
                    .timeout(::core::time::Duration::from_millis(5000u64)),
                ::std::vec![{
                    #[allow(non_upper_case_globals)]
                    const __default0: fn() -> u32 = <u32 as _mcp::Defaulted>::MAKE;
                    const __ARGUMENT0: _mcp::Input<u32> = <u32 as _mcp::ToolInput>::INPUT
                        .or(|| ::core::option::Option::Some(__default0()), || _mcp::default!(u32, __default0()));
                    static __PARAMETERS: &[_mcp::Parameter] = &[_mcp::Parameter::new("limit", &[], "", &__ARGUMENT0)];
                    const __TAKES: _mcp::Takes = _mcp::Takes::Parameters(__PARAMETERS);
                    const _: () = <Ctx as _mcp::Shared>::CHECK;
                    const __OUTPUT: _mcp::OutputFunctions<Json<Vec<Run>>> =
                        <Json<Vec<Run>> as _mcp::ToolOutput>::FUNCTIONS;
                    _mcp::Action::new(
                        _mcp::definition(
                            "list",
                            "Lists the runs.",
                            __TAKES,
                            &[_mcp::reference!(Ctx, need)],
                            __OUTPUT.schema,
                        ),
                        &service,
                        |this: ::std::sync::Arc<Self>, call: _mcp::Call, arguments: _mcp::Arguments<'_>| {
                            let mut argument0 = __ARGUMENT0.slot();
                            arguments.fill(__PARAMETERS, &mut [&mut argument0])?;
                            let argument0 = argument0.take();
                            ::core::result::Result::Ok(_mcp::boxed(async move {
                                let reference0 = _mcp::reference!(Ctx, &call);
                                (__OUTPUT.into_result)(Self::list(&*this, &reference0, argument0).await)
                            }))
                        },
                    )
                    .hint("limit", "Ask for few.")
                    .alias("runs", ::std::vec![])
                    .alias("all", ::std::vec![("limit", _mcp::Value::from(100i64))])
                    .list()
                }],
            )
            .instructions("Be brief.")
            .catalog(&service),
        )
    }
}
::renamed::__private::into_tool!(Pipelines);
