//! The names under which items of a mounted server are listed.

use hmac_sha256::Hash;

use crate::{
    base::hex::hex,
    engine::tool::host_warnings::{LONGEST_NAME, as_name, is_name},
};

/// The length of what makes a shortened name unique: `_` and eight digits.
const SUFFIX: usize = 9;

/// Returns a name that every host accepts. If the name of the other server has other characters, or is too long with its
/// prefix, the result ends with a hash, so that two such names differ and stay the same after a restart.
pub(super) fn published(prefix: &str, name: &str) -> String {
    let whole = format!("{prefix}{name}");
    if is_name(&whole) { whole } else { distinct(&whole, &whole) }
}

/// Returns the name with a hash of `key` at its end.
pub(super) fn distinct(name: &str, key: &str) -> String {
    let begin: String = as_name(name).chars().take(LONGEST_NAME - SUFFIX).collect();
    format!("{begin}_{}", hex(&Hash::hash(key.as_bytes())[..4]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_a_name_that_hosts_accept() {
        assert_eq!(published("github_", "create-issue"), "github_create-issue");
        assert_eq!(published("", &"n".repeat(LONGEST_NAME)), "n".repeat(LONGEST_NAME));
    }

    #[test]
    fn names_that_hosts_do_not_accept_stay_distinct() {
        let names = ["files.read", "files/read", "files:read", "dateien öffnen", "", &"n".repeat(65), &"n".repeat(66)];
        let published: std::collections::BTreeSet<_> = names.iter().map(|name| published("a.b_", name)).collect();
        assert_eq!(published.len(), names.len());
        assert!(published.iter().all(|name| is_name(name)), "{published:?}");
        assert!(published.contains("a_b_files_read_5238416e"), "stable over restarts: {published:?}");
    }
}
