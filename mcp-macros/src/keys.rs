//! Parses the keys of an attribute, such as `name = "x", read_only, requires(sampling)`.

use darling::FromMeta;
use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::{
    Expr, Ident, Lit, LitBool, LitInt, LitStr, Path, Token,
    ext::IdentExt,
    parse::{Parse, ParseStream, Parser},
    parse_quote, parse2,
    token::Paren,
};

use crate::{errors::Errors, words::snake_text};

/// A key and its value.
pub(crate) struct Entry {
    pub(crate) key: Ident,
    pub(crate) value: Value,
}

pub(crate) enum Value {
    /// `key`
    Nothing,
    /// `key = value`
    Is(Expr),
    /// `key(…)`
    List(TokenStream),
}

impl Parse for Entry {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let key = input.call(Ident::parse_any)?;
        let value = if input.peek(Token![=]) {
            input.parse::<Token![=]>()?;
            Value::Is(input.parse()?)
        } else if input.peek(Paren) {
            let content;
            syn::parenthesized!(content in input);
            Value::List(content.parse()?)
        } else {
            Value::Nothing
        };
        Ok(Self { key, value })
    }
}

/// The keys that an attribute allows.
pub(crate) struct Keys {
    /// The attribute's name in messages.
    pub(crate) owner: &'static str,
    pub(crate) known: &'static [&'static str],
    /// Keys that can appear more than once.
    pub(crate) repeatable: &'static [&'static str],
    /// Keys that belong in another place, each with its error message.
    pub(crate) refused: &'static [(&'static str, &'static str)],
}

impl Keys {
    /// Parses the keys in all `lists`. Reports unknown keys, and repeated keys that are not in `repeatable`.
    pub(crate) fn read(&self, errors: &mut Errors, lists: impl IntoIterator<Item = TokenStream>) -> Vec<Entry> {
        let mut read: Vec<Entry> = Vec::new();
        for list in lists {
            let entries = errors.handle((|input: ParseStream<'_>| self.entries(input)).parse2(list));
            for entry in entries.unwrap_or_default() {
                let key = entry.key.to_string();
                let again = read.iter().any(|earlier| earlier.key == key);
                if let Some((_, message)) = self.refused.iter().find(|(refused, _)| *refused == key) {
                    errors.push(&entry.key, message);
                } else if !self.known.contains(&&*key) {
                    errors.push(&entry.key, unknown("key", &key, self.owner, self.known));
                } else if again && !self.repeatable.contains(&&*key) {
                    errors.push(&entry.key, format_args!("`{key}` is given twice; keep one"));
                } else {
                    read.push(entry);
                }
            }
        }
        read
    }

    fn entries(&self, input: ParseStream<'_>) -> syn::Result<Vec<Entry>> {
        let mut entries = Vec::new();
        while !input.is_empty() {
            entries.push(self.entry(input)?);
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        Ok(entries)
    }

    /// Parses a key and its value. Fails if there is a value without a key.
    fn entry(&self, input: ParseStream<'_>) -> syn::Result<Entry> {
        if !input.peek(Lit) {
            return input.parse();
        }
        let value: Lit = input.parse()?;
        let message = match &value {
            Lit::Str(text) if self.known.contains(&"title") => format!(
                "this text has no key; write `title = {}`, or a doc comment if the text is the description",
                text.to_token_stream()
            ),
            _ => format!("this value has no key; {} accepts the keys {}", self.owner, list(self.known)),
        };
        Err(syn::Error::new_spanned(value, message))
    }
}

impl Entry {
    /// Returns the text in `key = "…"`.
    pub(crate) fn text(&self, errors: &mut Errors) -> Option<LitStr> {
        let text = self.value();
        if text.is_none() {
            self.misused(errors, format_args!("`{0}` must be a string; write `{0} = \"…\"`", self.key));
        }
        text
    }

    /// Returns the value of `key`, `key = true` or `key = false`.
    pub(crate) fn flag(&self, errors: &mut Errors) -> Option<LitBool> {
        if matches!(self.value, Value::Nothing) {
            return Some(LitBool::new(true, self.key.span()));
        }
        let flag = self.value();
        if flag.is_none() {
            self.misused(
                errors,
                format_args!("`{0}` must be `true` or `false`; write `{0}` or `{0} = false`", self.key),
            );
        }
        flag
    }

    /// Returns the identifier in `key = name`. `noun` says what it names.
    pub(crate) fn ident(&self, errors: &mut Errors, noun: &str) -> Option<Ident> {
        let ident = match &self.value {
            Value::Is(Expr::Path(path)) => path.path.get_ident().cloned(),
            _ => None,
        };
        if ident.is_none() {
            self.misused(errors, format_args!("`{0}` must name a {noun}; write `{0} = {noun}`", self.key));
        }
        ident
    }

    /// Returns text, or a macro that expands to text, such as `include_str!("search.md")`.
    pub(crate) fn long_text(&self, errors: &mut Errors) -> Option<Expr> {
        match &self.value {
            Value::Is(value @ Expr::Macro(_)) => Some(value.clone()),
            Value::Is(value) if LitStr::from_expr(value).is_ok() => Some(value.clone()),
            _ => {
                self.misused(errors, format_args!("`{0}` must be a string; write `{0} = \"…\"`", self.key));
                None
            }
        }
    }

    /// Returns the path in `crate = …`. The path must be absolute, so that generated code compiles in every module.
    pub(crate) fn krate(&self, errors: &mut Errors) -> Option<Path> {
        match &self.value {
            Value::Is(Expr::Path(path)) if path.path.leading_colon.is_some() || starts_at_root(&path.path) => {
                Some(path.path.clone())
            }
            _ => {
                let message = "`crate` must be an absolute path, without quotes; write `crate = ::mcp_runtime`";
                self.misused(errors, message);
                None
            }
        }
    }

    /// Returns the whole number in `key = 30`, `key = 30s` or `key(30)`, if it is above zero. Only messages use it.
    pub(crate) fn number(&self) -> Option<LitInt> {
        let number: LitInt = match &self.value {
            Value::Is(value) => parse2(value.to_token_stream()).ok()?,
            Value::List(list) => parse2(list.clone()).ok()?,
            Value::Nothing => return None,
        };
        (number.base10_digits() != "0").then_some(number)
    }

    /// Parses the value after `=`. The caller reports errors.
    pub(crate) fn value<T: FromMeta>(&self) -> Option<T> {
        match &self.value {
            Value::Is(value) => T::from_expr(value).ok(),
            Value::Nothing | Value::List(_) => None,
        }
    }

    /// Reports an invalid value. The error appears at the value, or at the key if there is no value.
    pub(crate) fn misused(&self, errors: &mut Errors, message: impl std::fmt::Display) {
        match &self.value {
            Value::Is(value) => errors.push(value, message),
            Value::List(list) if !list.is_empty() => errors.push(list, message),
            _ => errors.push(&self.key, message),
        }
    }
}

/// Separates the text at the beginning of an attribute, such as a URI, from the keys after it. Reports `message` if the
/// attribute does not begin with a text.
pub(crate) fn first_text(errors: &mut Errors, attr: TokenStream, message: &str) -> (Option<LitStr>, TokenStream) {
    let parser = |input: ParseStream<'_>| {
        let text = input.peek(LitStr).then(|| input.parse::<LitStr>()).transpose()?;
        if text.is_some() && !input.is_empty() {
            input.parse::<Token![,]>()?;
        }
        Ok((text, input.parse::<TokenStream>()?))
    };
    let Some((text, keys)) = errors.handle(parser.parse2(attr)) else { return Default::default() };
    if text.is_none() {
        match keys.clone().into_iter().next() {
            Some(first) => errors.push(first, message),
            None => errors.push(TokenStream::new(), message),
        }
    }
    (text, keys)
}

/// Returns the default path of the runtime crate.
pub(crate) fn runtime() -> Path {
    parse_quote!(::mcp_runtime)
}

/// Returns whether the path starts with `crate` or with the `$crate` of a `macro_rules!`. Such a path works in every
/// module.
fn starts_at_root(path: &Path) -> bool {
    path.segments.first().is_some_and(|first| first.ident == "crate" || first.ident == "$crate")
}

/// Returns the message for an unknown word. The message suggests the most similar known word. If no known word is
/// similar, the message lists all known words.
pub(crate) fn unknown(what: &str, word: &str, owner: &str, known: &[&str]) -> String {
    match nearest(word, known).or_else(|| nearest(&as_known(word), known)) {
        Some(meant) => format!("unknown {what} `{word}`; did you mean `{meant}`?"),
        None => format!("unknown {what} `{word}`; {owner} accepts {}", list(known)),
    }
}

/// Returns the word as this crate spells it. The protocol writes `readOnlyHint` for `read_only`.
fn as_known(word: &str) -> String {
    let snake = snake_text(word);
    snake.strip_suffix("_hint").unwrap_or(&snake).to_owned()
}

/// Lists words in backquotes: `a`, `b` and `c`.
pub(crate) fn list(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [only] => format!("`{only}`"),
        [first @ .., last] => {
            format!("{} and `{last}`", first.iter().map(|w| format!("`{w}`")).collect::<Vec<_>>().join(", "))
        }
    }
}

/// Returns the known word that is most similar to `word`, if at most a third of the letters differ.
pub(crate) fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    let (distance, meant) =
        known.iter().map(|known| (strsim::osa_distance(word, known), *known)).min_by_key(|(d, _)| *d)?;
    (distance <= word.len().max(meant.len()).div_ceil(3)).then_some(meant)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggests_the_most_similar_word() {
        let known = ["title", "timeout", "read_only", "open_world"];
        for (word, meant) in
            [("titel", "title"), ("readonly", "read_only"), ("timout", "timeout"), ("read_only_", "read_only")]
        {
            assert_eq!(nearest(word, &known), Some(meant));
        }
        assert_eq!(nearest("pure", &known), None);
        for word in ["readOnlyHint", "read_only_hint", "readOnly"] {
            assert_eq!(unknown("key", word, "`x`", &known), format!("unknown key `{word}`; did you mean `read_only`?"));
        }
        assert_eq!(unknown("key", "pure", "`x`", &known[..2]), "unknown key `pure`; `x` accepts `title` and `timeout`");
    }
}
