//! Adds the columns of other files.

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::Value;

use crate::{PipelineError, Table};

/// Joins the rows of other files: `{ "files": "customers.json", "on": "customer", "columns": ["region"] }`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Join {
    /// A glob of the files.
    pub files: String,
    /// The column that both sides have.
    pub on: String,
    /// The columns to add. If it is missing, all of them.
    #[serde(default)]
    pub columns: Option<Vec<String>>,
    /// What happens to rows without a partner.
    #[serde(default)]
    pub kind: JoinKind,
}

/// What happens to rows without a partner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JoinKind {
    /// They are left out.
    #[default]
    Inner,
    /// They have `null` in the added columns.
    Left,
}

impl Join {
    /// Returns the rows with the columns of their partners. A row with several partners is there several times.
    ///
    /// # Errors
    /// Fails if there is no such column, or both sides have one that is to be added.
    pub fn apply(&self, table: Table, other: &Table) -> Result<Table, PipelineError> {
        let (left, right) = (table.column(&self.on)?, other.column(&self.on)?);
        let all = || other.columns.iter().filter(|name| **name != self.on).cloned().collect();
        let names: Vec<String> = self.columns.clone().unwrap_or_else(all);
        let added = names.iter().map(|name| other.column(name)).collect::<Result<Vec<_>, _>>()?;
        if let Some(twice) = names.iter().find(|name| table.columns.contains(name)) {
            return Err(PipelineError::SameColumn(twice.clone()));
        }
        let mut partners = HashMap::<String, Vec<&Vec<Value>>>::new();
        // Nothing is not a key: rows without a value have no partner.
        for row in other.rows.iter().filter(|row| !row[right].is_null()) {
            partners.entry(row[right].to_string()).or_default().push(row);
        }
        let Table { mut columns, rows } = table;
        columns.extend(names);
        let mut joined = Vec::with_capacity(rows.len());
        for mut row in rows {
            match (partners.get(&row[left].to_string()), self.kind) {
                (Some(partners), _) => joined.extend(partners.iter().map(|partner| {
                    let values = added.iter().map(|column| partner[*column].clone());
                    row.iter().cloned().chain(values).collect()
                })),
                (None, JoinKind::Inner) => {}
                (None, JoinKind::Left) => {
                    row.resize(columns.len(), Value::Null);
                    joined.push(row);
                }
            }
        }
        Ok(Table { columns, rows: joined })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::Format;

    fn join(step: Value) -> Result<Vec<Value>, PipelineError> {
        let orders = Table::read(Format::Csv, b"order,customer\n1,7\n2,8\n3,\n4,7\n").unwrap();
        let customers = r#"[{"customer": 7, "name": "Ann", "order": 0}, {"customer": 9, "name": "Bob", "order": 0}]"#;
        let customers = Table::read(Format::Json, customers.as_bytes()).unwrap();
        Ok(serde_json::from_value::<Join>(step).unwrap().apply(orders, &customers)?.objects(9))
    }

    #[test]
    fn inner_leaves_rows_without_a_partner_out() {
        let joined = join(json!({ "files": "c.json", "on": "customer", "columns": ["name"] })).unwrap();
        let row = |order: u8| json!({ "order": order, "customer": 7, "name": "Ann" });
        assert_eq!(joined, [row(1), row(4)]);
    }

    #[test]
    fn left_keeps_them_without_values() {
        let joined = join(json!({ "files": "c", "on": "customer", "columns": ["name"], "kind": "left" })).unwrap();
        assert_eq!(joined.len(), 4);
        assert_eq!(joined[1], json!({ "order": 2, "customer": 8, "name": null }));
    }

    #[test]
    fn a_row_with_several_partners_is_there_several_times() {
        let towns = Table::read(Format::Csv, b"id,town\n1,Oslo\n1,Bern\n").unwrap();
        let rows = Table::read(Format::Csv, b"id,n\n1,5\n").unwrap();
        let step: Join = serde_json::from_value(json!({ "files": "t.csv", "on": "id" })).unwrap();
        assert_eq!(step.apply(rows, &towns).unwrap().rows.len(), 2);
    }

    #[test]
    fn a_column_of_both_sides_is_an_error() {
        let error = join(json!({ "files": "c.json", "on": "customer" })).unwrap_err();
        assert!(error.to_string().starts_with("both sides have a column `order`"), "{error}");
    }
}
