#[allow(deprecated)]
const _: () = {
    use ::mcp_runtime::__private as _mcp;
    const FIELD_0: _mcp::Draft =
        _mcp::Draft::new("name", <String as _mcp::FlatField>::TYPE).description("As in the passport.");
    const FIELD_1: _mcp::Draft = _mcp::Draft::new("email", <Option<Email> as _mcp::FlatField>::TYPE);
    #[automatically_derived]
    impl _mcp::Form for Details {
        fn schema() -> &'static _mcp::FormSchema {
            static SCHEMA: _mcp::FormSchema = _mcp::FormSchema::new(&[FIELD_0.field, FIELD_1.field]);
            &SCHEMA
        }
        fn read(answers: &mut _mcp::Answers) -> ::core::result::Result<Self, _mcp::Unfit> {
            ::core::result::Result::Ok(Self {
                name: _mcp::read!(answers, 0, String),
                email: _mcp::read!(answers, 1, Option<Email>),
            })
        }
        fn write(self, content: &mut _mcp::Answers) {
            _mcp::write!(content, 0, String, self.name);
            _mcp::write!(content, 1, Option<Email>, self.email);
        }
    }
    #[automatically_derived]
    #[allow(dead_code, non_upper_case_globals, private_interfaces)]
    impl Details {
        #[doc = "The field `name`."]
        pub const NAME: _mcp::FieldKey<Self, String> = _mcp::FieldKey::new(0);
        #[doc = "The field `email`."]
        const EMAIL: _mcp::FieldKey<Self, Option<Email>> = _mcp::FieldKey::new(1);
    }
};
