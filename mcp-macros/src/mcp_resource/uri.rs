//! The syntax of URIs and templates. `mcp-runtime/src/resource/` has the same rules, for resources created at run time.

/// Returns the variables of a template, or an empty list for a URI without variables.
///
/// # Errors
/// Fails if the text is neither a URI nor a template. The error describes the mistake.
pub(super) fn variables(text: &str) -> Result<Vec<String>, String> {
    let mut variables: Vec<String> = Vec::new();
    let (mut rest, mut literals, mut is_after_variable) = (text, String::new(), false);
    check_scheme(text.split(['{', '}']).next().unwrap_or_default())?;
    while !rest.is_empty() {
        let literal = rest.split(['{', '}']).next().unwrap_or_default();
        literals += literal;
        check_text(literal)?;
        is_after_variable &= literal.is_empty();
        rest = &rest[literal.len()..];
        if let Some(expression) = rest.strip_prefix('{') {
            let (expression, after) = expression.split_once('}').ok_or("a `{` has no `}`")?;
            let name = name(expression)?;
            if variables.iter().any(|known| known == name) {
                return Err(format!("the variable `{name}` appears twice; rename one"));
            }
            match expression.starts_with('#') {
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
            variables.push(name.to_owned());
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

/// Returns the variable of an expression, which is the text between braces.
fn name(expression: &str) -> Result<&str, String> {
    let name = expression.strip_prefix(['+', '#']).unwrap_or(expression);
    if name.is_empty() {
        return Err(format!("`{{{expression}}}` has no variable; write a name, such as `{{name}}`"));
    }
    if !name.chars().all(|char| char.is_ascii_alphanumeric() || "_.".contains(char)) {
        return Err(format!(
            "`{{{expression}}}` is not supported; write one variable, as `{{name}}`, `{{+path}}` or `{{#fragment}}`"
        ));
    }
    Ok(name)
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
