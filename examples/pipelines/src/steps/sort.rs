//! Sorts rows.

use std::cmp::Ordering;

use serde::Deserialize;
use serde_json::Value;

use crate::{PipelineError, Table, table::text};

/// Sorts by columns: `{ "by": ["region", "amount"], "descending": true }`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sort {
    /// The columns, the most important first.
    pub by: Vec<String>,
    /// Whether the greatest comes first.
    #[serde(default)]
    pub descending: bool,
    /// How many rows remain. `null` for all.
    #[serde(default)]
    pub first: Option<usize>,
}

impl Sort {
    /// Returns the sorted rows. Rows that are equal keep their order.
    ///
    /// # Errors
    /// Fails if there is no such column.
    pub fn apply(&self, mut table: Table) -> Result<Table, PipelineError> {
        let columns = self.by.iter().map(|name| table.column(name)).collect::<Result<Vec<_>, _>>()?;
        table.rows.sort_by(|a, b| {
            let orders = columns.iter().map(|column| compare(&a[*column], &b[*column]));
            let order = orders.fold(Ordering::Equal, Ordering::then);
            if self.descending { order.reverse() } else { order }
        });
        table.rows.truncate(self.first.unwrap_or(usize::MAX));
        Ok(table)
    }
}

/// Compares two values: nothing is less than numbers, and numbers are less than texts.
pub(super) fn compare(a: &Value, b: &Value) -> Ordering {
    match (a, b) {
        (Value::Null, Value::Null) => Ordering::Equal,
        (Value::Number(a), Value::Number(b)) => match (a.as_i64(), b.as_i64()) {
            (Some(a), Some(b)) => a.cmp(&b),
            _ => a.as_f64().unwrap_or_default().total_cmp(&b.as_f64().unwrap_or_default()),
        },
        _ => rank(a).cmp(&rank(b)).then_with(|| text(a).cmp(&text(b))),
    }
}

fn rank(value: &Value) -> u8 {
    match value {
        Value::Null => 0,
        Value::Number(_) => 1,
        _ => 2,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::Format;

    fn sorted(sort: Value) -> Vec<Value> {
        let table = Table::read(Format::Csv, b"id,town,n\n1,Oslo,10\n2,Bern,9\n3,Oslo,2.5\n4,,9\n").unwrap();
        let sort: Sort = serde_json::from_value(sort).unwrap();
        sort.apply(table).unwrap().rows.into_iter().map(|row| row[0].clone()).collect()
    }

    #[test]
    fn sorts_by_several_columns_with_nothing_first() {
        assert_eq!(sorted(json!({ "by": ["town", "n"] })), [4, 2, 3, 1]);
    }

    #[test]
    fn equal_rows_keep_their_order_in_both_directions() {
        assert_eq!(sorted(json!({ "by": ["n"] })), [3, 2, 4, 1]);
        assert_eq!(sorted(json!({ "by": ["n"], "descending": true })), [1, 2, 4, 3]);
    }

    #[test]
    fn keeps_as_many_rows_as_it_says() {
        assert_eq!(sorted(json!({ "by": ["n"], "descending": true, "first": 2 })), [1, 2]);
        assert_eq!(sorted(json!({ "by": ["n"], "first": null })).len(), 4);
    }
}
