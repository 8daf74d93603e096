//! Parses `after`, which takes the values of `before` and `client` and returns the result of the tool.

use proc_macro2::Ident;
use syn::{FnArg, PatType, Signature, Type};

use super::{
    client::same,
    phase::{self, Signatures},
};
use crate::{
    errors::Errors,
    tool::Param,
    types::{self, Borrow, plain},
};

pub(crate) struct After {
    pub(crate) ident: Ident,
    /// Whether `after` takes `&self`.
    pub(crate) receiver: bool,
    /// The parameters, in the order of the signature.
    pub(crate) params: Vec<AfterParam>,
    /// The type of the first parameter that `after` takes by value: the handoff, which `before` returns.
    pub(crate) handoff: Type,
    /// The type of the second parameter that `after` takes by value: the answer, which `client` returns.
    pub(crate) answer: Type,
}

pub(crate) enum AfterParam {
    Handoff,
    Answer,
    /// A parameter that `after` takes by reference. It is shared state or the context, never the handoff or the answer.
    Reference(Box<Type>),
}

impl After {
    pub(crate) fn read(errors: &mut Errors, sig: &Signature, this: &Type, earlier: &Signatures) -> Option<Self> {
        let mistakes = errors.count();
        let given = Given::by(earlier, this);
        let (receiver, inputs) = phase::params(errors, sig);
        let by_value = inputs.iter().filter(|param| !is_reference(&param.ty)).count();
        let (mut params, mut values) = (Vec::new(), Vec::new());
        for param in inputs {
            let mut param = param.clone();
            *param.ty = types::named(&param.ty, this);
            if is_reference(&param.ty) {
                match borrowed(&param, &given).filter(|_| by_value < 2) {
                    Some(problem) => errors.push(&param.ty, problem),
                    None => params.extend(match Param::read(errors, &param) {
                        Some(Param::Reference(reference)) => Some(AfterParam::Reference(reference.ty)),
                        _ => None,
                    }),
                }
                continue;
            }
            phase::takes_no_attributes(errors, &param);
            if types::is_context(&param.ty) {
                errors.push(&param.ty, "the context must be taken by reference; write `&PhaseCtx`");
                continue;
            }
            match values.len() {
                0 => params.push(AfterParam::Handoff),
                1 => params.push(AfterParam::Answer),
                _ => errors.push(
                    &param,
                    "`after` takes only two values: the handoff from `before` and the answer from `client`; \
                     `before` must take the arguments from the model and put them into the handoff",
                ),
            }
            is_owned(errors, &param.ty);
            values.push(*param.ty);
        }
        // Without `client`, the missing phase is the only mistake.
        if values.len() < 2 && earlier.client.is_some() && errors.count() == mistakes {
            errors.push(
                &sig.ident,
                format_args!(
                    "`after` must take two values: the handoff from `before` and the answer from `client`; \
                     write `after(&self, handoff: {}, answer: {})`",
                    given.handoff.first().map_or("…".into(), plain),
                    given.answer.as_ref().map_or("…".into(), plain)
                ),
            );
        }
        let mut values = values.into_iter();
        let (handoff, answer) = (values.next()?, values.next()?);
        if given.are_swapped(&handoff, &answer) {
            errors.push(
                &handoff,
                format_args!(
                    "`after` takes the handoff from `before` first and the answer from `client` second; \
                     write `after(…, handoff: {}, answer: {})`",
                    plain(&answer),
                    plain(&handoff)
                ),
            );
            return None;
        }
        Some(Self { ident: sig.ident.clone(), receiver, params, handoff, answer })
    }
}

impl After {
    /// Returns the types that `after` takes by reference.
    pub(crate) fn references(&self) -> impl Iterator<Item = &Type> {
        self.params.iter().filter_map(|param| match param {
            AfterParam::Reference(ty) => Some(&**ty),
            AfterParam::Handoff | AfterParam::Answer => None,
        })
    }
}

/// The types that `after` should take as the handoff and as the answer, according to the signatures of the other
/// phases. Only errors use these types.
struct Given {
    /// The type that `before` returns, and the types that `client` borrows. One of them is the handoff.
    handoff: Vec<Type>,
    answer: Option<Type>,
}

impl Given {
    fn by(Signatures { before, client, .. }: &Signatures, this: &Type) -> Self {
        let returned = |sig: &Signature| phase::value(&phase::output(sig, this)).clone();
        let borrowed = client.iter().flat_map(|sig| &sig.inputs).filter_map(|input| match input {
            FnArg::Typed(param) => Some(types::named(types::referent(&param.ty), this)),
            FnArg::Receiver(_) => None,
        });
        let borrowed = borrowed.filter(|ty| !types::is_context(ty));
        Self { handoff: before.iter().map(returned).chain(borrowed).collect(), answer: client.as_ref().map(returned) }
    }

    fn is_handoff(&self, ty: &Type) -> bool {
        self.handoff.iter().any(|given| same(given, ty))
    }

    fn is_answer(&self, ty: &Type) -> bool {
        self.answer.iter().any(|given| same(given, ty))
    }

    /// Returns whether `after` takes the answer first and the handoff second. If both names are aliases of one type, the
    /// compiler would accept the code, and `after` would get each value in place of the other.
    fn are_swapped(&self, first: &Type, second: &Type) -> bool {
        self.is_answer(first) && self.is_handoff(second) && !same(first, second)
    }
}

/// Returns the type of the first parameter that `after` takes by value, even if `after` has errors. Only messages use
/// this type.
pub(crate) fn handoff(sig: &Signature, this: &Type) -> Option<Type> {
    let types = sig.inputs.iter().filter_map(|input| match input {
        FnArg::Typed(param) => Some(types::named(&param.ty, this)),
        FnArg::Receiver(_) => None,
    });
    { types }.find(|ty| !is_reference(ty) && !types::is_context(ty))
}

fn is_reference(ty: &Type) -> bool {
    matches!(types::peel(ty), Type::Reference(_))
}

/// Returns an error if the parameter takes the handoff or the answer by reference.
fn borrowed(param: &PatType, given: &Given) -> Option<String> {
    let elem = types::referent(&param.ty);
    let what = match () {
        () if given.is_handoff(elem) => "the handoff",
        () if given.is_answer(elem) => "the answer from `client`",
        () => return None,
    };
    Some(format!("`after` must take {what} by value; write `{}`", plain(elem)))
}

fn is_owned(errors: &mut Errors, ty: &Type) {
    match types::borrow(ty) {
        Some(Borrow::Reference | Borrow::Lifetime) => {
            errors.push(ty, "a value from another phase must own its data; write `String` instead of `Cow<'_, str>`");
        }
        Some(Borrow::Impl) => errors.push(ty, "the type of a parameter cannot contain `impl`; write a concrete type"),
        Some(Borrow::SelfType) | None => {}
    }
}
