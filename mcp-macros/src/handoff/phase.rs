//! Code common to the three phases.

use syn::{
    Attribute, FnArg, GenericParam, ImplItem, ItemImpl, PatType, Receiver, ReceiverKind, ReturnType, Safety, Signature,
    Type, parse_quote, parse_quote_spanned,
};

use crate::{
    errors::Errors,
    keys,
    types::{self, Borrow},
};

pub(crate) const NAMES: [&str; 3] = ["before", "client", "after"];

/// The signatures of the phases, for messages.
const SHAPES: [&str; 3] = [
    "async fn before(&self, …) -> Handoff",
    "async fn client(ctx: &Ctx<YourForms>, handoff: &Handoff) -> Answer",
    "async fn after(&self, handoff: Handoff, answer: Answer) -> …",
];

/// The signatures of the phases that are present.
#[derive(Default)]
pub(crate) struct Signatures {
    pub(crate) before: Option<Signature>,
    pub(crate) client: Option<Signature>,
    pub(crate) after: Option<Signature>,
}

impl Signatures {
    /// Collects the signatures of the phases. Removes a repeated phase from the block, because the compiler would
    /// report it again.
    pub(crate) fn take(errors: &mut Errors, block: &mut ItemImpl) -> Self {
        let mut phases: [Option<Signature>; 3] = Default::default();
        block.items.retain(|item| {
            let ImplItem::Fn(method) = item else { return true };
            let sig = &method.sig;
            let Some(index) = NAMES.iter().position(|name| sig.ident == name) else { return true };
            if phases[index].is_some() {
                errors.push(&sig.ident, format_args!("`{}` is given twice; keep one", sig.ident));
                return false;
            }
            check(errors, sig, &method.attrs);
            phases[index] = Some(sig.clone());
            true
        });
        missing(errors, block, &phases);
        let [before, client, after] = phases;
        Self { before, client, after }
    }
}

/// Reports missing phases. A method with a similar name is reported as a misspelled phase.
fn missing(errors: &mut Errors, block: &ItemImpl, phases: &[Option<Signature>; 3]) {
    let mut missing: Vec<usize> = (0..NAMES.len()).filter(|&index| phases[index].is_none()).collect();
    for item in &block.items {
        let ImplItem::Fn(method) = item else { continue };
        let (name, ident) = (method.sig.ident.to_string(), &method.sig.ident);
        let names: Vec<&str> = missing.iter().map(|&index| NAMES[index]).collect();
        if NAMES.iter().any(|phase| ident == phase) {
            continue;
        }
        if let Some(meant) = keys::nearest(&name, &names) {
            errors.push(ident, format_args!("unknown phase `{name}`; did you mean `{meant}`?"));
            missing.retain(|&index| NAMES[index] != meant);
        }
    }
    let this = &*block.self_ty;
    if missing.len() == NAMES.len() {
        errors.push(this, format_args!("a handoff needs three phases; write `{}`", SHAPES.join("`, `")));
        return;
    }
    for index in missing {
        let (name, shape) = (NAMES[index], SHAPES[index]);
        let otherwise = if name == "client" { "; to ask nothing, write a function with `#[mcp_tool]`" } else { "" };
        errors.push(this, format_args!("this handoff has no phase `{name}`; write `{shape}`{otherwise}"));
    }
}

/// Checks the rules for every phase.
fn check(errors: &mut Errors, sig: &Signature, attrs: &[Attribute]) {
    if sig.asyncness.is_none() {
        errors.push(sig.fn_token, "a phase must be an `async fn`; write `async` before `fn`");
    }
    if let Some(constness) = &sig.constness {
        errors.push(constness, "a phase cannot be a `const fn`; remove `const`");
    }
    if let Safety::Unsafe(unsafety) = &sig.safety {
        errors.push(
            unsafety,
            "a phase cannot be `unsafe`, because the model may call the tool with any arguments; remove `unsafe`",
        );
    }
    if let Some(abi) = &sig.abi {
        errors.push(abi, "a phase cannot be `extern`, because only Rust code calls it; remove `extern`");
    }
    for param in &sig.generics.params {
        match param {
            GenericParam::Lifetime(lifetime) => {
                errors.push(lifetime, "a phase cannot have lifetime parameters; write `&T` without a named lifetime");
            }
            GenericParam::Type(_) | GenericParam::Const(_) => {
                errors.push(param, "a phase cannot be generic, because the tool has one schema; write a concrete type");
            }
        }
    }
    if let Some(clause) = &sig.generics.where_clause {
        errors.push(clause, "a phase cannot have a `where` clause; remove it");
    }
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("cfg") || attr.path().is_ident("cfg_attr")) {
        errors.push(attr, "`#[cfg]` cannot remove a phase; put it inside the phase, or on the whole `impl`");
    }
    output_is_owned(errors, sig);
}

/// Requires an owned return value, because the value outlives the phase. This function skips `after`, because its value
/// is the tool's output, which another rule checks.
fn output_is_owned(errors: &mut Errors, sig: &Signature) {
    let ReturnType::Type(_, output) = &sig.output else { return };
    if sig.ident == "after" {
        return;
    }
    match types::borrow(output) {
        Some(Borrow::Reference | Borrow::Lifetime) => {
            errors.push(
                output,
                "a phase cannot return borrowed data; write `String` instead of `&str`, and remove any other `&`",
            );
        }
        Some(Borrow::Impl) => {
            errors
                .push(output, "a phase cannot return `impl`, because the next phase takes this value; write the type");
        }
        Some(Borrow::SelfType) | None => {}
    }
}

/// Returns the return type in the signature, with `Self` replaced by `this`.
pub(crate) fn output(sig: &Signature, this: &Type) -> Type {
    match &sig.output {
        ReturnType::Default => parse_quote_spanned!(sig.ident.span()=> ()),
        ReturnType::Type(_, output) => types::named(output, this),
    }
}

/// Returns two values: whether the phase takes `&self`, and the phase's other parameters.
pub(crate) fn params<'a>(errors: &mut Errors, sig: &'a Signature) -> (bool, Vec<&'a PatType>) {
    let receiver = sig.receiver();
    if let Some(receiver) = receiver.filter(|receiver| !is_shared(receiver)) {
        errors.push(receiver, "a phase must take the tool as `&self`, because all calls share the tool");
    }
    let params = sig.inputs.iter().filter_map(|input| match input {
        FnArg::Receiver(_) => None,
        FnArg::Typed(typed) => Some(typed),
    });
    (receiver.is_some(), params.collect())
}

fn is_shared(receiver: &Receiver) -> bool {
    match &receiver.kind {
        ReceiverKind::Reference(_, _, mutability) => mutability.is_none(),
        ReceiverKind::Typed(_, ty) => {
            matches!(types::peel(ty), Type::Reference(ty) if ty.mutability.is_none() && types::is_named(&ty.elem, "Self"))
        }
        _ => false,
    }
}

/// Rejects the attributes of a parameter that does not come from the model. Lint levels are allowed.
pub(crate) fn takes_no_attributes(errors: &mut Errors, param: &PatType) {
    for attr in &param.attrs {
        if !["allow", "deny", "expect", "forbid", "warn"].iter().any(|lint| attr.path().is_ident(lint)) {
            errors.push(
                attr,
                "this attribute has no effect, because only the parameters of `before` come from the model; remove it",
            );
        }
    }
}

/// Returns `T` if `ty` is `Result<T, E>` or `Result<T>`. Otherwise returns `ty`. Only error messages depend on the returned type.
pub(crate) fn value(ty: &Type) -> &Type {
    use syn::{GenericArgument, PathArguments};

    if let Type::Path(path) = types::peel(ty)
        && let Some(last) = path.path.segments.last()
        && last.ident == "Result"
        && let PathArguments::AngleBracketed(arguments) = &last.arguments
        && let Some(GenericArgument::Type(value)) = arguments.args.first()
    {
        return value;
    }
    ty
}

/// Returns an `#[allow]` attribute for the lints that a phase cannot satisfy.
pub(crate) fn lints() -> Attribute {
    parse_quote! {
        #[allow(
            clippy::unused_async, clippy::unused_self, clippy::needless_pass_by_value,
            clippy::trivially_copy_pass_by_ref, clippy::ptr_arg, clippy::implicit_hasher, clippy::too_many_arguments,
            clippy::fn_params_excessive_bools, clippy::missing_errors_doc, clippy::missing_panics_doc
        )]
    }
}
