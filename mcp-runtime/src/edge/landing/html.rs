//! HTML in which text cannot become markup.

/// HTML under construction. Markup is part of this program; everything else is escaped.
pub(super) struct Html(String);

impl Html {
    pub(super) fn new() -> Self {
        Self(String::new())
    }

    /// Appends markup.
    pub(super) fn markup(&mut self, markup: &'static str) -> &mut Self {
        self.0.push_str(markup);
        self
    }

    /// Appends text, for an element or for the value of an attribute in double quotes.
    pub(super) fn text(&mut self, text: &str) -> &mut Self {
        for char in text.chars() {
            match char {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '"' => self.0.push_str("&quot;"),
                '\'' => self.0.push_str("&#39;"),
                '\n' | '\t' => self.0.push(char),
                // Control characters, also those that change the direction of the text around them.
                _ if char.is_control() || matches!(char, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}') => {}
                _ => self.0.push(char),
            }
        }
        self
    }

    /// Appends an element that contains text. `open` and `close` are its tags.
    pub(super) fn element(&mut self, open: &'static str, text: &str, close: &'static str) -> &mut Self {
        self.markup(open).text(text).markup(close)
    }

    /// Appends text in which words between backticks are code.
    pub(super) fn inline(&mut self, text: &str) -> &mut Self {
        let parts: Vec<_> = text.split('`').collect();
        if parts.len() % 2 == 0 {
            // One backtick has no partner.
            return self.text(text);
        }
        for (index, part) in parts.into_iter().enumerate() {
            if index % 2 == 0 {
                self.text(part)
            } else {
                self.element("<code>", part, "</code>")
            };
        }
        self
    }

    /// Appends the paragraphs of a description. The lines of a paragraph are joined, except for the items of a list.
    pub(super) fn paragraphs(&mut self, text: &str) -> &mut Self {
        for paragraph in text.split("\n\n").map(str::trim).filter(|paragraph| !paragraph.is_empty()) {
            let mut joined = String::new();
            for line in paragraph.lines().map(str::trim) {
                let is_item = line.starts_with(['-', '*', '|']);
                joined.push_str(if joined.is_empty() {
                    ""
                } else if is_item {
                    "\n"
                } else {
                    " "
                });
                joined.push_str(line);
            }
            self.markup("<p class=\"about\">").inline(&joined).markup("</p>\n");
        }
        self
    }

    pub(super) fn into_string(self) -> String {
        self.0
    }
}
