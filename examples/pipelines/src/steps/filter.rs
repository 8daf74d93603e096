//! Keeps the rows that pass a test.

use serde::Deserialize;
use serde_json::Value;

use super::sort::compare;
use crate::{PipelineError, Table, table::text};

/// A test of one column: `{ "column": "amount", "is": "at_least", "value": 100 }`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Filter {
    /// The column.
    pub column: String,
    /// The test.
    pub is: Test,
    /// The value to compare with. `null`, the value of a parameter that was not sent, keeps all rows.
    pub value: Value,
}

/// How a value is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Test {
    /// The values are the same.
    Equal,
    /// The values differ.
    NotEqual,
    /// The value is the same or greater.
    AtLeast,
    /// The value is the same or less.
    AtMost,
    /// The text contains this text, in upper or lower case.
    Contains,
}

impl Filter {
    /// Returns the rows that pass. Rows without a value pass no test but `not_equal`.
    ///
    /// # Errors
    /// Fails if there is no such column.
    pub fn apply(&self, mut table: Table) -> Result<Table, PipelineError> {
        let column = table.column(&self.column)?;
        if !self.value.is_null() {
            table.rows.retain(|row| self.passes(&row[column]));
        }
        Ok(table)
    }

    fn passes(&self, value: &Value) -> bool {
        let order = compare(value, &self.value);
        match self.is {
            Test::NotEqual => order.is_ne(),
            _ if value.is_null() => false,
            Test::Equal => order.is_eq(),
            Test::AtLeast => order.is_ge(),
            Test::AtMost => order.is_le(),
            Test::Contains => text(value).to_lowercase().contains(&text(&self.value).to_lowercase()),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::Format;

    fn kept(is: Test, value: Value) -> Vec<Value> {
        let table = Table::read(Format::Csv, b"id,name\n1,Ann\n2,\n3,bob\n10,Joanna\n").unwrap();
        let column = if value.is_number() { "id" } else { "name" };
        let filter = Filter { column: column.to_owned(), is, value };
        filter.apply(table).unwrap().rows.into_iter().map(|row| row[0].clone()).collect()
    }

    #[test]
    fn keeps_the_rows_that_pass() {
        assert_eq!(kept(Test::AtLeast, json!(3)), [3, 10], "as numbers, not as texts");
        assert_eq!(kept(Test::AtMost, json!(2.5)), [1, 2]);
        assert_eq!(kept(Test::Equal, json!("bob")), [3]);
        assert_eq!(kept(Test::NotEqual, json!("bob")), [1, 2, 10]);
        assert_eq!(kept(Test::Contains, json!("ANN")), [1, 10]);
    }

    #[test]
    fn a_parameter_that_was_not_sent_keeps_all_rows() {
        assert_eq!(kept(Test::Equal, Value::Null), [1, 2, 3, 10]);
    }

    #[test]
    fn names_the_columns_if_one_is_missing() {
        let filter = Filter { column: "nme".to_owned(), is: Test::Equal, value: Value::Null };
        let error = filter.apply(Table::read(Format::Csv, b"id,name\n").unwrap()).unwrap_err();
        assert_eq!(error.to_string(), "there is no column `nme`; the columns are: id, name");
    }
}
