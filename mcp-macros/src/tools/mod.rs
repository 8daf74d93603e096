//! `tools![a, module::b]` lists the tools of a server. `prompts![…]` and `resources![…]` list its prompts and
//! resources.

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{
    Attribute, Ident, Path, Token,
    parse::{ParseStream, Parser},
    spanned::Spanned,
};

/// A macro that lists items of one kind: `tools!`, `prompts!` or `resources!`.
pub(crate) struct ListMacro {
    /// How authors write the macro. Error messages contain it.
    written: &'static str,
    noun: &'static str,
    /// The trait that an item implements, and the trait of its registration type. Both are in the runtime's
    /// `__private`.
    item: &'static str,
    registered: &'static str,
}

pub(crate) const TOOLS: ListMacro =
    ListMacro { written: "`tools![…]`", noun: "tool", item: "Tool", registered: "Registered" };

pub(crate) const PROMPTS: ListMacro =
    ListMacro { written: "`prompts![…]`", noun: "prompt", item: "Prompt", registered: "RegisteredPrompt" };

pub(crate) const RESOURCES: ListMacro =
    ListMacro { written: "`resources![…]`", noun: "resource", item: "Resource", registered: "RegisteredResource" };

/// Expands the macro. `input` is the path of the runtime in parentheses, followed by the author's list.
pub(crate) fn expand(input: TokenStream, list: &ListMacro) -> TokenStream {
    let parser = |input: ParseStream<'_>| {
        let krate;
        syn::parenthesized!(krate in input);
        let (krate, mut entries) = (krate.parse::<Path>()?, Vec::new());
        while !input.is_empty() {
            entries.push(Entry::parse(input, list)?);
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok((krate, entries))
    };
    match parser.parse2(input) {
        Ok((krate, entries)) => expanded(&krate, &entries, list),
        Err(error) => error.into_compile_error(),
    }
}

/// One entry of the list: the path of a tool, and the `#[cfg]` attributes of the entry.
struct Entry {
    cfgs: Vec<Attribute>,
    path: Path,
}

impl Entry {
    fn parse(input: ParseStream<'_>, list: &ListMacro) -> syn::Result<Self> {
        let ListMacro { written, noun, .. } = list;
        let cfgs = input.call(Attribute::parse_outer)?;
        if let Some(other) = cfgs.iter().find(|attr| !attr.path().is_ident("cfg")) {
            let message = format!("only `#[cfg(…)]` is allowed before a {noun} in {written}");
            return Err(syn::Error::new_spanned(other, message));
        }
        let start = input.fork();
        match input.call(Path::parse_mod_style) {
            Ok(path) if input.is_empty() || input.peek(Token![,]) => Ok(Self { cfgs, path }),
            _ => {
                let wrong = until_comma(&start)?;
                let open = written.replace("…]", "search, module::other]");
                let message = format!("{written} must be a list of names; write {open}");
                Err(syn::Error::new_spanned(wrong, message))
            }
        }
    }
}

fn until_comma(input: ParseStream<'_>) -> syn::Result<TokenStream> {
    let mut tokens = TokenStream::new();
    while !input.is_empty() && !input.peek(Token![,]) {
        tokens.extend([input.parse::<TokenTree>()?]);
    }
    Ok(tokens)
}

fn expanded(krate: &Path, entries: &[Entry], list: &ListMacro) -> TokenStream {
    let registered = Ident::new(list.registered, Span::call_site());
    let of = (list.item != TOOLS.item).then(|| {
        let item = Ident::new(list.item, Span::call_site());
        quote!(<dyn _mcp::#item>)
    });
    let elements = entries.iter().enumerate().map(element);
    let consts = entries.iter().enumerate().map(|(index, Entry { cfgs, path })| {
        let name = name(index);
        let entry = quote_spanned!(path.span()=> <#path as _mcp::#registered>::ENTRY);
        let is_new = (index > 0).then(|| is_new(path, &name));
        let is_new = is_new.map(|check| quote!(#(#cfgs)* #check));
        quote! {
            #(#cfgs)*
            const #name: _mcp::Entry #of = #entry.at(#index);
            #is_new
        }
    });
    // The list is a constant, because a copy of it in each check would take n² tokens.
    quote! {{
        use #krate::__private as _mcp;
        #(#consts)*
        const __TOOLS: &[_mcp::Entry #of] = &[#(#elements),*];
        const __ARE_DISTINCT: bool = _mcp::are_distinct(__TOOLS);
        _mcp::tools(__TOOLS)
    }}
}

fn name(index: usize) -> Ident {
    format_ident!("__TOOL_{index}")
}

/// Returns the entry as an element of an array, because an array element can have `#[cfg]`.
fn element((index, Entry { cfgs, .. }): (usize, &Entry)) -> TokenStream {
    let name = name(index);
    quote!(#(#cfgs)* #name)
}

/// Returns the check that rejects a repeated name. The error appears at the second of the two paths.
fn is_new(path: &Path, name: &Ident) -> TokenStream {
    // The span reaches from the first token of the path to the last, so that the whole path is marked.
    let last = path.to_token_stream().into_iter().last().map_or_else(|| path.span(), |token| token.span());
    let mut message = Group::new(Delimiter::Parenthesis, quote!("{}", MESSAGE.text()));
    message.set_span(last);
    let panic = quote_spanned!(path.span()=> ::core::panic!);
    quote! {
        const _: () = if !__ARE_DISTINCT && #name.repeats(__TOOLS) {
            const MESSAGE: _mcp::Problem = #name.duplicate();
            #panic #message
        };
    }
}
