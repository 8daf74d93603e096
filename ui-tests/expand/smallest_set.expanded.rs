#[allow(dead_code)]
enum Delete {
    Confirm(Confirm),
}
#[allow(clippy::struct_excessive_bools, clippy::struct_field_names)]
#[doc = "The form `confirm` of [`Delete`]."]
struct Confirm {
    confirmed: bool,
}
#[doc = "Answers the forms of [`Delete`] inside an application: one method for each."]
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not answer the forms of `Delete`",
    label = "not a handler of `Delete`",
    note = "write `impl DeleteHandler for {Self}`, with one method for each form: `confirm`"
)]
#[allow(dead_code, private_interfaces)]
trait DeleteHandler: ::core::marker::Send + ::core::marker::Sync + 'static {
    #[doc = "Answers the form `confirm`."]
    fn confirm(
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
    const FIELD_0: _mcp::Draft = _mcp::Draft::new("confirmed", <bool as _mcp::FlatField>::TYPE);
    #[automatically_derived]
    impl _mcp::Form for Confirm {
        fn schema() -> &'static _mcp::FormSchema {
            static SCHEMA: _mcp::FormSchema = _mcp::FormSchema::new(&[FIELD_0.field]);
            &SCHEMA
        }
        fn read(answers: &mut _mcp::Answers) -> ::core::result::Result<Self, _mcp::Unfit> {
            ::core::result::Result::Ok(Self { confirmed: _mcp::read!(answers, 0, bool) })
        }
        fn write(self, content: &mut _mcp::Answers) {
            _mcp::write!(content, 0, bool, self.confirmed);
        }
    }
    #[automatically_derived]
    #[allow(dead_code, non_upper_case_globals, private_interfaces)]
    impl Confirm {
        #[doc = "The field `confirmed`."]
        const CONFIRMED: _mcp::FieldKey<Self, bool> = _mcp::FieldKey::new(0);
    }
};
#[allow(deprecated)]
const _: () = {
    use ::mcp_runtime::__private as _mcp;
    #[diagnostic::on_unimplemented(
        message = "`{Self}` is not a form of `Delete`",
        label = "`Delete` has no such form",
        note = "the form of `Delete` is `Confirm`",
        note = "add `{Self}` to `Delete` as a variant, or write `&Ctx<…>` with the set that contains `{Self}`"
    )]
    pub trait DeleteForms: ::core::marker::Sized {
        const FORM: _mcp::FormOf<Self>;
    }
    impl DeleteForms for Confirm {
        const FORM: _mcp::FormOf<Self> = <Confirm as _mcp::AForm>::FORM.keyed("confirm");
    }
    #[automatically_derived]
    impl<__Form: DeleteForms> _mcp::Includes<__Form> for Delete {
        const FORM: _mcp::FormOf<__Form> = __Form::FORM;
    }
    #[automatically_derived]
    impl _mcp::Elicits for Delete {
        const FORMS: &'static [_mcp::FormEntry] = &[<Confirm as DeleteForms>::FORM.entry("")];
    }
    #[automatically_derived]
    impl _mcp::Declared for Delete {}
    #[automatically_derived]
    impl ::core::convert::From<Confirm> for Delete {
        fn from(form: Confirm) -> Self {
            Self::Confirm(form)
        }
    }
    #[automatically_derived]
    impl<__H: DeleteHandler> _mcp::HandledBy<__H> for Delete {
        fn handle<'asked>(handler: &'asked __H, asked: _mcp::Asked<'asked>) -> _mcp::Handling<'asked> {
            match asked.form() {
                ::core::option::Option::Some(0) => ::std::boxed::Box::pin(async move {
                    _mcp::handled!(Confirm, __H::confirm(handler, asked.request()).await)
                }),
                _ => ::std::boxed::Box::pin(async move {
                    _mcp::handled_url(__H::elicit_url(handler, asked.url_request()).await)
                }),
            }
        }
    }
};
