//! Finds what the text of a skill says about tools and their parameters.
//!
//! A skill can be about any tool: of its host, of another server, of the command line. So only names in backquotes count
//! of which the text says what they are.

/// A name in the text of a skill.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Mention {
    /// The line in the file, from 1.
    pub(crate) line: usize,
    pub(crate) of: Mentioned,
}

/// What the text says about a name.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Mentioned {
    /// The text calls the name a tool.
    Tool(String),
    /// A call, with the names of its arguments: `book(order: 7)`.
    Call { tool: String, parameters: Vec<String> },
    /// The text calls the name a parameter, in a sentence with these other names in backquotes.
    Parameter { name: String, beside: Vec<String> },
}

/// Words before or after a name that say what it is.
const TOOL: &[&str] = &["tool", "tools"];
const PARAMETER: &[&str] = &["parameter", "parameters", "argument", "arguments"];

/// Returns what a Markdown text says about tools. Blocks of code and a frontmatter are left out, and so are sentences
/// about other servers.
pub(crate) fn mentions(text: &str) -> Vec<Mention> {
    let mut found = Vec::new();
    for paragraph in paragraphs(text) {
        for sentence in sentences(&paragraph.text) {
            if is_about_another_server(sentence) {
                continue;
            }
            for of in of_sentence(sentence) {
                let (Mentioned::Tool(name) | Mentioned::Call { tool: name, .. } | Mentioned::Parameter { name, .. }) =
                    &of;
                let line = paragraph.line_of(name);
                found.push(Mention { line, of });
            }
        }
    }
    found
}

/// Lines of text that belong together.
#[derive(Default)]
struct Paragraph {
    /// The lines with their numbers.
    lines: Vec<(usize, String)>,
    text: String,
}

impl Paragraph {
    /// Returns the number of the first line with this name in backquotes.
    fn line_of(&self, name: &str) -> usize {
        let begin = format!("`{name}");
        let with_name = self.lines.iter().find(|(_, line)| line.contains(&begin));
        with_name.or(self.lines.first()).map_or(1, |(number, _)| *number)
    }
}

fn paragraphs(text: &str) -> Vec<Paragraph> {
    let (mut paragraphs, mut fence) = (vec![Paragraph::default()], None);
    let mut is_frontmatter = false;
    for (number, line) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
        let line = line.trim();
        if line == "---" && (number == 1 || is_frontmatter) {
            is_frontmatter = number == 1;
            continue;
        }
        let begins_fence = ["```", "~~~"].into_iter().find(|mark| line.starts_with(mark));
        match (fence, begins_fence) {
            (None, Some(mark)) => fence = Some(mark),
            (Some(open), Some(mark)) if open == mark => fence = None,
            _ => {}
        }
        let ends = line.is_empty() || begins_fence.is_some() || begins_item(line);
        if ends && paragraphs.last().is_some_and(|last| !last.lines.is_empty()) {
            paragraphs.push(Paragraph::default());
        }
        if is_frontmatter || fence.is_some() || begins_fence.is_some() || line.is_empty() {
            continue;
        }
        if let Some(paragraph) = paragraphs.last_mut() {
            paragraph.text.push_str(line);
            paragraph.text.push(' ');
            paragraph.lines.push((number, line.to_owned()));
        }
    }
    paragraphs
}

/// Whether a line begins an item of a list, a heading or a row of a table.
fn begins_item(line: &str) -> bool {
    let numbered = line.split_once(['.', ')']).is_some_and(|(number, rest)| {
        !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit()) && rest.starts_with(' ')
    });
    numbered || ["- ", "* ", "+ ", "#", "|", "> "].iter().any(|mark| line.starts_with(mark))
}

/// Splits a text after each full stop that a space follows, outside of backquotes.
fn sentences(text: &str) -> Vec<&str> {
    let (mut sentences, mut start, mut is_code) = (Vec::new(), 0, false);
    for (at, pair) in text.as_bytes().windows(2).enumerate() {
        is_code ^= pair[0] == b'`';
        if !is_code && matches!(pair[0], b'.' | b'!' | b'?') && pair[1] == b' ' {
            sentences.push(&text[start..=at]);
            start = at + 1;
        }
    }
    sentences.push(&text[start..]);
    sentences
}

/// Returns what a sentence says. Parts with odd numbers are in backquotes.
fn of_sentence(sentence: &str) -> Vec<Mentioned> {
    let parts: Vec<&str> = sentence.split('`').collect();
    let spans = (1..parts.len().saturating_sub(1)).step_by(2);
    let names: Vec<&str> = spans.clone().map(|at| name_of(parts[at])).collect();
    let mut found = Vec::new();
    for at in spans {
        let (code, name) = (parts[at], name_of(parts[at]));
        if name.is_empty() {
            continue;
        }
        if let Some(parameters) = code[name.len()..].strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
            found.push(Mentioned::Call { tool: name.to_owned(), parameters: named(parameters) });
        } else if name.len() < code.len() {
            continue;
        }
        if is_called(&parts, at, TOOL) {
            found.push(Mentioned::Tool(name.to_owned()));
        } else if name.len() == code.len() && is_called(&parts, at, PARAMETER) {
            let beside = names.iter().filter(|other| **other != name).map(|other| (*other).to_owned()).collect();
            found.push(Mentioned::Parameter { name: name.to_owned(), beside });
        }
    }
    found
}

/// Returns the name at the beginning of a piece of code, or an empty text.
fn name_of(code: &str) -> &str {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || "_-".contains(letter);
    let name = &code[..code.find(|letter| !is_part(letter)).unwrap_or(code.len())];
    let is_whole = code[name.len()..].is_empty() || code[name.len()..].starts_with('(');
    if is_whole && name.starts_with(|first: char| first.is_ascii_alphabetic()) { name } else { "" }
}

/// Whether one of these words stands before or after the code, or before or after the list to which the code belongs.
fn is_called(parts: &[&str], at: usize, words: &[&str]) -> bool {
    let (mut first, mut last) = (at, at);
    while first > 1 && is_between(parts[first - 1]) {
        first -= 2;
    }
    while last + 2 < parts.len() && is_between(parts[last + 1]) {
        last += 2;
    }
    let before = parts[first - 1].strip_suffix(' ').and_then(|text| text.rsplit([' ', '(', '*']).next());
    let after = parts.get(last + 1).and_then(|text| text.strip_prefix(' '));
    let after = after.and_then(|text| text.split(|letter: char| !letter.is_alphanumeric()).next());
    [before, after].into_iter().flatten().any(|word| words.contains(&&*word.to_lowercase()))
}

/// Whether a text stands between two parts of a list.
fn is_between(text: &str) -> bool {
    [", ", " and ", " or ", ", and ", ", or "].contains(&text)
}

/// Returns the names of the arguments in a call: those before a `:` or a `=`, also of a JSON object.
fn named(arguments: &str) -> Vec<String> {
    let arguments = arguments.trim();
    let object = arguments.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
    let mut names = Vec::new();
    let (mut depth, mut quote, mut start) = (0_usize, None, 0);
    let text = object.unwrap_or(arguments);
    let add = |names: &mut Vec<String>, argument: &str| {
        let argument = argument.trim().trim_start_matches('"');
        let name = &argument[..argument.find(|letter: char| !is_identifier(letter)).unwrap_or(argument.len())];
        let rest = argument[name.len()..].trim_start_matches('"').trim_start();
        if !name.is_empty() && (rest.starts_with(':') || (rest.starts_with('=') && !rest.starts_with("=="))) {
            names.push(name.to_owned());
        }
    };
    for (at, letter) in text.char_indices() {
        match (quote, letter) {
            (Some(open), _) if open == letter => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(letter),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth = depth.saturating_sub(1),
            (None, ',') if depth == 0 => {
                add(&mut names, &text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    add(&mut names, &text[start..]);
    names
}

fn is_identifier(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

/// Whether a sentence names a server.
fn is_about_another_server(sentence: &str) -> bool {
    let sentence = sentence.to_lowercase();
    let mut words = sentence.split(|letter: char| !letter.is_alphanumeric());
    ["other server", "server `", "` server"].iter().any(|text| sentence.contains(text))
        || words.any(|word| word == "mcp")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns what is found, in short.
    fn found(text: &str) -> Vec<String> {
        let short = |mention: Mention| match mention.of {
            Mentioned::Tool(name) => format!("{} tool {name}", mention.line),
            Mentioned::Call { tool, parameters } => format!("{} {tool}({})", mention.line, parameters.join(" ")),
            Mentioned::Parameter { name, beside } => format!("{} {name} beside {}", mention.line, beside.join(" ")),
        };
        mentions(text).into_iter().map(short).collect()
    }

    #[test]
    fn a_name_is_a_tool_if_the_text_says_so() {
        for text in [
            "Call the tool `find_order` first.",
            "Use the `find_order` tool.",
            "Use the\n`find_order` tool's result.",
            "- **Tool `find_order`**: finds",
            "The tool `find_order` of this server.",
        ] {
            assert!(found(text).iter().any(|it| it.ends_with("tool find_order")), "{text}: {:?}", found(text));
        }
        let list = "The tools `a_b`, `c_d` and `e_f` or the `g_h` and `i_j` tools.";
        assert_eq!(found(list), ["1 tool a_b", "1 tool c_d", "1 tool e_f", "1 tool g_h", "1 tool i_j"]);
    }

    #[test]
    fn other_names_are_left_out() {
        for text in [
            "Run `npm install` and call `find_order`.",
            "The `tool` crate, the toolbox `find_order`, the tool `cargo build`, the tool `src/main.rs`.",
            "The tool find_order.",
            "```sh\nthe tool `find_order`\n```",
            "---\nname: a\ndescription: The tool `find_order`.\n---\n",
            "The `create_issue` tool of the server `github`.",
            "The tool `create_issue` of another server.",
            "The tool `mcp__github__create_issue` of another MCP server.",
        ] {
            assert_eq!(found(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn arguments_are_those_with_names() {
        for (call, expected) in [
            ("book(order: 7, reason: \"a, b: c\")", "book(order reason)"),
            ("book(order=7, [x=1], who == me)", "book(order)"),
            ("book({ \"order\": 7, \"lines\": [{ \"no\": 1 }] })", "book(order lines)"),
            ("book(order, reason)", "book()"),
            ("book()", "book()"),
        ] {
            assert_eq!(found(&format!("Call `{call}`.")), [format!("1 {expected}")]);
        }
    }

    #[test]
    fn a_parameter_belongs_to_the_names_of_its_sentence() {
        let text = "# Search\n\nSet the parameter `limit` of `find_order`. Then the `pages` argument.\n";
        assert_eq!(found(text), ["3 limit beside find_order", "3 pages beside "]);
    }

    #[test]
    fn any_text_is_read() {
        for text in ["`", "``", "```", "the tool `é`", "the tool `", "` tool", "é. `a_b` tool", "---", "`a(`", "`a)(b`"]
        {
            let _ = found(text);
        }
    }
}
