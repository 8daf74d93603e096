//! The variables in the query of a template: `{?a,b}` and `{&a,b}`.
//!
//! In the query of a URI, the variables can have any order, and each can be absent. A query with another name, or with
//! a name twice, does not match: a misspelled name must not read a resource that the client did not mean.

use super::uri::{decoded, encoded, is_unreserved};

/// The variables in the query of a template.
#[derive(Clone, Debug)]
pub(super) struct TemplateQuery {
    pub(super) names: Vec<Box<str>>,
    /// How many members the query has before the variables, as text of the template. Zero for `{?a,b}`.
    pub(super) fixed: usize,
}

impl TemplateQuery {
    /// Parses the expression `{?a,b}` or `{&a,b}`, without the braces. `text` is the text of the template before it.
    ///
    /// # Errors
    /// Returns the reason why the template cannot contain the expression.
    pub(super) fn parse(expression: &str, text: &str) -> Result<Self, String> {
        let (operator, list) = expression.split_at(1);
        if text.contains('#') {
            return Err(format!("`{{{expression}}}` is a part of the query, but the template has a `#` before it"));
        }
        let query = text.split_once('?').map(|(_, query)| query);
        let fixed = match (operator, query) {
            ("?", None) => 0,
            ("?", Some(_)) => {
                return Err(format!(
                    "`{{{expression}}}` begins the query, but the template has a `?` before it; write `{{&{list}}}`"
                ));
            }
            (_, Some(query)) if !query.is_empty() && !query.ends_with('&') => 1 + query.matches('&').count(),
            (_, Some(_)) => {
                return Err(format!(
                    "`{{{expression}}}` writes the `&` itself; begin the query with `{{?…}}`, or write a member such \
                     as `kind=page` before it"
                ));
            }
            (_, None) => {
                return Err(format!(
                    "`{{{expression}}}` continues a query, but the template has no `?` before it; write `{{?{list}}}`"
                ));
            }
        };
        Ok(Self { names: list.split(',').map(Into::into).collect(), fixed })
    }

    /// Splits a URI before the variables. Returns what the rest of the template must match, and the members that are
    /// variables.
    pub(super) fn split<'u>(&self, uri: &'u str) -> (&'u str, &'u str) {
        let Some(question) = uri.find('?') else { return (uri, "") };
        let ampersands = uri[question..].match_indices('&').map(|(at, _)| question + at);
        match std::iter::once(question).chain(ampersands).nth(self.fixed) {
            Some(at) => (&uri[..at], &uri[at + 1..]),
            None => (uri, ""),
        }
    }

    /// Returns the decoded values of the variables, or `None` if the members do not match.
    pub(super) fn matched<'t>(&'t self, members: &str) -> Option<Vec<(&'t str, String)>> {
        let mut values: Vec<(&str, String)> = Vec::new();
        for member in members.split('&').filter(|member| !member.is_empty()) {
            let (name, value) = member.split_once('=').unwrap_or((member, ""));
            let name = decoded(name)?;
            let name = self.names.iter().find(|known| known.as_ref() == name)?;
            if value.contains('#') || values.iter().any(|(earlier, _)| *earlier == &**name) {
                return None;
            }
            values.push((name, decoded(value)?.into_owned()));
        }
        Some(values)
    }

    /// Appends the variables that have a value.
    pub(super) fn expand<'v>(&self, uri: &mut String, value: impl Fn(&str) -> Option<&'v str>) {
        let values = self.names.iter().filter_map(|name| Some((name, value(name)?)));
        for (index, (name, value)) in values.enumerate() {
            uri.push(if self.fixed + index == 0 { '?' } else { '&' });
            uri.push_str(name);
            uri.push('=');
            uri.push_str(&encoded(value, is_unreserved));
        }
    }

    /// Returns a text that is equal for two queries if they match the same members.
    pub(super) fn shape(&self) -> String {
        let mut names: Vec<&str> = self.names.iter().map(|name| &**name).collect();
        names.sort_unstable();
        format!("{{?{}}}", names.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::super::template::UriTemplate;

    fn matched(template: &str, uri: &str) -> Option<Vec<(String, String)>> {
        let template = UriTemplate::parse(template).unwrap();
        let values = template.matched(uri)?;
        Some(values.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
    }

    #[test]
    fn variables_of_a_query_have_any_order_and_can_be_absent() {
        for (template, uri, expected) in [
            ("d://{a}{?q,r}", "d://x", Some(&[("a", "x")][..])),
            ("d://{a}{?q,r}", "d://x?", Some(&[("a", "x")])),
            ("d://{a}{?q,r}", "d://x?q=1", Some(&[("a", "x"), ("q", "1")])),
            ("d://{a}{?q,r}", "d://x?r=2&q=1", Some(&[("a", "x"), ("r", "2"), ("q", "1")])),
            ("d://{a}{?q,r}", "d://x?q", Some(&[("a", "x"), ("q", "")])),
            ("d://{a}{?q,r}", "d://x?q=a=b%26c+d/?e", Some(&[("a", "x"), ("q", "a=b&c+d/?e")])),
            ("d://{a}{?q,r}", "d://x?%71=1", Some(&[("a", "x"), ("q", "1")])),
            // A misspelled name, a name twice, an invalid value, a fragment.
            ("d://{a}{?q,r}", "d://x?qq=1", None),
            ("d://{a}{?q,r}", "d://x?q=1&q=2", None),
            ("d://{a}{?q,r}", "d://x?q=%zz", None),
            ("d://{a}{?q,r}", "d://x?q=1#f", None),
            ("d://{a}{?q,r}", "d://?q=1", None),
            ("d://{+a}{?q}", "d://x/y?q=1", Some(&[("a", "x/y"), ("q", "1")])),
            ("d://all{?q}", "d://all?q=1", Some(&[("q", "1")])),
            ("d://{a}{?q}{#f}", "d://x?q=1#g?q=2", Some(&[("a", "x"), ("q", "1"), ("f", "g?q=2")])),
            ("d://{a}?k=page{&q,r}", "d://x?k=page&r=2&q=1", Some(&[("a", "x"), ("r", "2"), ("q", "1")])),
            ("d://{a}?k=page{&q,r}", "d://x?k=page", Some(&[("a", "x")])),
            ("d://{a}?k=page{&q,r}", "d://x?q=1", None),
            ("d://a&b?k={k}&l=1{&q}", "d://a&b?k=x&l=1&q=2", Some(&[("k", "x"), ("q", "2")])),
        ] {
            let owned = |values: &[(&str, &str)]| values.iter().map(|(n, v)| ((*n).into(), (*v).into())).collect();
            assert_eq!(matched(template, uri), expected.map(owned), "{template} {uri}");
        }
    }

    #[test]
    fn an_expanded_query_matches_with_the_same_values() {
        for template in ["d://{+a}{?q,r}", "d://{+a}?k=1{&q,r}", "d://x?k={+a}{&q,r}{#f}"] {
            let template = UriTemplate::parse(template).unwrap();
            for values in [["a?b&c#d", "1&2=3#4", "é +%"], ["x", "", "/?"]] {
                let named = |name: &str| ["a", "q", "r"].iter().position(|known| *known == name).map(|at| values[at]);
                let uri = template.expand(named);
                assert_eq!(super::super::uri::invalid_uri(&uri), None, "{uri}");
                let found: Vec<_> = template.matched(&uri).unwrap().into_iter().map(|(_, value)| value).collect();
                assert_eq!(found, values, "{uri}");
            }
            let uri = template.expand(|name| (name == "a" || name == "r").then_some("z"));
            assert_eq!(template.matched(&uri).unwrap(), [("a", "z".to_owned()), ("r", "z".to_owned())], "{uri}");
        }
        let template = UriTemplate::parse("d://{a}{?q,r}").unwrap();
        assert_eq!(template.expand(|name| (name == "a").then_some("x")), "d://x");
        assert_eq!(template.expand(|name| (name != "q").then_some("x y")), "d://x%20y?r=x%20y");
    }

    #[test]
    fn explains_what_is_not_a_query_of_a_template() {
        for (text, reason) in [
            ("d://a?{&q}", "`{&q}` writes the `&` itself"),
            ("d://a?k=1&{&q}", "`{&q}` writes the `&` itself"),
            ("d://a{&q,r}", "`{&q,r}` continues a query, but the template has no `?` before it; write `{?q,r}`"),
            ("d://a?k=1{?q,r}", "`{?q,r}` begins the query, but the template has a `?` before it; write `{&q,r}`"),
            ("d://a#f{?q}", "`{?q}` is a part of the query, but the template has a `#` before it"),
            ("d://a{?q}/b", "a query must be at the end of the template"),
            ("d://a{?q}{b}", "a query must be at the end of the template"),
            ("d://a{?q}{&r}", "write all variables of the query in one expression, such as `{?a,b}`"),
            ("d://a{?q}#f", "a query must be at the end of the template"),
            ("d://{q}{?q}", "the variable `q` appears twice"),
            ("d://a{?q,q}", "the variable `q` appears twice"),
            ("d://a{?}", "`{?}` has no variable"),
            ("d://a{?q,}", "`{?q,}` has no variable"),
            ("d://a{?q*}", "`{?q*}` is not supported"),
        ] {
            let found = UriTemplate::parse(text).unwrap_err();
            assert!(found.contains(reason), "{text}: {found}");
        }
    }

    #[test]
    fn templates_with_the_same_variables_in_their_queries_have_one_shape() {
        let shape = |text| UriTemplate::parse(text).unwrap().shape();
        assert_eq!(shape("d://{a}{?q,r}"), shape("d://{b}{?r,q}"));
        assert_ne!(shape("d://{a}{?q,r}"), shape("d://{a}{?q}"));
        assert_ne!(shape("d://{a}{?q}"), shape("d://{a}"));
    }
}
