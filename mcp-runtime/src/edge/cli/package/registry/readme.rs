//! The line in the README of a crate by which the registry knows that the crate belongs to the server.

/// Returns whether users of crates.io see `mcp-name: NAME` in this Markdown. The site drops comments.
pub(super) fn shows_name(markdown: &str, name: &str) -> bool {
    let visible = without_comments(markdown);
    let line = format!("mcp-name: {name}");
    // Behind the name is the end of a word, so that no longer name is found.
    let is_end = |next: Option<char>| next.is_none_or(|next| next.is_whitespace() || "`<*".contains(next));
    visible.match_indices(&line).any(|(at, _)| is_end(visible[at + line.len()..].chars().next()))
}

fn without_comments(markdown: &str) -> String {
    let mut visible = String::new();
    let mut rest = markdown;
    while let Some((before, comment)) = rest.split_once("<!--") {
        visible.push_str(before);
        // A comment without an end hides the rest of the page.
        rest = comment.split_once("-->").map_or("", |(_, behind)| behind);
    }
    visible + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAME: &str = "io.github.ann/flights";

    #[test]
    fn finds_the_visible_line() {
        for text in [
            "# Flights\n\nmcp-name: io.github.ann/flights\n",
            "`mcp-name: io.github.ann/flights`",
            "<!-- a --> mcp-name: io.github.ann/flights",
            "mcp-name: io.github.ann/flights-2 mcp-name: io.github.ann/flights",
        ] {
            assert!(shows_name(text, NAME), "{text}");
        }
    }

    #[test]
    fn a_comment_or_a_longer_name_does_not_count() {
        for text in [
            "",
            "io.github.ann/flights",
            "<!-- mcp-name: io.github.ann/flights -->",
            "<!-- mcp-name: io.github.ann/flights",
            "mcp-name: io.github.ann/flights-2",
            "mcp-name: io.github.ann/flights.",
            "mcp-name:io.github.ann/flights",
        ] {
            assert!(!shows_name(text, NAME), "{text}");
        }
    }
}
