//! The index of tools: ranks them by how well they match a query.
//!
//! The ranking is BM25F: the words of a name, of the description, and of the parameters count in their own fields, so that a
//! tool with many parameters does not lose against one with a short name. The crate `bm25` knows one field, and orders equal
//! scores at random. With equal scores, tools stay in the order of the list.

use foldhash::{HashMap, HashMapExt as _};

use super::{
    text::{FIELDS, LONGEST_FIELD, ToolText},
    words::each_word,
};
use crate::wire::protocol::text::beginning;

/// How much a word counts in each field: name, description, names of parameters, their descriptions, their values.
const WEIGHTS: [f32; FIELDS] = [2.0, 1.0, 1.0, 0.5, 0.5];

/// How soon more of the same word count no longer.
const SATURATION: f32 = 1.2;

/// How much a word counts less in a long field.
const LENGTH: f32 = 0.75;

/// The number of different words of a query that count.
const MOST_WORDS: usize = 256;

/// The index of the tools of a list.
pub(super) struct SearchIndex {
    /// For each word the tools that contain it, and how much it adds to their scores.
    words: HashMap<Box<str>, Vec<(u32, f32)>>,
    /// The positions of the tools by their names.
    names: HashMap<Box<str>, u32>,
}

impl SearchIndex {
    /// Creates the index. The positions in results are those of `tools`.
    pub(super) fn new(tools: &[ToolText]) -> Self {
        let mut counts = HashMap::<Box<str>, Vec<(u32, [f32; FIELDS])>>::new();
        let mut names = HashMap::new();
        let mut lengths = Vec::with_capacity(tools.len());
        for (position, tool) in (0..).zip(tools) {
            let mut length = [0.0; FIELDS];
            for (field, text) in tool.fields.iter().enumerate() {
                each_word(text, |word| {
                    length[field] += 1.0;
                    let of_word = match counts.get_mut(word) {
                        Some(known) => known,
                        None => counts.entry(word.into()).or_default(),
                    };
                    match of_word.last_mut() {
                        Some((last, fields)) if *last == position => fields[field] += 1.0,
                        _ => {
                            let mut fields = [0.0; FIELDS];
                            fields[field] = 1.0;
                            of_word.push((position, fields));
                        }
                    }
                });
            }
            lengths.push(length);
            names.insert(tool.fields[0].as_str().into(), position);
        }
        let number = tools.len() as f32;
        let average = |field: usize| lengths.iter().map(|of: &[f32; FIELDS]| of[field]).sum::<f32>() / number;
        let averages: [f32; FIELDS] = std::array::from_fn(|field| average(field).max(1.0));
        let words = counts.into_iter().map(|(word, tools)| {
            let with_word = tools.len() as f32;
            let rarity = (1.0 + (number - with_word + 0.5) / (with_word + 0.5)).ln();
            let scored = tools.into_iter().map(|(position, counts)| {
                let length = &lengths[position as usize];
                let in_field = |field: usize| {
                    WEIGHTS[field] * counts[field] / (1.0 - LENGTH + LENGTH * length[field] / averages[field])
                };
                let count: f32 = (0..FIELDS).map(in_field).sum();
                (position, rarity * count * (SATURATION + 1.0) / (SATURATION + count))
            });
            (word, scored.collect())
        });
        Self { words: words.collect(), names }
    }

    /// Returns the positions of the tools that match the query, the best first. The tool whose name is the query comes
    /// before all others. Only the beginning of a long query is read.
    pub(super) fn rank(&self, query: &str) -> Vec<usize> {
        let mut scores = HashMap::<u32, f32>::new();
        let mut known: Vec<Box<str>> = Vec::new();
        each_word(beginning(query, LONGEST_FIELD), |word| {
            if known.len() >= MOST_WORDS || known.iter().any(|known| **known == *word) {
                return;
            }
            known.push(word.into());
            for (position, score) in self.words.get(word).into_iter().flatten() {
                *scores.entry(*position).or_default() += score;
            }
        });
        if let Some(position) = self.names.get(query.trim()) {
            scores.insert(*position, f32::INFINITY);
        }
        let mut ranked: Vec<_> = scores.into_iter().collect();
        ranked.sort_unstable_by(|(at, score), (other_at, other)| other.total_cmp(score).then(at.cmp(other_at)));
        ranked.into_iter().map(|(position, _)| position as usize).collect()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn tool(name: &str, description: &str) -> ToolText {
        ToolText::new(name, description, &json!({}))
    }

    #[test]
    fn a_word_of_the_name_counts_more_than_one_of_the_description() {
        let index = SearchIndex::new(&[
            tool("list_all", "Lists every issue of a repository."),
            tool("issue_list", "Lists what is open in a repository."),
            tool("delete_branch", "Deletes a branch."),
        ]);
        assert_eq!(index.rank("issues"), [1, 0]);
        assert_eq!(index.rank("remove a branch"), [2]);
        assert_eq!(index.rank("weather"), [0; 0]);
        assert_eq!(index.rank(" the … "), [0; 0]);
    }

    #[test]
    fn a_rare_word_counts_more_than_a_common_one() {
        let index = SearchIndex::new(&[
            tool("get_user", "Gets a user."),
            tool("get_team", "Gets a team."),
            tool("get_invoice", "Gets an invoice."),
        ]);
        assert_eq!(index.rank("get invoice"), [2, 0, 1]);
    }

    #[test]
    fn parameters_are_found_and_do_not_hide_their_tool() {
        let schema = json!({ "properties": {
            "recipient": { "description": "An address." },
            "format": { "enum": ["markdown", "html"] },
            "priority": {}, "attachments": {}, "folder": {}, "signature": {},
        } });
        let index = SearchIndex::new(&[
            ToolText::new("send", "Sends a message.", &schema),
            tool("notes", "Keeps notes. A message tells which."),
        ]);
        for query in ["recipients", "address", "markdown"] {
            assert_eq!(index.rank(query), [0], "{query}");
        }
        assert_eq!(index.rank("send message"), [0, 1]);
    }

    #[test]
    fn the_name_of_a_tool_finds_it_first() {
        let index = SearchIndex::new(&[tool("page", "A page, a page."), tool("page_of", "A text.")]);
        assert_eq!(index.rank("page"), [0, 1]);
        assert_eq!(index.rank("page_of"), [1, 0]);
    }

    #[test]
    fn reads_only_the_beginning_of_a_long_query() {
        let index = SearchIndex::new(&[tool("page", "A page."), tool("film", "A film.")]);
        assert_eq!(index.rank(&format!("film {} page", "word ".repeat(LONGEST_FIELD / 5))), [1]);
    }

    #[test]
    fn equal_tools_stay_in_their_order() {
        let tools: Vec<_> = (0..50).map(|_| tool("same", "The same text.")).collect();
        // The last of those with this name has it.
        assert_eq!(SearchIndex::new(&tools).rank("text"), (0..50).collect::<Vec<_>>());
        assert_eq!(SearchIndex::new(&[]).rank("text"), [0; 0]);
    }
}
