//! The syntax of URIs and templates. `mcp-runtime/src/serve/resource/` has the same rules, for resources created at run time.

const QUERY_IS_NOT_LAST: &str = "a query must be at the end of the template, or before `{#…}`";

/// Returns the variables of a template, or an empty list for a URI without variables.
///
/// # Errors
/// Fails if the text is neither a URI nor a template. The error describes the mistake.
pub(super) fn variables(text: &str) -> Result<Vec<String>, String> {
    let mut variables: Vec<String> = Vec::new();
    let (mut rest, mut literals, mut is_after_variable, mut has_query) = (text, String::new(), false, false);
    check_scheme(text.split(['{', '}']).next().unwrap_or_default())?;
    while !rest.is_empty() {
        let literal = rest.split(['{', '}']).next().unwrap_or_default();
        literals += literal;
        check_text(literal)?;
        if has_query && !literal.is_empty() {
            return Err(QUERY_IS_NOT_LAST.to_owned());
        }
        is_after_variable &= literal.is_empty();
        rest = &rest[literal.len()..];
        if let Some(expression) = rest.strip_prefix('{') {
            let (expression, after) = expression.split_once('}').ok_or("a `{` has no `}`")?;
            for name in names(expression)? {
                if variables.contains(&name) {
                    return Err(format!("the variable `{name}` appears twice; rename one"));
                }
                variables.push(name);
            }
            let (is_query, is_fragment) = (expression.starts_with(['?', '&']), expression.starts_with('#'));
            if has_query && is_query {
                return Err("write all variables of the query in one expression, such as `{?a,b}`".to_owned());
            }
            if has_query && !is_fragment {
                return Err(QUERY_IS_NOT_LAST.to_owned());
            }
            if is_query {
                check_query(expression, &literals)?;
                (rest, has_query) = (after, true);
                continue;
            }
            match is_fragment {
                true if !after.is_empty() => return Err("`{#…}` must be at the end of the template".to_owned()),
                true if literals.contains('#') => {
                    return Err(format!(
                        "`{{{expression}}}` begins the fragment, but the template has a `#` before it"
                    ));
                }
                false if is_after_variable => {
                    return Err(format!("`{{{expression}}}` follows a variable; write text between them, such as `/`"));
                }
                _ => {}
            }
            (rest, is_after_variable) = (after, true);
        } else if !rest.is_empty() {
            return Err("a `}` has no `{` before it".to_owned());
        }
    }
    if literals.matches('#').count() > 1 {
        return Err("a URI has at most one `#`; write the other as `%23`".to_owned());
    }
    Ok(variables)
}

/// Returns the variables of an expression, which is the text between braces. Only a query has several.
fn names(expression: &str) -> Result<Vec<String>, String> {
    let names: Vec<_> = match expression.strip_prefix(['?', '&']) {
        Some(names) => names.split(',').collect(),
        None => vec![expression.strip_prefix(['+', '#']).unwrap_or(expression)],
    };
    if names.contains(&"") {
        return Err(format!("`{{{expression}}}` has no variable; write a name, such as `{{name}}`"));
    }
    if names.iter().any(|name| !name.chars().all(|char| char.is_ascii_alphanumeric() || "_.".contains(char))) {
        return Err(format!(
            "`{{{expression}}}` is not supported; write one variable, as `{{name}}`, `{{+path}}` or `{{#fragment}}`, \
             or the variables of a query, as `{{?a,b}}`"
        ));
    }
    Ok(names.into_iter().map(str::to_owned).collect())
}

/// Returns whether a URI of the template can lack this variable: a variable of the query or of the fragment.
pub(super) fn can_be_absent(template: &str, variable: &str) -> bool {
    let expressions = template.split('{').skip(1).filter_map(|rest| Some(rest.split_once('}')?.0));
    let optional = expressions.filter_map(|expression| expression.strip_prefix(['?', '&', '#']));
    optional.flat_map(|names| names.split(',')).any(|name| name == variable)
}

/// Checks the text before `{?a,b}` or `{&a,b}`.
fn check_query(expression: &str, text: &str) -> Result<(), String> {
    if text.contains('#') {
        return Err(format!("`{{{expression}}}` is a part of the query, but the template has a `#` before it"));
    }
    let (operator, names) = expression.split_at(1);
    match (operator, text.split_once('?')) {
        ("?", None) => Ok(()),
        ("?", Some(_)) => Err(format!(
            "`{{{expression}}}` begins the query, but the template has a `?` before it; write `{{&{names}}}`"
        )),
        (_, Some((_, query))) if query.is_empty() || query.ends_with('&') => Err(format!(
            "`{{{expression}}}` writes the `&` itself; begin the query with `{{?…}}`, or write a member such as \
             `kind=page` before it"
        )),
        (_, Some(_)) => Ok(()),
        (_, None) => Err(format!(
            "`{{{expression}}}` continues a query, but the template has no `?` before it; write `{{?{names}}}`"
        )),
    }
}

fn check_scheme(text: &str) -> Result<(), String> {
    let is_scheme = |scheme: &str| {
        scheme.starts_with(|first: char| first.is_ascii_alphabetic())
            && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
    };
    match text.split_once(':') {
        Some((scheme, _)) if is_scheme(scheme) => Ok(()),
        _ => Err("a URI begins with a scheme, such as `docs://`".to_owned()),
    }
}

fn check_text(text: &str) -> Result<(), String> {
    let is_allowed = |char: char| char.is_ascii_alphanumeric() || "-._~:/?#[]@!$&'()*+,;=%".contains(char);
    if let Some(wrong) = text.chars().find(|char| !is_allowed(*char)) {
        let bytes = wrong.encode_utf8(&mut [0; 4]).bytes().map(|byte| format!("%{byte:02X}")).collect::<String>();
        return Err(format!("a URI cannot contain `{}`; write `{bytes}`", wrong.escape_debug()));
    }
    let is_escape = |rest: &str| rest.len() >= 2 && rest.bytes().take(2).all(|digit| digit.is_ascii_hexdigit());
    if !text.split('%').skip(1).all(is_escape) {
        return Err("`%` must be followed by two hexadecimal digits; write a percent sign as `%25`".to_owned());
    }
    Ok(())
}

/// Returns whether the text is a MIME type: a type and a subtype, with or without parameters.
pub(super) fn is_mime_type(text: &str) -> bool {
    let is_token = |text: &str| {
        !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$&-^_.+".contains(&byte))
    };
    let essence = text.split(';').next().unwrap_or_default().trim_end();
    essence.split_once('/').is_some_and(|(kind, subtype)| is_token(kind) && is_token(subtype))
        && text.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic())
}
