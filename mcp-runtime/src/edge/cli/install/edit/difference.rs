//! The difference of two texts.

use std::fmt::Write;

/// Returns the lines that differ, with the number of the first line of each group. The lines around them are left out,
/// because they can contain secrets that have nothing to do with the change.
pub(crate) fn difference(old: &str, new: &str) -> String {
    let (old, new): (Vec<_>, Vec<_>) = (old.split_inclusive('\n').collect(), new.split_inclusive('\n').collect());
    let before = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let behind = old[before..].iter().rev().zip(new[before..].iter().rev()).take_while(|(old, new)| old == new).count();
    let (old, new) = (&old[before..old.len() - behind], &new[before..new.len() - behind]);
    let common = common(old, new);
    let mut text = String::new();
    let (mut at, mut new_at) = (0, 0);
    for (next, new_next) in common.into_iter().chain([(old.len(), new.len())]) {
        if at < next || new_at < new_next {
            let _ = writeln!(text, "@@ line {} @@", before + new_at + 1);
        }
        for (sign, lines) in [('-', &old[at..next]), ('+', &new[new_at..new_next])] {
            for line in lines {
                let _ = writeln!(text, "{sign}{}", line.trim_end_matches(['\r', '\n']));
            }
        }
        (at, new_at) = (next + 1, new_next + 1);
    }
    text
}

/// Returns the positions of a longest sequence of lines that both texts have.
fn common(old: &[&str], new: &[&str]) -> Vec<(usize, usize)> {
    /// Changes of files are small. Of larger ones, all lines count as different.
    const MOST: usize = 4_000_000;
    if old.len().saturating_mul(new.len()) > MOST {
        return Vec::new();
    }
    // The length of the longest sequence behind each pair of positions.
    let mut lengths = vec![vec![0_u32; new.len() + 1]; old.len() + 1];
    for at in (0..old.len()).rev() {
        for new_at in (0..new.len()).rev() {
            lengths[at][new_at] = match old[at] == new[new_at] {
                true => lengths[at + 1][new_at + 1] + 1,
                false => lengths[at + 1][new_at].max(lengths[at][new_at + 1]),
            };
        }
    }
    let (mut at, mut new_at) = (0, 0);
    let mut found = Vec::new();
    while at < old.len() && new_at < new.len() {
        if old[at] == new[new_at] {
            found.push((at, new_at));
            (at, new_at) = (at + 1, new_at + 1);
        } else if lengths[at + 1][new_at] >= lengths[at][new_at + 1] {
            at += 1;
        } else {
            new_at += 1;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_only_the_lines_that_differ() {
        let old = "{\n  \"token\": \"secret\",\n  \"a\": 1\n}\n";
        let new = "{\n  \"token\": \"secret\",\n  \"a\": 1,\n  \"b\": 2\n}\n";
        assert_eq!(difference(old, new), "@@ line 3 @@\n-  \"a\": 1\n+  \"a\": 1,\n+  \"b\": 2\n");
        assert_eq!(difference(old, old), "");
        assert_eq!(difference("", "a\r\n"), "@@ line 1 @@\n+a\n");
        assert_eq!(difference("a\n", ""), "@@ line 1 @@\n-a\n");
    }

    #[test]
    fn shows_two_changes_apart() {
        let (old, new) = ("1\n2\n3\n4\n5\n", "1\nx\n3\n4\ny\n5\n");
        assert_eq!(difference(old, new), "@@ line 2 @@\n-2\n+x\n@@ line 5 @@\n+y\n");
    }
}
