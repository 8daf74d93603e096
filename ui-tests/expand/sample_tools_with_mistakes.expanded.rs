::core::compile_error! { "a set of tools cannot have lifetime parameters; remove this one, and write `String` instead of `&str`" }
::core::compile_error! { "`Resign` has no description, but the model chooses a tool by its description; write a doc comment: `/// What it does and when to use it.`" }
#[allow(deprecated)]
const _: () = {
    use ::mcp_runtime::__private as _mcp;
    #[automatically_derived]
    impl<'a: 'static> _mcp::SampleTools for Strategy<'a> {
        const VARIANTS: &'static [_mcp::SampleVariant<Self>] = &[];
    }
};
