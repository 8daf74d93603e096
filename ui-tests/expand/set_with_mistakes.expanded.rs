::core::compile_error! { "a field cannot be a `str`; write `String`" }
::core::compile_error! { "the fields of a form must have names; write `Pair { name: Type, … }`" }
::core::compile_error! { "this form has no fields; write `Nothing { name: Type, … }`" }
::core::compile_error! { "this form has no fields; write `Nothing { name: Type, … }`" }
::core::compile_error! { "this type is not a form; write the name of a struct with `#[derive(Form)]`" }
::core::compile_error! { "a set of forms cannot have lifetime parameters; remove this one, and write `String` instead of `&str`" }
::core::compile_error! { "a set of forms cannot be generic, because its schema is fixed; write a concrete type" }
::core::compile_error! { "two forms of this set are named `Nothing`; rename one" }
::core::compile_error! { "this variant would become a struct `Booking`, but the enum or its handler has that name; rename the variant" }
::core::compile_error! { "`Confirm` is already a form of this set; remove this variant" }
#[allow(dead_code)]
enum Booking<'a, T> {
    Pick(Pick),
    Pair(u8, T),
    Nothing(Nothing),
    Booking(),
    Wrapped(Confirm),
    Again(Confirm),
    Object(::std::boxed::Box<dyn Send>),
    #[doc(hidden)]
    __Unused(::core::marker::PhantomData<(&'a (), fn() -> T)>),
}
#[allow(clippy::struct_excessive_bools, clippy::struct_field_names)]
#[doc = "The form `pick` of [`Booking`]."]
struct Pick {
    flight: &'static str,
    seat: (),
    place: ::std::boxed::Box<str>,
}
#[allow(clippy::struct_excessive_bools, clippy::struct_field_names)]
#[doc = "The form `nothing` of [`Booking`]."]
struct Nothing {}
#[doc = "Answers the forms of [`Booking`] inside an application: one method for each."]
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not answer the forms of `Booking`",
    label = "not a handler of `Booking`",
    note = "write `impl BookingHandler for {Self}`, with one method for each form: `pick`, `nothing` and `wrapped`"
)]
#[allow(dead_code, private_interfaces)]
trait BookingHandler: ::core::marker::Send + ::core::marker::Sync + 'static {
    #[doc = "Answers the form `pick`."]
    fn pick(
        &self,
        request: ::mcp_runtime::elicit::ElicitRequest<'_, Pick>,
    ) -> impl ::core::future::Future<Output = ::mcp_runtime::Elicited<Pick>> + ::core::marker::Send;
    #[doc = "Answers the form `nothing`."]
    fn nothing(
        &self,
        request: ::mcp_runtime::elicit::ElicitRequest<'_, Nothing>,
    ) -> impl ::core::future::Future<Output = ::mcp_runtime::Elicited<Nothing>> + ::core::marker::Send;
    #[doc = "Answers the form `wrapped`."]
    fn wrapped(
        &self,
        request: ::mcp_runtime::elicit::ElicitRequest<'_, Confirm>,
    ) -> impl ::core::future::Future<Output = ::mcp_runtime::Elicited<Confirm>> + ::core::marker::Send;
    #[doc = "Asks the user to open a page. By default, the question stays on the timeline of the call, where a follower answers it."]
    fn elicit_url(
        &self,
        request: ::mcp_runtime::elicit::ElicitUrlRequest<'_>,
    ) -> impl ::core::future::Future<Output = ::mcp_runtime::Elicited<()>> + ::core::marker::Send {
        request.on_timeline()
    }
}
#[allow(deprecated)]
const _: () = {
    use ::mcp_runtime::__private as _mcp;
    #[automatically_derived]
    impl _mcp::Form for Pick {
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
    impl Pick {
        #[doc = "The field `flight`."]
        const FLIGHT: _mcp::FieldKey<Self, &'static str> = _mcp::FieldKey::new(0);
        #[doc = "The field `seat`."]
        const SEAT: _mcp::FieldKey<Self, ()> = _mcp::FieldKey::new(1);
        #[doc = "The field `place`."]
        const PLACE: _mcp::FieldKey<Self, ::std::boxed::Box<str>> = _mcp::FieldKey::new(2);
    }
};
#[allow(deprecated)]
const _: () = {
    use ::mcp_runtime::__private as _mcp;
    #[automatically_derived]
    impl _mcp::Form for Nothing {
        fn schema() -> &'static _mcp::FormSchema {
            static SCHEMA: _mcp::FormSchema = _mcp::FormSchema::new(&[]);
            &SCHEMA
        }
        fn read(answers: &mut _mcp::Answers) -> ::core::result::Result<Self, _mcp::Unfit> {
            ::core::result::Result::Ok(Self {})
        }
        fn write(self, content: &mut _mcp::Answers) {}
    }
    #[automatically_derived]
    #[allow(dead_code, non_upper_case_globals, private_interfaces)]
    impl Nothing {}
};
#[allow(deprecated)]
const _: () = {
    use ::mcp_runtime::__private as _mcp;
    #[diagnostic::on_unimplemented(
        message = "`{Self}` is not a form of `Booking`",
        label = "`Booking` has no such form",
        note = "the forms of `Booking` are `Pick`, `Nothing` and `Confirm`",
        note = "add `{Self}` to `Booking` as a variant, or write `&Ctx<…>` with the set that contains `{Self}`"
    )]
    pub trait BookingForms: ::core::marker::Sized {
        const FORM: _mcp::FormOf<Self>;
    }
    impl BookingForms for Pick {
        const FORM: _mcp::FormOf<Self> = <Pick as _mcp::AForm>::FORM.keyed("pick");
    }
    impl BookingForms for Nothing {
        const FORM: _mcp::FormOf<Self> = <Nothing as _mcp::AForm>::FORM.keyed("nothing");
    }
    impl BookingForms for Confirm {
        const FORM: _mcp::FormOf<Self> = <Confirm as _mcp::AForm>::FORM.keyed("wrapped");
    }
    #[automatically_derived]
    impl<'a: 'static, T: ::core::marker::Send + 'static, __Form: BookingForms> _mcp::Includes<__Form> for Booking<'a, T> {
        const FORM: _mcp::FormOf<__Form> = __Form::FORM;
    }
    #[automatically_derived]
    impl<'a: 'static, T: ::core::marker::Send + 'static> _mcp::Elicits for Booking<'a, T> {
        const FORMS: &'static [_mcp::FormEntry] = &[
            <Pick as BookingForms>::FORM.entry(""),
            <Nothing as BookingForms>::FORM.entry(""),
            <Confirm as BookingForms>::FORM.entry(""),
        ];
    }
    #[automatically_derived]
    impl<'a: 'static, T: ::core::marker::Send + 'static> _mcp::Declared for Booking<'a, T> {}
    #[automatically_derived]
    impl<'a: 'static, T: ::core::marker::Send + 'static> ::core::convert::From<Pick> for Booking<'a, T> {
        fn from(form: Pick) -> Self {
            Self::Pick(form)
        }
    }
    #[automatically_derived]
    impl<'a: 'static, T: ::core::marker::Send + 'static> ::core::convert::From<Nothing> for Booking<'a, T> {
        fn from(form: Nothing) -> Self {
            Self::Nothing(form)
        }
    }
    #[automatically_derived]
    impl<'a: 'static, T: ::core::marker::Send + 'static> ::core::convert::From<Confirm> for Booking<'a, T> {
        fn from(form: Confirm) -> Self {
            Self::Wrapped(form)
        }
    }
    #[automatically_derived]
    impl<'a: 'static, T: ::core::marker::Send + 'static, __H: BookingHandler> _mcp::HandledBy<__H> for Booking<'a, T> {
        fn handle<'asked>(handler: &'asked __H, asked: _mcp::Asked<'asked>) -> _mcp::Handling<'asked> {
            match asked.form() {
                ::core::option::Option::Some(0) => {
                    ::std::boxed::Box::pin(
                        async move { _mcp::handled!(Pick, __H::pick(handler, asked.request()).await) },
                    )
                }
                ::core::option::Option::Some(1) => ::std::boxed::Box::pin(async move {
                    _mcp::handled!(Nothing, __H::nothing(handler, asked.request()).await)
                }),
                ::core::option::Option::Some(2) => ::std::boxed::Box::pin(async move {
                    _mcp::handled!(Confirm, __H::wrapped(handler, asked.request()).await)
                }),
                _ => ::std::boxed::Box::pin(async move {
                    _mcp::handled_url(__H::elicit_url(handler, asked.url_request()).await)
                }),
            }
        }
    }
};
