//! The errors of the tools. Each tells the model what is wrong, the value that the model sent, and what to write
//! instead.

/// An error of a tool.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CodeError {
    #[error("no file or directory `{path}` here (hidden and ignored files are left out){}", did_you_mean(.nearest))]
    Missing { path: String, nearest: Vec<String> },

    #[error("`{path}` leads out of the tree; name a path as `find_files` lists it, such as `src/lib.rs`")]
    Outside { path: String },

    #[error("`{path}` is a symbolic link, and links are not followed; name the file it points to")]
    Link { path: String },

    #[error("`{path}` is a directory; name a file in it, such as `{file}`")]
    Directory { path: String, file: String },

    #[error("`{path}` is neither a file nor a directory, so there is nothing to read")]
    Special { path: String },

    #[error("`{path}` is binary: it has no lines")]
    Binary { path: String },

    #[error("`{path}` has {bytes} bytes, the limit is {limit}; find what you need in it with `search`")]
    TooLong { path: String, bytes: u64, limit: u64 },

    #[error("`first` is {first}, but the last line of `{path}` is {last}")]
    PastEnd { path: String, first: usize, last: usize },

    #[error("`{pattern}` is not a regular expression: {reason}")]
    Pattern { pattern: String, reason: String },

    #[error("`{pattern}` cannot be searched for, as lines are matched one by one: {reason}")]
    PatternOfLines { pattern: String, reason: grep_regex::Error },

    #[error("`{glob}` in `globs` is not a glob: {reason}; write for example `*.rs`, `src/**/*.ts` or `!*.lock`")]
    Glob { glob: String, reason: ignore::Error },

    #[error("`{path}` is not in a language that `outline` supports ({known}); use `read_lines`")]
    NoOutline { path: String, known: String },

    #[error("`{path}` could not be read: {source}")]
    Io { path: String, source: std::io::Error },

    #[error("the call was cancelled")]
    Cancelled,
}

/// Returns `; did you mean …?`, or an empty text if no path is similar.
fn did_you_mean(nearest: &[String]) -> String {
    match nearest {
        [] => String::new(),
        [all @ .., last] => {
            let mut text = String::from("; did you mean ");
            for path in all {
                text += &format!("`{path}` or ");
            }
            text + &format!("`{last}`?")
        }
    }
}
