#[doc = " A page of the manual."]
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
async fn page(docs: &Docs, section: String, page: u32) -> Result<String> {
    docs.page(&section, page).await
}
#[doc(hidden)]
struct page {}
#[allow(deprecated)]
const _: () = {
    use ::mcp_runtime::__private as _mcp;
    const __ARGUMENT_0: _mcp::TextInput<String> = <String as _mcp::FromText>::INPUT;
    const __ARGUMENT_1: _mcp::TextInput<u32> = <u32 as _mcp::FromText>::INPUT;
    const __NAMES: &[&str] = &["section", "page"];
    const _: () = <Docs as _mcp::Shared>::CHECK;
    const __OUTPUT: fn(Result<String>) -> ::core::result::Result<_mcp::ReadResourceResult, _mcp::ToolError> =
        <Result<String> as _mcp::ResourceOutput>::INTO_RESULT;
    impl _mcp::Resource for page {
        fn definition(&self) -> _mcp::ResourceDefinition {
            _mcp::listed_by(
                _mcp::resource_definition(
                    "docs://{section}/{page}",
                    "page",
                    "A page of the manual.",
                    &[_mcp::reference!(Docs, need)],
                )
                .mime_type("text/markdown")
                .variable(_mcp::TextArgument::new("section", __ARGUMENT_0.described()))
                .variable(_mcp::TextArgument::new("page", __ARGUMENT_1.described())),
                pages,
            )
        }
        fn read(
            &self,
            call: _mcp::Call,
            request: _mcp::ReadRequest<'_>,
        ) -> ::core::result::Result<_mcp::ReadResourceFuture, _mcp::ArgumentsError> {
            #[allow(unused_mut)]
            let mut reader = request.variables().reader(__NAMES);
            let argument0 = reader.read(__ARGUMENT_0);
            let argument1 = reader.read(__ARGUMENT_1);
            let (::core::option::Option::Some(argument0), ::core::option::Option::Some(argument1), true) =
                (argument0, argument1, reader.is_sound())
            else {
                return ::core::result::Result::Err(reader.into_error());
            };
            ::core::result::Result::Ok(_mcp::boxed(async move {
                let reference0 = _mcp::reference!(Docs, &call);
                (__OUTPUT)(page(&reference0, argument0, argument1).await)
            }))
        }
    }
    _mcp :: entry ! (Resource page , "page");
};
