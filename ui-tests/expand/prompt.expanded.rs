#[doc = " Reviews code."]
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
pub async fn review(ctx: &Ctx, db: &Db, code: String, language: Option<Language>) -> Result<String> {
    db.review(ctx, &code, language).await
}
#[doc(hidden)]
pub struct review {}
#[allow(deprecated)]
const _: () = {
    use ::mcp_runtime::__private as _mcp;
    const __ARGUMENT_0: _mcp::TextInput<String> = <String as _mcp::FromText>::INPUT;
    const __ARGUMENT_1: _mcp::TextInput<Option<Language>> = <Option<Language> as _mcp::FromText>::INPUT;
    const __NAMES: &[&str] = &["code", "language"];
    const _: () = <Ctx as _mcp::Shared>::CHECK;
    const _: () = <Db as _mcp::Shared>::CHECK;
    const __OUTPUT: fn(Result<String>) -> ::core::result::Result<_mcp::GetPromptResult, _mcp::ToolError> =
        <Result<String> as _mcp::PromptOutput>::INTO_RESULT;
    impl _mcp::Prompt for review {
        fn definition(&self) -> _mcp::PromptDefinition {
            _mcp::prompt_definition(
                "review",
                "Reviews code.",
                &[_mcp::reference!(Ctx, need), _mcp::reference!(Db, need)],
            )
            .title("Review")
            .argument(_mcp::TextArgument::new("code", __ARGUMENT_0.described()).description("The code to review."))
            .argument(_mcp::completed_by(_mcp::TextArgument::new("language", __ARGUMENT_1.described()), languages))
            .scope("code:read")
        }
        fn get(
            &self,
            call: _mcp::Call,
            arguments: _mcp::TextArguments<'_>,
        ) -> ::core::result::Result<_mcp::GetPromptFuture, _mcp::ArgumentsError> {
            #[allow(unused_mut)]
            let mut reader = arguments.reader(__NAMES);
            let argument0 = reader.read(__ARGUMENT_0);
            let argument1 = reader.read(__ARGUMENT_1);
            let (::core::option::Option::Some(argument0), ::core::option::Option::Some(argument1), true) =
                (argument0, argument1, reader.is_sound())
            else {
                return ::core::result::Result::Err(reader.into_error());
            };
            ::core::result::Result::Ok(_mcp::boxed(async move {
                let reference0 = _mcp::reference!(Ctx, &call);
                let reference1 = _mcp::reference!(Db, &call);
                (__OUTPUT)(review(&reference0, &reference1, argument0, argument1).await)
            }))
        }
    }
    _mcp :: entry ! (Prompt review , "review");
};
