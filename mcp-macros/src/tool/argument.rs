//! Generates the code that reads arguments into the author's types, and the code that describes the arguments.

use darling::FromMeta;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{Expr, LitStr, Meta, spanned::Spanned};

use super::{
    ArgumentKind, foreign,
    param::Value,
    serde_attr::{Absent, Reader},
};
use crate::types;

/// Returns the generated constants. For each value, one constant checks the value's type. Another constant, `__TAKES`,
/// describes all arguments. If a type is wrong, only these constants fail to compile.
pub(crate) fn constants<'a>(values: impl Iterator<Item = &'a Value>) -> TokenStream {
    let values: Vec<_> = values.enumerate().collect();
    if let Some((_, value)) = values.iter().find(|(_, value)| value.whole.is_some()) {
        let (ty, whole) = (&value.ty, constant(value, &quote!(WHOLE)));
        return quote! {
            const __WHOLE: _mcp::Whole<#ty> = #whole;
            const __TAKES: _mcp::Takes = __WHOLE.takes;
        };
    }
    let inputs = values.iter().map(|(index, value)| input(*index, value));
    let parameters = values.iter().filter(|(_, value)| value.serde.skip.is_none());
    let parameters = parameters.map(|(index, value)| parameter(*index, value));
    quote! {
        #(#inputs)*
        static __PARAMETERS: &[_mcp::Parameter] = &[#(#parameters),*];
        const __TAKES: _mcp::Takes = _mcp::Takes::Parameters(__PARAMETERS);
    }
}

/// Returns only the constants that check the author's type, for the placeholder of a tool that has errors.
pub(crate) fn verdicts(value: &Value) -> TokenStream {
    let ty = &value.ty;
    let input = verdict(value).map(|bound| quote!(const _: _mcp::Input<#ty> = <#ty as _mcp::#bound>::INPUT;));
    let defaulted = matches!(value.serde.default, Some(Absent::OfType)) || value.serde.skip.is_some();
    let made = defaulted.then(|| quote!(const _: fn() -> #ty = <#ty as _mcp::Defaulted>::MAKE;));
    quote!(#input #made)
}

/// Returns whether the schema and the deserializer come from different sources. If so, the two may disagree.
pub(crate) fn is_read_otherwise(value: &Value) -> bool {
    value.serde.reader.is_some() || value.described_otherwise
}

/// The generated code that reads the arguments of a call.
pub(crate) struct Reading {
    /// Statements that define a variable for each value and use `?` on errors.
    pub(crate) statements: TokenStream,
    /// The names of the variables, one for each value.
    pub(crate) names: Vec<Ident>,
}

/// Returns the code that reads `values`. `read_whole` is the code for a type that takes the whole arguments object;
/// `fill` returns the code that reads each argument into its slot.
pub(crate) fn reading<'a>(
    values: impl Iterator<Item = &'a Value>,
    read_whole: &TokenStream,
    fill: &dyn Fn(&TokenStream) -> TokenStream,
) -> Reading {
    let values: Vec<_> = values.enumerate().collect();
    let name = |index: usize| Ident::new(&format!("argument{index}"), Span::mixed_site());
    let names: Vec<_> = values.iter().map(|(index, _)| name(*index)).collect();
    if values.iter().any(|(_, value)| value.whole.is_some()) {
        let statements = quote!(let #(#names)* = #read_whole?;);
        return Reading { statements, names };
    }
    let (skipped, read): (Vec<_>, Vec<_>) = values.iter().partition(|(_, value)| value.serde.skip.is_some());
    let slots: Vec<_> = read.iter().map(|(index, _)| name(*index)).collect();
    let inputs = read.iter().map(|(index, _)| constant_name(*index));
    let filled = fill(&quote!(__PARAMETERS, &mut [#(&mut #slots),*]));
    let made = skipped.iter().map(|(index, _)| {
        let (name, make) = (name(*index), default_name(*index));
        quote!(let #name = #make();)
    });
    let statements = quote! {
        #(let mut #slots = #inputs.slot();)*
        #filled?;
        #(let #slots = #slots.take();)*
        #(#made)*
    };
    Reading { statements, names }
}

/// Returns the items that read one argument: the constant `__ARGUMENT{index}`, and the functions that it refers to. A
/// field with `#[serde(skip)]` has no constant.
fn input(index: usize, value: &Value) -> TokenStream {
    let (name, ty) = (constant_name(index), &value.ty);
    let absent = absent(index, value);
    if value.serde.skip.is_some() {
        return absent;
    }
    let reader = reader(index, value);
    let read_by = reader.is_some().then(|| {
        let read = format_ident!("__read{index}");
        quote!(.read_by(|reader| #read(reader), |reader| #read(reader).map(|_| ())))
    });
    let or = value.serde.default.is_some().then(|| {
        let default = default_name(index);
        quote! {
            .or(|| ::core::option::Option::Some(#default()), || _mcp::default!(#ty, #default()))
        }
    });
    let plain = constant(value, &quote!(INPUT));
    let schemars: Vec<_> = value.attrs.iter().filter(|attr| attr.path().is_ident("schemars")).collect();
    if schemars.is_empty() {
        return quote! {
            #absent
            #reader
            const #name: _mcp::Input<#ty> = #plain #read_by #or;
        };
    }
    let (attrs, own) = (&value.attrs, format_ident!("__Described{index}"));
    let (plain_name, field) = (format_ident!("__TYPE{index}"), format_ident!("__Value{index}"));
    quote! {
        #absent
        #reader
        const #plain_name: _mcp::Input<#ty> = #plain;
        _mcp::described!(#field: #plain_name);
        #[allow(dead_code)]
        #[derive(_mcp::schemars::JsonSchema)]
        #[schemars(crate = "_mcp::schemars")]
        struct #own {
            #(#attrs)*
            value: #field,
        }
        const #name: _mcp::Input<#ty> = #plain_name.described_by(_mcp::described!(#own)) #read_by #or;
    }
}

/// Returns the entry of an argument in the generated table of parameters.
fn parameter(index: usize, value: &Value) -> TokenStream {
    let (input, name, aliases) = (constant_name(index), value.wire_name(), &value.serde.aliases);
    // If a value has `#[schemars]` attributes, `schemars` also reads its doc comments.
    let is_described = value.attrs.iter().any(|attr| attr.path().is_ident("schemars"));
    let doc = if is_described { quote!("") } else { doc(value) };
    quote!(_mcp::Parameter::new(#name, &[#(#aliases),*], #doc, &#input))
}

/// Returns the doc comment without the first space of each line, as `schemars` expects it.
fn doc(value: &Value) -> TokenStream {
    let docs = value.attrs.iter().filter_map(|attr| match &attr.meta {
        Meta::NameValue(doc) if doc.path.is_ident("doc") => Some(&doc.value),
        _ => None,
    });
    let lines: Vec<_> = docs
        .map(|line| match text(line) {
            Some(text) => text.strip_prefix(' ').unwrap_or(&text).to_token_stream(),
            None => line.to_token_stream(),
        })
        .collect();
    match &lines[..] {
        [] => quote!(""),
        [line] => line.clone(),
        [first, rest @ ..] => quote!(::core::concat!(#first #(, "\n", #rest)*)),
    }
}

fn text(expr: &Expr) -> Option<String> {
    LitStr::from_expr(expr).ok().map(|text| text.value())
}

/// Returns the constant that checks the author's type.
fn constant(value: &Value, name: &TokenStream) -> TokenStream {
    let ty = &value.ty;
    match verdict(value) {
        Some(bound) => quote_spanned!(ty.span()=> <#ty as _mcp::#bound>::#name),
        None => quote!(_mcp::Input::UNKNOWN),
    }
}

fn constant_name(index: usize) -> Ident {
    format_ident!("__ARGUMENT{index}")
}

fn default_name(index: usize) -> Ident {
    format_ident!("__default{index}")
}

/// Returns the trait that the author's type must implement. The trait requires only what is necessary, and has its own
/// error message.
fn verdict(value: &Value) -> Option<TokenStream> {
    use ArgumentKind::{Field, Input, Parameter};

    let is = |name| types::is_named(&value.ty, name);
    Some(match (value.kind, &value.serde.reader, value.described_otherwise) {
        _ if value.serde.skip.is_some() => return None,
        (_, Some(_), true) => return None,
        (Parameter | Input, Some(_), false) => quote!(Described),
        (Parameter | Input, None, true) => quote!(Readable),
        (Parameter | Input, None, false) if is("Ctx") => quote!(TakenByReference),
        (Parameter | Input, None, false) if is("PhaseCtx") => quote!(TakenByReferenceInPhase),
        (Parameter, None, false) => foreign::verdict(&value.ty).unwrap_or_else(|| quote!(ToolInput)),
        (Input, None, false) => foreign::verdict(&value.ty).unwrap_or_else(|| quote!(MethodInput)),
        (Field, Some(_), false) => quote!(DescribedToModel),
        (Field, None, true) => quote!(ReadableFromModel),
        (Field, None, false) if is("Ctx") || is("PhaseCtx") => quote!(NotTheContext),
        (Field, None, false) => foreign::verdict(&value.ty).unwrap_or_else(|| quote!(FromModel)),
    })
}

/// Returns the function `__default0`, which creates the value of an absent argument.
fn absent(index: usize, value: &Value) -> TokenStream {
    let (name, ty) = (default_name(index), &value.ty);
    let function = |value: TokenStream| {
        quote! {
            fn #name() -> #ty {
                let value: #ty = #value;
                value
            }
        }
    };
    match &value.serde.default {
        Some(Absent::Function(path)) => function(quote_spanned!(path.span()=> #path())),
        Some(Absent::Value(value)) => function(value.to_token_stream()),
        None if value.serde.skip.is_none() => TokenStream::new(),
        Some(Absent::OfType) | None => {
            let make = quote_spanned!(ty.span()=> <#ty as _mcp::Defaulted>::MAKE);
            quote! {
                #[allow(non_upper_case_globals)]
                const #name: fn() -> #ty = #make;
            }
        }
    }
}

/// Returns the function `__read0`, which reads the value with the author's function.
fn reader(index: usize, value: &Value) -> Option<TokenStream> {
    let (ty, name) = (&value.ty, format_ident!("__read{index}"));
    let deserializer = Ident::new("deserializer", Span::mixed_site());
    let result = quote_spanned!(ty.span()=> ::core::result::Result<#ty, __D::Error>);
    let read = match value.serde.reader.as_ref()? {
        Reader::Function(path) => quote_spanned!(path.span()=> #path(#deserializer)),
        Reader::Module(module) => quote_spanned!(module.span()=> #module::deserialize(#deserializer)),
    };
    Some(quote! {
        fn #name<'de, __D: _mcp::serde::Deserializer<'de>>(
            #deserializer: __D,
        ) -> ::core::result::Result<#ty, __D::Error> {
            let value: #result = #read;
            value
        }
    })
}
