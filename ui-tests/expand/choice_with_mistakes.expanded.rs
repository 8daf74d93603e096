::core::compile_error! { "a choice cannot contain data; write `Window`, and make the data a field of the form" }
::core::compile_error! { "a choice cannot contain data; write `Aisle`, and make the data a field of the form" }
::core::compile_error! { "a choice cannot be generic, because its schema is fixed; write a concrete type" }
::core::compile_error! { "two choices are named `aisle`; write `#[choice(rename = \"…\")]` on one" }
#[allow(deprecated)]
const _: () = {
    use ::mcp_runtime::__private as _mcp;
    #[automatically_derived]
    impl<T: ::core::marker::Send + 'static> _mcp::Choice for Seat<T> {
        const CHOICES: &'static [_mcp::ChoiceEntry] = &[
            _mcp::ChoiceEntry::new("window", ::core::option::Option::None),
            _mcp::ChoiceEntry::new("aisle", ::core::option::Option::None),
            _mcp::ChoiceEntry::new("aisle", ::core::option::Option::None),
        ];
        fn index(&self) -> ::core::primitive::usize {
            ::core::unreachable!()
        }
        fn at(index: ::core::primitive::usize) -> ::core::option::Option<Self> {
            ::core::unreachable!()
        }
    }
    #[automatically_derived]
    impl<T: ::core::marker::Send + 'static> _mcp::FormField for Seat<T> {
        const SHAPE: _mcp::Shape = _mcp::Shape::one_of(<Self as _mcp::Choice>::CHOICES);
        fn read(answer: _mcp::Value) -> ::core::result::Result<Self, ::std::string::String> {
            _mcp::read_choice(&answer)
        }
        fn write(self) -> _mcp::Value {
            _mcp::write_choice(&self)
        }
    }
};
