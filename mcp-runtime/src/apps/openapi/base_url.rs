//! The URL before the path of each operation.

use reqwest::Url;

/// Reads the URL. Returns it without a slash at its end.
///
/// # Errors
/// Returns what is wrong with it. The error does not show the URL, which can contain a password.
pub(super) fn read(url: Option<&str>, title: &str) -> Result<Url, String> {
    let Some(url) = url else {
        return Err(format!(
            "the document of `{title}` has no URL of a server that is whole; set one with `Api::base_url`"
        ));
    };
    let wrong = |problem: &str| Err(format!("the URL of `{title}` {problem}"));
    let Ok(mut url) = Url::parse(url.trim()) else {
        return wrong("is not a URL; write it with its scheme, such as `https://api.example.com/v1`");
    };
    if !matches!(url.scheme(), "http" | "https") || url.host().is_none() {
        return wrong("is not `http` or `https`; write it like `https://api.example.com/v1`");
    }
    if !url.username().is_empty() || url.password().is_some() {
        return wrong("contains a user or a password; leave them out, and set `Api::credential`");
    }
    if url.query().is_some() || url.fragment().is_some() {
        return wrong("contains a query or a fragment; remove everything from `?` or `#` on");
    }
    let path = url.path().trim_end_matches('/').to_owned();
    url.set_path(&path);
    Ok(url)
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn an_error_does_not_show_an_invalid_url() {
        for url in ["", "h:8000/v1", "ftp://h/", "http://user:secret@h/", "http://h/?key=secret"] {
            let error = read(Some(url), "Pets").unwrap_err();
            assert!(error.starts_with("the URL of `Pets` ") && !error.contains("secret"), "{error}");
        }
        assert!(read(None, "Pets").unwrap_err().contains("`Api::base_url`"));
        assert_eq!(read(Some(" http://h/v1/ "), "Pets").unwrap().as_str(), "http://h/v1");
    }
}
