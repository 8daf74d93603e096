//! Converts doc comments to text for a model.

use darling::FromMeta;
use quote::{ToTokens, quote};
use syn::{Attribute, Expr, LitStr, Meta, parse_quote};

/// Returns the text of the doc comments in `attrs`, as an expression of type `&'static str`. Returns `None` if there is
/// no text.
pub(crate) fn text(attrs: &[Attribute]) -> Option<Expr> {
    let docs = attrs.iter().filter(|attr| attr.path().is_ident("doc"));
    let values: Vec<_> = docs
        .filter_map(|attr| match &attr.meta {
            Meta::NameValue(doc) => Some(&doc.value),
            // `#[doc(hidden)]` and similar.
            Meta::Path(_) | Meta::List(_) => None,
        })
        .collect();
    let literals: Option<Vec<_>> = values.iter().map(|value| line(value)).collect();
    match literals {
        Some(literals) => {
            let text = unindent(&literals.join("\n"));
            (!text.is_empty()).then(|| parse_quote!(#text))
        }
        // `#[doc = include_str!("…")]`: only the compiler can read it.
        None => {
            let lines = values.iter().map(|value| match line(value) {
                Some(line) => format!("{}\n", line.strip_prefix(' ').unwrap_or(&line)).into_token_stream(),
                None => quote!(#value, "\n"),
            });
            Some(parse_quote!(::core::concat!(#(#lines),*).trim_ascii()))
        }
    }
}

/// Returns the text of one line of a doc comment, or `None` if `value` is not a string literal.
fn line(value: &Expr) -> Option<String> {
    LitStr::from_expr(value).ok().map(|text| text.value())
}

/// Removes common indentation, trailing spaces, and blank lines at the start and the end.
fn unindent(text: &str) -> String {
    let lines = || text.lines().filter(|line| !line.trim().is_empty());
    let indent = lines().map(|line| line.len() - line.trim_start_matches(' ').len()).min().unwrap_or(0);
    let lines: Vec<_> = text.lines().map(|line| line.get(indent..).unwrap_or_default().trim_end()).collect();
    flowed(&lines).trim_matches('\n').to_owned()
}

/// Joins the lines of a paragraph, because line breaks in the source mean nothing to a model. Lists, tables, headings,
/// quotes, code and indented lines keep their line breaks.
fn flowed(lines: &[&str]) -> String {
    let mut text = String::new();
    let mut in_code = false;
    let mut in_paragraph = false;
    for line in lines {
        let fence = line.trim_start().starts_with("```");
        let joins = in_paragraph && !in_code && !fence && !line.starts_with(' ') && !begins_a_block(line);
        text.push(if joins && !line.is_empty() { ' ' } else { '\n' });
        text.push_str(line);
        in_code ^= fence;
        in_paragraph = !line.is_empty() && !fence && !line.starts_with([' ', '#', '|', '>']);
    }
    text
}

fn begins_a_block(line: &str) -> bool {
    let number = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let numbered = number.len() < line.len() && (number.starts_with(". ") || number.starts_with(") "));
    numbered || line.starts_with(['#', '|', '>']) || ["- ", "* ", "+ "].iter().any(|marker| line.starts_with(marker))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn converts_doc_comments_to_text() {
        let attrs =
            |text: &str| syn::parse_str::<syn::ItemFn>(&format!("{text}\nfn f() {{}}")).expect("a function").attrs;
        let described = |docs| text(&attrs(docs)).map(|text| text.to_token_stream().to_string());
        assert_eq!(described("/// A.\n///\n/// - b\n///   c").as_deref(), Some(r#""A.\n\n- b\n  c""#));
        assert_eq!(described("///A.\n#[doc(hidden)]\n#[doc = \"B.\"]").as_deref(), Some(r#""A. B.""#));
        let wrapped = "/// One\n/// sentence.\n///\n/// 1. a\n/// 2. b\n/// | c |\n/// | d |\n/// ```\n/// e\n/// f\n/// ```\n/// g";
        let expected = r#""One sentence.\n\n1. a\n2. b\n| c |\n| d |\n```\ne\nf\n```\ng""#;
        assert_eq!(described(wrapped).as_deref(), Some(expected));
        assert_eq!(described("///\n///  "), None);
        assert_eq!(described("#[inline]"), None);
        let included = described("/// A.\n#[doc = include_str!(\"b.md\")]").expect("a text");
        assert!(included.contains(r#""A.\n""#) && included.contains("include_str"), "{included}");
    }
}
