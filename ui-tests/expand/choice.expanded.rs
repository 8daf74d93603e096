#[allow(deprecated)]
const _: () = {
    use ::mcp_runtime::__private as _mcp;
    #[automatically_derived]
    impl _mcp::Choice for Seat {
        const CHOICES: &'static [_mcp::ChoiceEntry] = &[
            _mcp::ChoiceEntry::new("window", ::core::option::Option::None),
            _mcp::ChoiceEntry::new("middle_seat", ::core::option::Option::None),
            _mcp::ChoiceEntry::new("gang", ::core::option::Option::None),
        ];
        fn index(&self) -> ::core::primitive::usize {
            match self {
                Self::Window => 0,
                Self::MiddleSeat => 1,
                Self::Aisle => 2,
            }
        }
        fn at(index: ::core::primitive::usize) -> ::core::option::Option<Self> {
            ::core::option::Option::Some(match index {
                0 => Self::Window,
                1 => Self::MiddleSeat,
                2 => Self::Aisle,
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
