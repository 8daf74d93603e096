//! Texts of another server as documentation.

/// Returns Markdown that shows a text as it is, line by line.
///
/// The text is the other server's, so nothing in it may have an effect: code would be run by `cargo test --doc`, HTML
/// would be part of the page, and a link that does not resolve would be a warning.
pub(super) fn documentation(text: &str) -> Option<String> {
    let lines: Vec<_> = text.lines().map(line).collect();
    let mut markdown = String::new();
    for line in &lines {
        // A backslash at the end of a line breaks it. An empty line begins a paragraph.
        markdown.push_str(match (markdown.is_empty() || markdown.ends_with('\n'), line.is_empty()) {
            (true, _) => "",
            (false, false) => "\\\n",
            (false, true) => "\n\n",
        });
        markdown.push_str(line);
    }
    let markdown = markdown.trim_end();
    (!markdown.is_empty()).then(|| format!(" {}", markdown.replace('\n', "\n ")))
}

/// Escapes a line. Without two spaces in succession, no part of it is an indented block of code.
fn line(line: &str) -> String {
    let mut escaped = String::new();
    for word in line.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty()) {
        let begins = escaped.is_empty();
        if !begins {
            escaped.push(' ');
        }
        // `1.` and `1)` begin a list.
        let number = word.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        for (index, c) in word.char_indices() {
            let marks = begins && (index == 0 && matches!(c, '-' | '+' | '=') || index == word.len() - number);
            if matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '~' | '|' | '#' | '&' | ':')
                || marks && c.is_ascii_punctuation()
            {
                escaped.push('\\');
            }
            escaped.push(c);
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_lines_and_paragraphs() {
        let shown = |text| documentation(text).unwrap_or_default();
        assert_eq!(shown("Creates an issue."), " Creates an issue.");
        assert_eq!(shown("One.\nTwo.\n\n\nThree.\n"), " One.\\\n Two.\n \n Three.");
        assert_eq!(documentation(" \n\t\n"), None);
    }

    #[test]
    fn nothing_in_a_text_is_code_a_link_or_html() {
        let shown = |text| documentation(text).unwrap_or_default();
        assert_eq!(shown("```\npanic!()\n```"), " \\`\\`\\`\\\n panic!()\\\n \\`\\`\\`");
        assert_eq!(shown("Runs:\n\n    panic!()\n\n\tpanic!()"), " Runs\\:\n \n panic!()\n \n panic!()");
        assert_eq!(shown("-     panic!()\n1.     panic!()"), " \\- panic!()\\\n 1\\. panic!()");
        assert_eq!(shown("> ~~~\u{b}x"), " \\> \\~\\~\\~ x");
        assert_eq!(shown("[a] <b> https://c"), " \\[a\\] \\<b\\> https\\://c");
        assert_eq!(shown("===\n---\n+1 of 2.5"), " \\===\\\n \\---\\\n \\+1 of 2.5");
    }
}
