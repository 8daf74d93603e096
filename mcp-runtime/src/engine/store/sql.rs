//! What the stores with SQL share.

/// The default limit of the ledger in bytes.
pub(super) const BYTES: u64 = 1024 * 1024 * 1024;
/// The columns of a run, in the order in which they are read.
pub(super) const COLUMNS: &str =
    "id, tool, action, owner, status, instance, created_at, updated_at, version, details, bytes";

/// Returns the statement of `RunStore::remove_ended`. Its parameters are the tool, the time, and the limits for one
/// owner and for all.
///
/// `held` ranks a run by the runs of its owner from the newest to this one. A run that ends meanwhile is not
/// seen by the statement, and is kept.
pub(super) fn remove_ended(table: &str) -> String {
    format!(
        "WITH ended AS ( \
             SELECT id, owner, updated_at, bytes FROM {table} \
             WHERE tool = $1 AND status NOT IN ('working', 'input_required')), \
         held AS ( \
             SELECT *, row_number() OVER own AS runs_held, sum(bytes) OVER own AS bytes_held \
             FROM ended WHERE updated_at >= $2 \
             WINDOW own AS (PARTITION BY owner ORDER BY updated_at DESC, id DESC ROWS UNBOUNDED PRECEDING)), \
         fewest AS ( \
             SELECT * FROM held WHERE runs_held <= $3 AND bytes_held <= CAST($4 AS bigint) \
             ORDER BY runs_held, updated_at DESC, id DESC LIMIT $5), \
         smallest AS ( \
             SELECT id, sum(bytes) OVER ( \
                 ORDER BY bytes_held, updated_at DESC, id DESC ROWS UNBOUNDED PRECEDING) AS total \
             FROM fewest) \
         DELETE FROM {table} WHERE id IN ( \
             SELECT id FROM ended EXCEPT SELECT id FROM smallest WHERE total <= CAST($6 AS bigint))"
    )
}

/// Returns the number as a value of a column. A number that is too large becomes the largest.
pub(super) fn number(value: impl TryInto<i64>) -> i64 {
    value.try_into().unwrap_or(i64::MAX)
}
