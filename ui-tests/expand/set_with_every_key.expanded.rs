#[allow(dead_code)]
#[doc = " What booking asks."]
#[derive(Clone, Debug)]
pub enum Booking {
    #[doc = " Pick one of"]
    #[doc = " the flights."]
    PickFlight(PickFlight),
    Type(Confirm),
    #[doc = " What else."]
    Details(details::Details),
}
#[allow(clippy::struct_excessive_bools, clippy::struct_field_names)]
#[derive(Clone, Debug)]
#[doc = "Pick one of the flights."]
pub struct PickFlight {
    #[doc = " The flight's number."]
    pub flight_id: String,
    pub r#type: Option<crate::Seat>,
    #[doc = "In kilograms."]
    pub weight: f64,
    pub extras: MultiSelect<Extra>,
    # [doc = include_str ! ("since.md")]
    pub since: String,
    pub pin: bool,
}
#[doc = "Answers the forms of [`Booking`] inside an application: one method for each."]
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not answer the forms of `Booking`",
    label = "not a handler of `Booking`",
    note = "write `impl BookingHandler for {Self}`, with one method for each form: `pick_flight`, `r#type` and `details`"
)]
#[allow(dead_code, private_interfaces)]
pub trait BookingHandler: ::core::marker::Send + ::core::marker::Sync + 'static {
    #[doc = "Pick one of the flights."]
    fn pick_flight(
        &self,
        request: ::facade::mcp::elicit::ElicitRequest<'_, PickFlight>,
    ) -> impl ::core::future::Future<Output = ::facade::mcp::Elicited<PickFlight>> + ::core::marker::Send;
    #[doc = "Answers the form `sure`."]
    fn r#type(
        &self,
        request: ::facade::mcp::elicit::ElicitRequest<'_, Confirm>,
    ) -> impl ::core::future::Future<Output = ::facade::mcp::Elicited<Confirm>> + ::core::marker::Send;
    #[doc = "What else."]
    fn details(
        &self,
        request: ::facade::mcp::elicit::ElicitRequest<'_, details::Details>,
    ) -> impl ::core::future::Future<Output = ::facade::mcp::Elicited<details::Details>> + ::core::marker::Send;
    #[doc = "Asks the user to open a page. By default, the question stays on the timeline of the call, where a follower answers it."]
    fn elicit_url(
        &self,
        request: ::facade::mcp::elicit::ElicitUrlRequest<'_>,
    ) -> impl ::core::future::Future<Output = ::facade::mcp::Elicited<()>> + ::core::marker::Send {
        request.on_timeline()
    }
}
#[allow(deprecated)]
const _: () = {
    use ::facade::mcp::__private as _mcp;
    const FIELD_0: _mcp::Draft = _mcp::Draft::new("flight_id", <String as _mcp::FlatField>::TYPE)
        .title("Flight")
        .description("The flight's number.")
        .min_length(3)
        .max_length(6)
        .default(_mcp::Literal::Text("TP1"));
    const _: () = FIELD_0.holds(0);
    const _: () = FIELD_0.holds(1);
    const _: () = FIELD_0.holds(2);
    const FIELD_1: _mcp::Draft = _mcp::Draft::new("Seat", <Option<crate::Seat> as _mcp::FlatField>::TYPE)
        .enum_names()
        .default(_mcp::Literal::Text("none"));
    const _: () = FIELD_1.holds(0);
    const _: () = FIELD_1.holds(1);
    const FIELD_2: _mcp::Draft = _mcp::Draft::new("weight", <f64 as _mcp::FlatField>::TYPE)
        .description("In kilograms.")
        .min(_mcp::Literal::Float(-0.5))
        .max(_mcp::Literal::Integer(23));
    const _: () = FIELD_2.holds(0);
    const _: () = FIELD_2.holds(1);
    const FIELD_3: _mcp::Draft = _mcp::Draft::new("extras", <MultiSelect<Extra> as _mcp::OfChoices>::TYPE)
        .min_items(1)
        .max_items(2)
        .default(_mcp::Literal::List(&["window", "aisle"]));
    const _: () = FIELD_3.holds(0);
    const _: () = FIELD_3.holds(1);
    const _: () = FIELD_3.holds(2);
    const FIELD_4: _mcp::Draft = _mcp::Draft::new("since", <String as _mcp::FlatField>::TYPE)
        .description(include_str!("since.md"))
        .format(_mcp::Format::DateTime);
    const _: () = FIELD_4.holds(0);
    const FIELD_5: _mcp::Draft = _mcp::Draft::new("pin", <bool as _mcp::FlatField>::TYPE);
    #[automatically_derived]
    impl _mcp::Form for PickFlight {
        fn schema() -> &'static _mcp::FormSchema {
            static SCHEMA: _mcp::FormSchema = _mcp::FormSchema::new(&[
                FIELD_0.field,
                FIELD_1.field,
                FIELD_2.field,
                FIELD_3.field,
                FIELD_4.field,
                FIELD_5.field,
            ]);
            &SCHEMA
        }
        fn read(answers: &mut _mcp::Answers) -> ::core::result::Result<Self, _mcp::Unfit> {
            ::core::result::Result::Ok(Self {
                flight_id: _mcp::read!(answers, 0, String),
                r#type: _mcp::read!(answers, 1, Option<crate::Seat>),
                weight: _mcp::read!(answers, 2, f64),
                extras: _mcp::read!(answers, 3, MultiSelect<Extra>),
                since: _mcp::read!(answers, 4, String),
                pin: _mcp::read!(answers, 5, bool),
            })
        }
        fn write(self, content: &mut _mcp::Answers) {
            _mcp::write!(content, 0, String, self.flight_id);
            _mcp::write!(content, 1, Option<crate::Seat>, self.r#type);
            _mcp::write!(content, 2, f64, self.weight);
            _mcp::write!(content, 3, MultiSelect<Extra>, self.extras);
            _mcp::write!(content, 4, String, self.since);
            _mcp::write!(content, 5, bool, self.pin);
        }
    }
    #[automatically_derived]
    #[allow(dead_code, non_upper_case_globals, private_interfaces)]
    impl PickFlight {
        #[doc = "The field `flight_id`."]
        pub const FLIGHT_ID: _mcp::FieldKey<Self, String> = _mcp::FieldKey::new(0);
        #[doc = "The field `type`."]
        pub const TYPE: _mcp::FieldKey<Self, Option<crate::Seat>> = _mcp::FieldKey::new(1);
        #[doc = "The field `weight`."]
        pub const WEIGHT: _mcp::FieldKey<Self, f64> = _mcp::FieldKey::new(2);
        #[doc = "The field `extras`."]
        pub const EXTRAS: _mcp::FieldKey<Self, MultiSelect<Extra>> = _mcp::FieldKey::new(3);
        #[doc = "The field `since`."]
        pub const SINCE: _mcp::FieldKey<Self, String> = _mcp::FieldKey::new(4);
        #[doc = "The field `pin`."]
        pub const PIN: _mcp::FieldKey<Self, bool> = _mcp::FieldKey::new(5);
    }
};
#[allow(deprecated)]
const _: () = {
    use ::facade::mcp::__private as _mcp;
    #[diagnostic::on_unimplemented(
        message = "`{Self}` is not a form of `Booking`",
        label = "`Booking` has no such form",
        note = "the forms of `Booking` are `PickFlight`, `Confirm` and `details::Details`",
        note = "add `{Self}` to `Booking` as a variant, or write `&Ctx<…>` with the set that contains `{Self}`"
    )]
    pub trait BookingForms: ::core::marker::Sized {
        const FORM: _mcp::FormOf<Self>;
    }
    impl BookingForms for PickFlight {
        const FORM: _mcp::FormOf<Self> = <PickFlight as _mcp::AForm>::FORM.keyed("pick_flight");
    }
    impl BookingForms for Confirm {
        const FORM: _mcp::FormOf<Self> = <Confirm as _mcp::AForm>::FORM.keyed("sure");
    }
    impl BookingForms for details::Details {
        const FORM: _mcp::FormOf<Self> = <details::Details as _mcp::AForm>::FORM.keyed("details");
    }
    #[automatically_derived]
    impl<__Form: BookingForms> _mcp::Includes<__Form> for Booking {
        const FORM: _mcp::FormOf<__Form> = __Form::FORM;
    }
    #[automatically_derived]
    impl _mcp::Elicits for Booking {
        const FORMS: &'static [_mcp::FormEntry] = &[
            <PickFlight as BookingForms>::FORM.entry("Pick one of the flights."),
            <Confirm as BookingForms>::FORM.entry(""),
            <details::Details as BookingForms>::FORM.entry("What else."),
        ];
    }
    #[automatically_derived]
    impl _mcp::Declared for Booking {}
    #[automatically_derived]
    impl ::core::convert::From<PickFlight> for Booking {
        fn from(form: PickFlight) -> Self {
            Self::PickFlight(form)
        }
    }
    #[automatically_derived]
    impl ::core::convert::From<Confirm> for Booking {
        fn from(form: Confirm) -> Self {
            Self::Type(form)
        }
    }
    #[automatically_derived]
    impl ::core::convert::From<details::Details> for Booking {
        fn from(form: details::Details) -> Self {
            Self::Details(form)
        }
    }
    #[automatically_derived]
    impl<__H: BookingHandler> _mcp::HandledBy<__H> for Booking {
        fn handle<'asked>(handler: &'asked __H, asked: _mcp::Asked<'asked>) -> _mcp::Handling<'asked> {
            match asked.form() {
                ::core::option::Option::Some(0) => ::std::boxed::Box::pin(async move {
                    _mcp::handled!(PickFlight, __H::pick_flight(handler, asked.request()).await)
                }),
                ::core::option::Option::Some(1) => ::std::boxed::Box::pin(async move {
                    _mcp::handled!(Confirm, __H::r#type(handler, asked.request()).await)
                }),
                ::core::option::Option::Some(2) => ::std::boxed::Box::pin(async move {
                    _mcp::handled!(details::Details, __H::details(handler, asked.request()).await)
                }),
                _ => ::std::boxed::Box::pin(async move {
                    _mcp::handled_url(__H::elicit_url(handler, asked.url_request()).await)
                }),
            }
        }
    }
};
