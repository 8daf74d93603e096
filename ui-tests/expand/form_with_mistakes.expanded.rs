::core::compile_error! { "`key` belongs on the variant that wraps this struct" }
::core::compile_error! { "`pattern` is not part of the protocol, so no client would check it; use `#[derive(Choice)]`, `min_length` and `max_length`, or `format`" }
::core::compile_error! { "`min` is greater than `max`; write `min = 1, max = 5`" }
::core::compile_error! { "a form cannot be generic, because its schema is fixed; write a concrete type" }
::core::compile_error! { "`password` looks like a secret; a form must not ask for a secret, because clients may store and show the answer; ask on your own web page with `ctx.elicit_url(…)`, or write `#[elicit(not_secret)]` if the field is not a secret" }
#[allow(deprecated)]
const _: () = {
    use ::mcp_runtime::__private as _mcp;
    const FIELD_0: _mcp::Draft = _mcp::Draft::new("password", <&'static str as _mcp::NotABorrow>::TYPE);
    const FIELD_2: _mcp::Draft = _mcp::Draft::new("age", <u8 as _mcp::FlatField>::TYPE);
    const FIELD_3: _mcp::Draft = _mcp::Draft::new("years", <HashMap<String, u8> as _mcp::NotAMap>::TYPE);
    #[automatically_derived]
    impl<T: ::core::marker::Send + 'static> _mcp::Form for Details<T> {
        fn schema() -> &'static _mcp::FormSchema {
            ::core::unreachable!()
        }
        fn read(answers: &mut _mcp::Answers) -> ::core::result::Result<Self, _mcp::Unfit> {
            ::core::unreachable!()
        }
        fn write(self, content: &mut _mcp::Answers) {
            ::core::unreachable!()
        }
    }
    #[automatically_derived]
    #[allow(dead_code, non_upper_case_globals, private_interfaces)]
    impl<T> Details<T> {
        #[doc = "The field `password`."]
        const PASSWORD: _mcp::FieldKey<Self, &'static str> = _mcp::FieldKey::new(0);
        #[doc = "The field `tags`."]
        const TAGS: _mcp::FieldKey<Self, Vec<T>> = _mcp::FieldKey::new(1);
        #[doc = "The field `age`."]
        const AGE: _mcp::FieldKey<Self, u8> = _mcp::FieldKey::new(2);
        #[doc = "The field `years`."]
        const YEARS: _mcp::FieldKey<Self, HashMap<String, u8>> = _mcp::FieldKey::new(3);
    }
};
