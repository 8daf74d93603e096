#[allow(deprecated)]
const _: () = {
    use ::facade::mcp::__private as _mcp;
    #[automatically_derived]
    impl _mcp::Choice for Seat {
        const CHOICES: &'static [_mcp::ChoiceEntry] = &[
            _mcp::ChoiceEntry::new("window", ::core::option::Option::Some("Window")),
            _mcp::ChoiceEntry::new("none", ::core::option::Option::Some("No preference")),
            _mcp::ChoiceEntry::new("prefer_not", ::core::option::Option::Some("Prefer not")),
        ];
        fn index(&self) -> ::core::primitive::usize {
            match self {
                Self::Window => 0,
                Self::None => 1,
                Self::PreferNot => 2,
            }
        }
        fn at(index: ::core::primitive::usize) -> ::core::option::Option<Self> {
            ::core::option::Option::Some(match index {
                0 => Self::Window,
                1 => Self::None,
                2 => Self::PreferNot,
                _ => return ::core::option::Option::None,
            })
        }
    }
    #[automatically_derived]
    impl _mcp::FormField for Seat {
        const SHAPE: _mcp::Shape = _mcp::Shape::one_of(<Self as _mcp::Choice>::CHOICES);
        fn read(answer: _mcp::Value) -> ::core::result::Result<Self, ::std::string::String> {
            _mcp::read_choice(&answer)
        }
        fn write(self) -> _mcp::Value {
            _mcp::write_choice(&self)
        }
    }
};
