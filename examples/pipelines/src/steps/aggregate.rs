//! Computes one row for each group of rows.

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::sort::compare;
use crate::{PipelineError, Table, table::text};

/// Groups rows: `{ "by": ["region"], "compute": { "revenue": { "sum": "amount" }, "orders": { "count": "id" } } }`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Aggregate {
    /// The columns whose values make a group. If there are none, all rows are one group.
    #[serde(default)]
    pub by: Vec<String>,
    /// The new columns, by their names.
    compute: Map<String, Value>,
}

/// How a column is computed from another one. Rows without a value do not count.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Compute {
    /// The number of values.
    Count(String),
    /// The sum of numbers.
    Sum(String),
    /// The mean of numbers.
    Mean(String),
    /// The least value.
    Min(String),
    /// The greatest value.
    Max(String),
}

impl Aggregate {
    /// Returns a row for each group, in the order in which the groups appear.
    ///
    /// # Errors
    /// Fails if there is no such column, or a value to add is not a number.
    pub fn apply(&self, table: &Table) -> Result<Table, PipelineError> {
        let keys = self.by.iter().map(|name| table.column(name)).collect::<Result<Vec<_>, _>>()?;
        let mut computes = Vec::new();
        for (name, compute) in &self.compute {
            let compute: Compute =
                serde_json::from_value(compute.clone()).map_err(|error| PipelineError::Definition {
                    name: name.clone(),
                    reason: format!("one of count, sum, mean, min, max, with the name of a column: {error}"),
                })?;
            computes.push((name, table.column(compute.column())?, compute));
        }
        let mut places = HashMap::<String, usize>::new();
        let mut groups: Vec<Vec<&Vec<Value>>> = Vec::new();
        for row in &table.rows {
            let key = Value::from_iter(keys.iter().map(|column| row[*column].clone())).to_string();
            let place = *places.entry(key).or_insert(groups.len());
            if place == groups.len() {
                groups.push(Vec::new());
            }
            groups[place].push(row);
        }
        let columns = self.by.iter().chain(computes.iter().map(|(name, ..)| *name)).cloned().collect();
        let mut rows = Vec::with_capacity(groups.len());
        for group in groups {
            let mut row: Vec<_> = keys.iter().map(|column| group[0][*column].clone()).collect();
            for (_, column, compute) in &computes {
                let values = group.iter().map(|row| &row[*column]).filter(|value| !value.is_null());
                row.push(compute.of(values)?);
            }
            rows.push(row);
        }
        Ok(Table { columns, rows })
    }
}

impl Compute {
    /// Returns the column that is read.
    fn column(&self) -> &str {
        let (Self::Count(column) | Self::Sum(column) | Self::Mean(column) | Self::Min(column) | Self::Max(column)) =
            self;
        column
    }

    fn of<'v>(&self, values: impl Iterator<Item = &'v Value>) -> Result<Value, PipelineError> {
        match self {
            Self::Count(_) => Ok(values.count().into()),
            Self::Min(_) => Ok(values.min_by(|a, b| compare(a, b)).cloned().unwrap_or_default()),
            Self::Max(_) => Ok(values.max_by(|a, b| compare(a, b)).cloned().unwrap_or_default()),
            Self::Sum(column) => sum(column, values).map(|(sum, _)| sum),
            Self::Mean(column) => match sum(column, values)? {
                (_, 0) => Ok(Value::Null),
                (sum, count) => Ok(rounded(sum.as_f64().unwrap_or_default() / count as f64)),
            },
        }
    }
}

/// Returns the sum and the number of the values. The sum of integers is an integer if it fits.
fn sum<'v>(column: &str, values: impl Iterator<Item = &'v Value>) -> Result<(Value, usize), PipelineError> {
    let (mut whole, mut sum, mut count) = (Some(0_i64), 0.0, 0);
    for value in values {
        let number = value.as_f64().ok_or_else(|| PipelineError::NotANumber {
            column: column.to_owned(),
            value: format!("'{}'", text(value)),
        })?;
        whole = whole.zip(value.as_i64()).and_then(|(whole, value)| whole.checked_add(value));
        sum += number;
        count += 1;
    }
    Ok((whole.map_or_else(|| rounded(sum), Value::from), count))
}

/// Rounds away what binary fractions add to decimal ones: 0.1 + 0.2 is 0.3.
fn rounded(number: f64) -> Value {
    const DIGITS: f64 = 1e6;
    let scaled = number * DIGITS;
    // Above 2^53 there is nothing behind the point to round.
    if scaled.abs() < 9.0e15 { (scaled.round() / DIGITS).into() } else { number.into() }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::Format;

    fn aggregate(step: Value) -> Result<Table, PipelineError> {
        let table = Table::read(Format::Csv, b"town,n,x\nOslo,1,0.1\nBern,5,\nOslo,2,0.2\n,7,z\n").unwrap();
        serde_json::from_value::<Aggregate>(step).unwrap().apply(&table)
    }

    #[test]
    fn computes_a_row_for_each_group() {
        let compute = json!({ "a": { "sum": "n" }, "b": { "mean": "n" }, "c": { "count": "x" }, "d": { "max": "n" } });
        let table = aggregate(json!({ "by": ["town"], "compute": compute })).unwrap();
        assert_eq!(table.columns, ["town", "a", "b", "c", "d"]);
        assert_eq!(table.rows[0], [json!("Oslo"), json!(3), json!(1.5), json!(2), json!(2)]);
        assert_eq!(table.rows[1], [json!("Bern"), json!(5), json!(5.0), json!(0), json!(5)]);
        assert_eq!(table.rows[2][0], Value::Null, "rows without a town are a group");
    }

    #[test]
    fn all_rows_are_one_group_if_there_are_no_columns() {
        let table = aggregate(json!({ "compute": { "least": { "min": "n" }, "all": { "sum": "n" } } })).unwrap();
        assert_eq!(table.objects(9), [json!({ "least": 1, "all": 15 })]);
    }

    #[test]
    fn sums_of_decimals_are_decimals() {
        let table = Table::read(Format::Csv, b"x\n0.1\n0.2\n").unwrap();
        let step: Aggregate = serde_json::from_value(json!({ "compute": { "x": { "sum": "x" } } })).unwrap();
        assert_eq!(step.apply(&table).unwrap().rows, [[json!(0.3)]]);
    }

    #[test]
    fn a_sum_of_texts_is_an_error_with_the_value() {
        let error = aggregate(json!({ "compute": { "x": { "sum": "x" } } })).unwrap_err();
        assert_eq!(error.to_string(), "the column `x` must have numbers (got 'z')");
    }
}
