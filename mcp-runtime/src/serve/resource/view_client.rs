//! The client of views: a script that the server puts into their pages.

use std::borrow::Cow;

/// The client. `mcp-view.d.ts` of the plugin's TypeScript describes its functions.
pub(crate) const VIEW_CLIENT: &str = include_str!("mcp-view.js");

/// The line of a page that the client replaces.
const LINE: &str = r#"<script src="mcp-view.js"></script>"#;

/// Returns the page with the client in place of its line. A page without this line stays as it is.
pub(super) fn with_client(page: Cow<'static, str>) -> Cow<'static, str> {
    match page.split_once(LINE) {
        Some((before, after)) => Cow::Owned([before, "<script>\n", VIEW_CLIENT, "</script>", after].concat()),
        None => page,
    }
}

/// Returns the reason if the page names the client in a way that no browser can load, or `None`.
pub(super) fn problem(page: &str) -> Option<String> {
    let (before, after) = page.split_once(LINE).unwrap_or((page, ""));
    (names_client(before) || names_client(after)).then(|| {
        format!("its page names the client of views in another way than once as `{LINE}`; write this line instead")
    })
}

/// Returns whether a script of the page has the client as its source.
fn names_client(page: &str) -> bool {
    let mut rest = page;
    while let Some((before, after)) = rest.split_once("mcp-view.js") {
        let tag = before.rsplit('<').next().unwrap_or_default();
        if tag.get(..6).is_some_and(|name| name.eq_ignore_ascii_case("script")) && !tag.contains('>') {
            return true;
        }
        rest = after;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_client_replaces_its_line() {
        let page = "<!doctype html>\n<script src=\"mcp-view.js\"></script>\n<script>connectView({})</script>";
        let served = with_client(page.into());
        assert_eq!(problem(page), None);
        assert!(served.starts_with("<!doctype html>\n<script>\n// The client of a view"), "{served}");
        assert!(served.ends_with("</script>\n<script>connectView({})</script>"), "{served}");
    }

    #[test]
    fn a_page_without_the_line_stays_as_it_is() {
        for page in ["<!doctype html>", "<!doctype html><!-- mcp-view.js --><script>\"mcp-view.js\"</script>"] {
            assert_eq!((&*with_client(page.into()), problem(page)), (page, None));
        }
    }

    #[test]
    fn rejects_a_client_that_no_browser_can_load() {
        for page in [
            "<script src='mcp-view.js'></script>",
            "<script defer src=\"mcp-view.js\"></script>",
            "<SCRIPT src=\"./mcp-view.js\"></SCRIPT>",
            "<script src=\"mcp-view.js\"></script><script src=\"mcp-view.js\"></script>",
        ] {
            assert!(problem(page).is_some(), "{page}");
        }
    }

    #[test]
    fn the_client_does_not_end_its_script() {
        for end in ["</script", "<!--", "<script"] {
            assert!(!VIEW_CLIENT.to_ascii_lowercase().contains(end), "{end}");
        }
        assert!(VIEW_CLIENT.len() < 8 * 1024, "{}", VIEW_CLIENT.len());
    }
}
