//! Descriptions: the texts of a document, without markup, and short enough for a model.

/// The longest description of a tool, in characters. Hosts reject more than 1,024.
pub(super) const LONGEST_OF_TOOL: usize = 800;
/// The longest description of an argument, in characters.
pub(super) const LONGEST_OF_ARGUMENT: usize = 300;

/// Returns the text without links, HTML and emphasis, and at most `longest` characters of it. It ends with a sentence if
/// one ends in the second half, otherwise with a word.
pub(super) fn plain(text: &str, longest: usize) -> String {
    shortened(&without_markup(text), longest)
}

fn without_markup(text: &str) -> String {
    let text = without_tags(&without_links(text)).replace("**", "").replace("__", "");
    let mut lines: Vec<String> = Vec::new();
    for line in text.lines() {
        let line = line.trim_start().trim_start_matches(['#', '>']).split_whitespace().collect::<Vec<_>>().join(" ");
        // Fences, and rows between a table and its head.
        let is_rule = line.starts_with("```") || (!line.is_empty() && line.chars().all(|c| "-|: =".contains(c)));
        let repeats_gap = line.is_empty() && lines.last().is_none_or(String::is_empty);
        if !is_rule && !repeats_gap {
            lines.push(line);
        }
    }
    // A line of a paragraph goes on in the next one. Items of lists and rows of tables do not.
    let mut joined = String::new();
    for line in &lines {
        let begins = line.starts_with(['-', '*', '|']) || line.starts_with(|c: char| c.is_ascii_digit());
        match (joined.is_empty() || joined.ends_with('\n'), line.is_empty() || begins) {
            (true, _) => {}
            (false, true) => joined.push('\n'),
            (false, false) => joined.push(' '),
        }
        joined.push_str(line);
    }
    joined.trim().to_owned()
}

/// Replaces `[text](target)` and `![text](target)` by their text.
fn without_links(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(open) = rest.find('[') {
        let inside = &rest[open + 1..];
        let link = inside.find("](").filter(|close| !inside[..*close].contains(['[', '\n'])).and_then(|close| {
            let target = &inside[close + 2..];
            target.find(')').map(|end| (&inside[..close], &target[end + 1..]))
        });
        let before = &rest[..open];
        match link {
            Some((shown, after)) => {
                out.push_str(before.strip_suffix('!').unwrap_or(before));
                out.push_str(shown);
                rest = after;
            }
            None => {
                out.push_str(&rest[..=open]);
                rest = inside;
            }
        }
    }
    out + rest
}

/// Removes tags of HTML. What only looks like one, such as `a < b` or `<id>`, stays.
fn without_tags(text: &str) -> String {
    const TAGS: [&str; 26] = [
        "a", "b", "br", "code", "details", "div", "em", "h1", "h2", "h3", "h4", "i", "img", "li", "ol", "p", "pre",
        "small", "span", "strong", "summary", "table", "td", "th", "tr", "ul",
    ];
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(open) = rest.find('<') {
        let inside = rest[open + 1..].trim_start_matches('/');
        let name: String = inside.chars().take_while(char::is_ascii_alphanumeric).collect::<String>().to_lowercase();
        match inside.find('>').filter(|_| TAGS.contains(&name.as_str())) {
            Some(close) => {
                out.push_str(&rest[..open]);
                if matches!(name.as_str(), "br" | "p" | "li" | "div" | "tr" | "td") {
                    out.push(' ');
                }
                rest = &inside[close + 1..];
            }
            None => {
                out.push_str(&rest[..=open]);
                rest = &rest[open + 1..];
            }
        }
    }
    out + rest
}

/// Returns at most `longest` characters of a text.
pub(super) fn shortened(text: &str, longest: usize) -> String {
    let Some((end, _)) = text.char_indices().nth(longest) else { return text.to_owned() };
    let text = &text[..end];
    let sentence = [". ", ".\n", "! ", "? ", "\n"].iter().filter_map(|end| text.rfind(end).map(|at| at + 1)).max();
    if let Some(at) = sentence.filter(|at| *at > end / 2) {
        return text[..at].trim_end().to_owned();
    }
    let word = text.rfind(char::is_whitespace).unwrap_or(end);
    // The mark has a character, too.
    let word = if word == end { text.char_indices().nth(longest - 1).map_or(end, |(at, _)| at) } else { word };
    format!("{}…", text[..word].trim_end().trim_end_matches([',', ';', ':']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_removed_and_the_text_stays() {
        for (text, shown) in [
            ("Gets a **pet**. See [the docs](https://x.y/(z).", "Gets a pet. See the docs."),
            ("> [!NOTE]\n> Only for\n> owners.", "[!NOTE] Only for owners."),
            ("A<br/>b <code>c</code> a < b <id>", "A b c a < b <id>"),
            ("One\ntwo\n\n- a\n- b", "One two\n- a\n- b"),
            ("## Head\n| a |\n|---|\n| 1 |", "Head\n| a |\n| 1 |"),
        ] {
            assert_eq!(plain(text, 100), shown, "{text}");
        }
    }

    #[test]
    fn a_long_text_ends_with_a_sentence_or_a_word() {
        assert_eq!(plain("One two three. Four five six.", 20), "One two three.");
        assert_eq!(plain("One two, three four", 9), "One two…");
        assert_eq!(plain("ééééé", 3), "éé…");
        assert_eq!(plain("short", 5), "short");
    }
}
