//! `--answer KEY=VALUE`: answers given in advance.

use std::{
    fmt::{self, Display},
    str::FromStr,
};

use crate::wire::schema::nearest::did_you_mean;

/// One `--answer` option: a key and a text. The meaning of the text depends on the question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GivenAnswer {
    pub(crate) key: String,
    pub(crate) text: String,
}

/// All answers from the command line. Each answer is used at most once.
#[derive(Debug, Default)]
pub(crate) struct GivenAnswers {
    left: Vec<GivenAnswer>,
    /// The keys of the questions asked so far. The key `confirm#2` is stored without its number, as `confirm`.
    asked: Vec<String>,
    /// The keys of the questions in the definition of the tool or prompt.
    known: Vec<String>,
    /// `tool` or `prompt`.
    noun: &'static str,
}

impl FromStr for GivenAnswer {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.split_once('=') {
            Some((key, text)) if !key.is_empty() => Ok(Self { key: key.to_owned(), text: text.to_owned() }),
            _ => Err("expected KEY=VALUE, such as `confirm=true`"),
        }
    }
}

/// Shows the answer as on the command line, shortened.
impl Display for GivenAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 80;
        let end = self.text.char_indices().nth(SHOWN).map(|(at, _)| at);
        let (text, more) = end.map_or((&*self.text, ""), |end| (&self.text[..end], "…"));
        write!(f, "--answer {}={text}{more}", self.key)
    }
}

impl GivenAnswer {
    /// Returns the key of the question that this answer is for. Removes the number, so `confirm#2` becomes `confirm`.
    pub(crate) fn question(&self) -> &str {
        unnumbered(&self.key)
    }
}

/// Returns a key without its number: `confirm` for `confirm#2` and for `confirm/2`. The key `confirm#2` is the second
/// question with the key `confirm`, and `confirm/2` is the second try of the first question.
pub(crate) fn unnumbered(key: &str) -> &str {
    let mut key = key;
    while let Some((rest, number)) = key.rsplit_once(['#', '/'])
        && !rest.is_empty()
        && !number.is_empty()
        && number.bytes().all(|byte| byte.is_ascii_digit())
    {
        key = rest;
    }
    key
}

impl GivenAnswers {
    pub(crate) fn new(answers: Vec<GivenAnswer>, known: Vec<String>, noun: &'static str) -> Self {
        Self { left: answers, asked: Vec::new(), known, noun }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.left.is_empty() && self.asked.is_empty()
    }

    /// Whether an unused answer has a key that is not the key of a form.
    pub(crate) fn has_one_of_no_form(&self, is_form: impl Fn(&str) -> bool) -> bool {
        self.left.iter().any(|answer| !is_form(answer.question()))
    }

    /// Removes and returns the first unused answer for `key`. If there is none, looks for the key without its number, then
    /// without the names of called tools, then for `word`, the key that stands for all questions of one kind.
    pub(crate) fn take(&mut self, key: &str, word: Option<&str>) -> Option<GivenAnswer> {
        if !self.was_asked(key) {
            self.asked.push(unnumbered(key).to_owned());
        }
        let own = unnumbered(key).rsplit('/').next();
        let names = [Some(key), Some(unnumbered(key)), own, word].into_iter().flatten();
        let at = names.filter_map(|name| self.left.iter().position(|answer| answer.key == name)).next()?;
        Some(self.left.remove(at))
    }

    /// Whether a question with this key was asked before. Ignores the number of the key.
    pub(crate) fn was_asked(&self, key: &str) -> bool {
        self.asked.iter().any(|asked| asked == unnumbered(key))
    }

    /// Returns a sentence for each unused answer. The sentence says why the answer was not used.
    pub(crate) fn unused(&self) -> impl Iterator<Item = String> {
        let noun = self.noun;
        self.left.iter().map(move |answer| {
            let reason = if self.was_asked(&answer.key) {
                format!("the {noun} did not ask this question again")
            } else if self.asked.is_empty() {
                format!("the {noun} asked nothing")
            } else if self.known.contains(&answer.key) {
                format!("the {noun} asked only {}", listed(&self.asked))
            } else {
                let more = self.asked.iter().filter(|asked| !self.known.contains(asked)).cloned();
                let keys: Vec<_> = self.known.iter().cloned().chain(more).collect();
                let meant = did_you_mean(answer.question(), keys.iter().map(String::as_str));
                format!("the {noun} asked no question with this key{meant} (keys of this {noun}: {})", listed(&keys))
            };
            format!("`--answer {}=…` was not used: {reason}", answer.key)
        })
    }
}

fn listed(keys: &[String]) -> String {
    format!("`{}`", keys.join("`, `"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_an_answer_at_the_first_equals_sign() {
        let parsed = "sure#2={\"a\":\"=\"}".parse::<GivenAnswer>();
        assert_eq!(parsed, Ok(GivenAnswer { key: "sure#2".to_owned(), text: r#"{"a":"="}"#.to_owned() }));
        assert!("sure".parse::<GivenAnswer>().is_err());
        assert!("=true".parse::<GivenAnswer>().is_err());
    }

    #[test]
    fn uses_each_answer_once() {
        let answers = ["a=1", "sure=2", "a=3", "suer=4"].map(|text| text.parse().unwrap());
        let mut given = GivenAnswers::new(answers.to_vec(), vec!["sure".to_owned(), "never".to_owned()], "tool");
        let mut take = |key: &str| given.take(key, None).map(|answer| answer.text);
        assert_eq!(take("a").as_deref(), Some("1"));
        assert_eq!(take("sure").as_deref(), Some("2"));
        assert_eq!(take("sure"), None);
        let unused: Vec<_> = given.unused().collect();
        let told = [
            "`--answer a=…` was not used: the tool did not ask this question again",
            "`--answer suer=…` was not used: the tool asked no question with this key; did you mean `sure`? \
             (keys of this tool: `sure`, `never`, `a`)",
        ];
        assert_eq!(unused, told);
    }

    #[test]
    fn finds_the_answer_for_a_question_of_a_called_tool() {
        let answers = ["confirm=1", "book#2/confirm=2", "confirm=3"].map(|text| text.parse().unwrap());
        let mut given = GivenAnswers::new(answers.to_vec(), Vec::new(), "tool");
        let mut take = |key: &str| given.take(key, None).map(|answer| answer.text);
        assert_eq!(take("book/confirm").as_deref(), Some("1"));
        assert_eq!(take("book#2/confirm").as_deref(), Some("2"));
        assert_eq!(take("trip/book/confirm#2").as_deref(), Some("3"));
    }

    #[test]
    fn prefers_the_exact_key_then_the_key_then_the_kind() {
        let answers = ["a=1", "a=2", "a#4=4", "any=5", "b/2=6"].map(|text| text.parse().unwrap());
        let mut given = GivenAnswers::new(answers.to_vec(), Vec::new(), "tool");
        let mut take = |key: &str| given.take(key, Some("any")).map(|answer| answer.text);
        let taken = ["a", "a#2/2", "a#4", "a#5", "b", "b/2"].map(|key| take(key).unwrap_or_default());
        assert_eq!(taken, ["1", "2", "4", "5", "", "6"]);
    }

    #[test]
    fn removes_the_number_of_a_key() {
        for (key, without) in [("a", "a"), ("a#2", "a"), ("a#2/3", "a"), ("a/b", "a/b"), ("#2", "#2"), ("a#", "a#")] {
            assert_eq!(unnumbered(key), without);
        }
    }
}
