::core::compile_error! { "a set of tools has no lifetimes: answers are owned; write `String` for `&str`" }
::core::compile_error! { "`Resign` has no description, and the model chooses tools by their descriptions; write a doc comment: `/// What it does and when to use it.`" }
#[allow(deprecated)]
const _: () = {
    use ::mcp_runtime::__private as _mcp;
    #[automatically_derived]
    impl<'a: 'static> _mcp::SampleTools for Strategy<'a> {
        const VARIANTS: &'static [_mcp::SampleVariant<Self>] = &[];
    }
};
