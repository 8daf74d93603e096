//! Parses URI templates, and compares URIs with them.
//!
//! A template follows RFC 6570: levels 1 and 2, and the queries of level 3. It contains text, `{name}`, `{+path}` and,
//! at its end, `{?query,variables}` or `{&query,variables}`, and then `{#fragment}`. The RFC defines only how a template
//! becomes a URI. This module defines how a URI is compared with a template:
//!
//! - `{name}` matches one or more characters, but not `/`, `?` and `#`; `{+path}` matches one or more characters of any
//!   kind.
//! - In a template with `{?a,b}` or `{&a,b}`, the first `?` begins the query: see [`TemplateQuery`].
//! - In a template with `{#fragment}`, a `#` begins the fragment. Without a `#`, the variable is absent.
//! - Text matches only the same text. The values of the variables are percent-decoded once.
//! - If several values match, the first variable gets as much text as possible, then the second, and so on.
//!
//! The time of a match is linear in the length of the URI. Most maintained crates with a suitable license only expand
//! templates. One crate compares URIs, but it is at version 0.0.2 and needs `regex`, which would then be part of every
//! program.

#[cfg(test)]
mod tests;

use std::{cmp::Reverse, fmt::Write as _};

use super::{
    template_query::TemplateQuery,
    uri::{decoded, encoded, invalid_scheme, invalid_text, is_reserved, is_unreserved},
};

/// The maximum length of a URI that a template matches. The comparison needs memory for each byte of the URI.
const MOST_BYTES: usize = 64 * 1024;

const QUERY_IS_NOT_LAST: &str = "a query must be at the end of the template, or before `{#…}`";

/// A parsed URI template.
#[derive(Clone, Debug)]
pub(crate) struct UriTemplate {
    parts: Vec<TemplatePart>,
    query: Option<TemplateQuery>,
    /// The variable of `{#fragment}`.
    fragment: Option<Box<str>>,
}

#[derive(Clone, Debug)]
enum TemplatePart {
    Text(Box<str>),
    Variable {
        name: Box<str>,
        /// Whether the value can contain reserved characters, such as `/`.
        is_reserved: bool,
    },
}

impl UriTemplate {
    /// Parses a template.
    ///
    /// # Errors
    /// Returns the reason why the text is not a valid template.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let mut template = Self { parts: Vec::new(), query: None, fragment: None };
        let mut rest = text;
        while !rest.is_empty() {
            if template.fragment.is_some() {
                return Err("`{#…}` must be at the end of the template".to_owned());
            }
            let literal = rest.split(['{', '}']).next().unwrap_or_default();
            if template.parts.is_empty()
                && let Some(reason) = invalid_scheme(literal)
            {
                return Err(reason.to_owned());
            }
            if let Some(reason) = invalid_text(literal) {
                return Err(reason);
            }
            rest = &rest[literal.len()..];
            if !literal.is_empty() && template.query.is_some() {
                return Err(QUERY_IS_NOT_LAST.to_owned());
            }
            if !literal.is_empty() {
                template.parts.push(TemplatePart::Text(literal.into()));
            }
            if let Some(expression) = rest.strip_prefix('{') {
                let (expression, after) = expression.split_once('}').ok_or("a `{` has no `}`")?;
                template.add(expression)?;
                rest = after;
            } else if !rest.is_empty() {
                return Err("a `}` has no `{` before it".to_owned());
            }
        }
        Ok(template)
    }

    /// Adds the variables of an expression, without the braces.
    fn add(&mut self, expression: &str) -> Result<(), String> {
        let (operator, name) = match expression.strip_prefix(['+', '#', '?', '&']) {
            Some(name) => (expression.chars().next(), name),
            None => (None, expression),
        };
        let is_query = matches!(operator, Some('?' | '&'));
        let mut names: Vec<_> = if is_query { name.split(',').collect() } else { vec![name] };
        if names.contains(&"") {
            return Err(format!("`{{{expression}}}` has no variable; write a name, such as `{{name}}`"));
        }
        if names.iter().any(|name| !name.chars().all(|char| char.is_ascii_alphanumeric() || "_.".contains(char))) {
            return Err(format!(
                "`{{{expression}}}` is not supported; write one variable, as `{{name}}`, `{{+path}}` or \
                 `{{#fragment}}`, or the variables of a query, as `{{?a,b}}`"
            ));
        }
        while let Some(name) = names.pop() {
            if names.contains(&name) || self.variables().any(|known| known == name) {
                return Err(format!("the variable `{name}` appears twice; rename one"));
            }
        }
        if self.query.is_some() && is_query {
            return Err("write all variables of the query in one expression, such as `{?a,b}`".to_owned());
        }
        if self.query.is_some() && operator != Some('#') {
            return Err(QUERY_IS_NOT_LAST.to_owned());
        }
        if is_query {
            let text: String = self.texts().collect();
            self.query = Some(TemplateQuery::parse(expression, &text)?);
            return Ok(());
        }
        let is_adjacent = matches!(self.parts.last(), Some(TemplatePart::Variable { .. }));
        match operator {
            Some('#') if self.texts().any(|text| text.contains('#')) => {
                return Err(format!("`{{#{name}}}` begins the fragment, but the template has a `#` before it"));
            }
            Some('#') => self.fragment = Some(name.into()),
            _ if is_adjacent => {
                return Err(format!("`{{{expression}}}` follows a variable; write text between them, such as `/`"));
            }
            operator => {
                self.parts.push(TemplatePart::Variable { name: name.into(), is_reserved: operator.is_some() });
            }
        }
        Ok(())
    }

    /// Returns the names of the variables, in the order of the template.
    pub(super) fn variables(&self) -> impl Iterator<Item = &str> {
        let names = self.parts.iter().filter_map(|part| match part {
            TemplatePart::Text(_) => None,
            TemplatePart::Variable { name, .. } => Some(&**name),
        });
        let query = self.query.iter().flat_map(|query| &query.names).map(|name| &**name);
        names.chain(query).chain(self.fragment.as_deref())
    }

    fn texts(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|part| match part {
            TemplatePart::Text(text) => Some(&**text),
            TemplatePart::Variable { .. } => None,
        })
    }

    /// Returns the rank of the template. If several templates match a URI, the one with the smallest rank is read.
    pub(super) fn rank(&self) -> impl Ord + use<> {
        let reserved = |part: &&TemplatePart| matches!(part, TemplatePart::Variable { is_reserved: true, .. });
        let text = self.texts().map(str::len).sum::<usize>();
        let query = self.query.as_ref().map_or(0, |query| query.names.len());
        (Reverse(text), self.parts.iter().filter(reserved).count(), query)
    }

    /// Returns the template without the names of its variables. Two templates with the same shape match the same URIs.
    pub(super) fn shape(&self) -> String {
        let mut shape = String::new();
        for part in &self.parts {
            shape.push_str(match part {
                TemplatePart::Text(text) => text,
                TemplatePart::Variable { is_reserved: false, .. } => "{}",
                TemplatePart::Variable { is_reserved: true, .. } => "{+}",
            });
        }
        if let Some(query) = &self.query {
            shape.push_str(&query.shape());
        }
        if self.fragment.is_some() {
            shape.push_str("{#}");
        }
        shape
    }

    /// Returns the URI for given variables. The function `value` returns the value of a variable. A variable without a
    /// value is empty, and a variable of the query or the fragment is left out.
    pub(super) fn expand<'v>(&self, value: impl Fn(&str) -> Option<&'v str>) -> String {
        // In the path, a `#` would begin the fragment, and a `?` or `&` would begin a member of the query.
        let separates = match self.query {
            Some(_) => "?&#",
            None if self.fragment.is_some() => "#",
            None => "",
        };
        let is_kept = |char| is_unreserved(char) || is_reserved(char) && !separates.contains(char);
        let mut uri = String::new();
        for part in &self.parts {
            match part {
                TemplatePart::Text(text) => uri.push_str(text),
                TemplatePart::Variable { name, is_reserved } => {
                    let value = value(name).unwrap_or_default();
                    uri += &if *is_reserved { encoded(value, is_kept) } else { encoded(value, is_unreserved) };
                }
            }
        }
        if let Some(query) = &self.query {
            query.expand(&mut uri, &value);
        }
        if let Some(value) = self.fragment.as_deref().and_then(value) {
            let _ = write!(uri, "#{}", encoded(value, |char| is_unreserved(char) || is_reserved(char)));
        }
        uri
    }

    /// Returns the decoded values of the variables, or `None` if the URI does not match.
    pub(super) fn matched<'t>(&'t self, uri: &str) -> Option<Vec<(&'t str, String)>> {
        let (uri, fragment) = match (&self.fragment, uri.split_once('#')) {
            (Some(name), Some((uri, fragment))) => (uri, Some((&**name, decoded(fragment)?.into_owned()))),
            _ => (uri, None),
        };
        if uri.len() > MOST_BYTES {
            return None;
        }
        let (uri, query) = match &self.query {
            Some(query) => {
                let (uri, members) = query.split(uri);
                (uri, query.matched(members)?)
            }
            None => (uri, Vec::new()),
        };
        let [TemplatePart::Text(scheme), parts @ ..] = &*self.parts else { return None };
        let rest = uri.strip_prefix(&**scheme)?;
        if let Some(TemplatePart::Text(end)) = parts.last()
            && !rest.ends_with(&**end)
        {
            return None;
        }
        let rows = rows(parts, rest);
        let mut at = 0;
        let mut values = Vec::with_capacity(parts.len() + 1);
        for (index, part) in parts.iter().enumerate() {
            let (here, after) = (&rows[index], &rows[index + 1]);
            if !here[at] {
                return None;
            }
            match part {
                TemplatePart::Text(text) => at += text.len(),
                TemplatePart::Variable { name, is_reserved } => {
                    let is_allowed = |byte: u8| *is_reserved || is_allowed(byte);
                    let most = rest[at..].bytes().take_while(|byte| is_allowed(*byte)).count();
                    let end = (at + 1..=at + most).rev().find(|end| after[*end])?;
                    values.push((&**name, decoded(&rest[at..end])?.into_owned()));
                    at = end;
                }
            }
        }
        (at == rest.len()).then(|| {
            values.extend(query);
            values.extend(fragment);
            values
        })
    }
}

/// Returns one row for each part of the template, and one row for its end. A row has one value for each byte of `text`:
/// whether the template from this part on matches `text` from this byte on.
fn rows(parts: &[TemplatePart], text: &str) -> Vec<Vec<bool>> {
    let bytes = text.as_bytes();
    let mut end = vec![false; bytes.len() + 1];
    end[bytes.len()] = true;
    let mut rows = vec![end];
    for part in parts.iter().rev() {
        let mut row = vec![false; bytes.len() + 1];
        let after = &rows[rows.len() - 1];
        for at in (0..bytes.len()).rev() {
            row[at] = match part {
                TemplatePart::Text(literal) => {
                    bytes[at..].starts_with(literal.as_bytes()) && after[at + literal.len()] && !is_in_escape(bytes, at)
                }
                TemplatePart::Variable { is_reserved, .. } => {
                    (*is_reserved || is_allowed(bytes[at])) && (after[at + 1] || row[at + 1])
                }
            };
        }
        rows.push(row);
    }
    rows.reverse();
    rows
}

/// Returns whether the byte is the second or third byte of a `%XX`.
fn is_in_escape(bytes: &[u8], at: usize) -> bool {
    bytes[at.saturating_sub(2)..at].contains(&b'%')
}

/// Returns whether the value of `{name}` can contain this byte unescaped.
fn is_allowed(byte: u8) -> bool {
    !b"/?#".contains(&byte)
}
