#[doc = " Renders a film."]
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
async fn render(ctx: &Ctx, frames: u32) -> String {
    draw(ctx, frames).await
}
#[doc(hidden)]
struct render {}
#[allow(deprecated)]
const _: () = {
    use ::mcp_runtime::__private as _mcp;
    const __ARGUMENT0: _mcp::Input<u32> = <u32 as _mcp::ToolInput>::INPUT;
    static __PARAMETERS: &[_mcp::Parameter] = &[_mcp::Parameter::new("frames", &[], "", &__ARGUMENT0)];
    const __TAKES: _mcp::Takes = _mcp::Takes::Parameters(__PARAMETERS);
    const _: () = <Ctx as _mcp::Shared>::CHECK;
    const __OUTPUT: _mcp::OutputFunctions<String> = <String as _mcp::ToolOutput>::FUNCTIONS;
    impl _mcp::Tool for render {
        fn definition(&self) -> _mcp::ToolDefinition {
            _mcp::definition("render", "Renders a film.", __TAKES, &[_mcp::reference!(Ctx, need)], __OUTPUT.schema)
                .task()
                .requires(_mcp::Capability::Tasks)
        }
        fn call(
            &self,
            call: _mcp::Call,
            arguments: _mcp::Arguments<'_>,
        ) -> ::core::result::Result<_mcp::CallFuture, _mcp::ArgumentsError> {
            let mut argument0 = __ARGUMENT0.slot();
            arguments.fill(__PARAMETERS, &mut [&mut argument0])?;
            let argument0 = argument0.take();
            ::core::result::Result::Ok(_mcp::as_task!(call, move |call: _mcp::Call| _mcp::boxed(async move {
                let reference0 = _mcp::reference!(Ctx, &call);
                (__OUTPUT.into_result)(render(&reference0, argument0).await)
            })))
        }
    }
    _mcp :: entry ! (Tool render , "render");
    impl _mcp::AsksWith<_mcp::set_of!(Ctx)> for render {}
    #[allow(
        dead_code,
        unreachable_pub,
        private_interfaces,
        private_bounds,
        clippy::needless_pass_by_value,
        clippy::too_many_arguments
    )]
    impl render {
        #[doc = "A call of the tool `render` with these arguments, for `ctx.call_tool(…)`."]
        fn with(frames: impl _mcp::ToArgument<u32>) -> _mcp::PreparedCall<_mcp::set_of!(Ctx), String> {
            _mcp::PreparedCall::new::<Self, _>([("frames", _mcp::ToArgument::<u32>::to_argument(&frames))])
        }
    }
};
