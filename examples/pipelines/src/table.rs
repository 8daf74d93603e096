//! Rows with named columns, read from CSV and JSON and written as either.

use serde_json::{Map, Number, Value};

use crate::PipelineError;

/// Rows with the same columns. A missing value is `null`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// The names of the columns.
    pub columns: Vec<String>,
    /// One value for each column.
    pub rows: Vec<Vec<Value>>,
}

/// The format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A line with the names of the columns, and one line for each row.
    Csv,
    /// An array of objects.
    Json,
}

impl Format {
    /// Returns the format of the file with this name.
    ///
    /// # Errors
    /// Fails if the name ends with neither `.csv` nor `.json`.
    pub fn of(file: &str) -> Result<Self, PipelineError> {
        match file.rsplit_once('.') {
            Some((_, "csv")) => Ok(Self::Csv),
            Some((_, "json")) => Ok(Self::Json),
            _ => Err(PipelineError::Format(file.to_owned())),
        }
    }
}

impl Table {
    /// Reads a table from the bytes of a file.
    ///
    /// # Errors
    /// Fails if the bytes are not of the format.
    pub fn read(format: Format, bytes: &[u8]) -> Result<Self, String> {
        match format {
            Format::Csv => Self::read_csv(bytes),
            Format::Json => Self::read_json(bytes),
        }
    }

    /// Returns the table in this format.
    ///
    /// # Errors
    /// Fails if a value cannot be written.
    pub fn write(&self, format: Format) -> Result<Vec<u8>, String> {
        match format {
            Format::Csv => self.write_csv().map_err(|error| error.to_string()),
            Format::Json => serde_json::to_vec_pretty(&self.objects(usize::MAX)).map_err(|error| error.to_string()),
        }
    }

    /// Returns the first rows as objects.
    pub fn objects(&self, limit: usize) -> Vec<Value> {
        let object = |row: &Vec<Value>| self.columns.iter().cloned().zip(row.iter().cloned()).collect::<Map<_, _>>();
        self.rows.iter().take(limit).map(|row| Value::Object(object(row))).collect()
    }

    /// Returns the index of a column.
    ///
    /// # Errors
    /// Fails if there is no such column.
    pub fn column(&self, name: &str) -> Result<usize, PipelineError> {
        self.columns
            .iter()
            .position(|column| column == name)
            .ok_or_else(|| PipelineError::Column { column: name.to_owned(), known: self.columns.join(", ") })
    }

    /// Adds the rows of another table. Columns that only one of the two has are `null` in the rows of the other.
    pub fn append(&mut self, other: Self) {
        let places: Vec<_> = other.columns.iter().map(|column| self.place(column)).collect();
        for row in other.rows {
            let mut added = vec![Value::Null; self.columns.len()];
            for (place, value) in places.iter().zip(row) {
                added[*place] = value;
            }
            self.rows.push(added);
        }
    }

    /// Returns the index of a column, which is added if it is missing.
    fn place(&mut self, name: &str) -> usize {
        self.columns.iter().position(|column| column == name).unwrap_or_else(|| {
            self.columns.push(name.to_owned());
            self.rows.iter_mut().for_each(|row| row.push(Value::Null));
            self.columns.len() - 1
        })
    }

    fn read_csv(bytes: &[u8]) -> Result<Self, String> {
        let mut reader = csv::Reader::from_reader(bytes);
        let columns: Vec<_> = reader.headers().map_err(|error| error.to_string())?.iter().map(str::to_owned).collect();
        if let Some(twice) = columns.iter().enumerate().find(|(index, name)| columns[..*index].contains(name)) {
            return Err(format!("the column `{}` is there twice", twice.1));
        }
        let rows =
            reader.records().map(|record| Ok(record.map_err(|error| error.to_string())?.iter().map(cell).collect()));
        Ok(Self { columns, rows: rows.collect::<Result<_, String>>()? })
    }

    fn read_json(bytes: &[u8]) -> Result<Self, String> {
        let objects: Vec<Map<String, Value>> =
            serde_json::from_slice(bytes).map_err(|error| format!("it is not an array of objects: {error}"))?;
        let mut table = Self::default();
        for object in objects {
            let mut row = vec![Value::Null; table.columns.len()];
            for (name, value) in object {
                let place = table.place(&name);
                row.resize(table.columns.len(), Value::Null);
                row[place] = value;
            }
            table.rows.push(row);
        }
        Ok(table)
    }

    fn write_csv(&self) -> csv::Result<Vec<u8>> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(&self.columns)?;
        for row in &self.rows {
            writer.write_record(row.iter().map(text))?;
        }
        writer.into_inner().map_err(|error| error.into_error().into())
    }
}

/// Returns the value of a cell. A cell that is a JSON number is a number, so `007` remains a text.
fn cell(text: &str) -> Value {
    match serde_json::from_str::<Number>(text) {
        _ if text.is_empty() => Value::Null,
        Ok(number) => number.into(),
        Err(_) => text.into(),
    }
}

/// Returns a value as a cell shows it.
pub(crate) fn text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const CSV: &str = "id,name,price\n007,\"Tea, green\",2.5\n8,Mug,\n";

    #[test]
    fn csv_becomes_values_and_csv_again() {
        let table = Table::read(Format::Csv, CSV.as_bytes()).unwrap();
        assert_eq!(table.columns, ["id", "name", "price"]);
        assert_eq!(table.rows[0], [json!("007"), json!("Tea, green"), json!(2.5)]);
        assert_eq!(table.rows[1], [json!(8), json!("Mug"), Value::Null]);
        assert_eq!(String::from_utf8(table.write(Format::Csv).unwrap()).unwrap(), CSV);
    }

    #[test]
    fn objects_with_different_members_become_one_table() {
        let table = Table::read(Format::Json, br#"[{"a": 1}, {"b": true, "a": 2}, {"b": [3]}]"#).unwrap();
        assert_eq!(table.columns, ["a", "b"]);
        // A row that was read before its table had the column is as long as the others.
        let values = [[json!(1), Value::Null], [json!(2), json!(true)], [Value::Null, json!([3])]];
        assert_eq!(table.rows, values);
        let again = Table::read(Format::Json, &table.write(Format::Json).unwrap()).unwrap();
        assert_eq!(again, table);
    }

    #[test]
    fn what_is_not_a_table_is_refused_with_the_reason() {
        let reason = |format, text: &str| Table::read(format, text.as_bytes()).unwrap_err();
        assert!(
            reason(Format::Csv, "a,b\n1\n").contains("found record with 1 fields"),
            "{}",
            reason(Format::Csv, "a,b\n1\n")
        );
        assert_eq!(reason(Format::Csv, "a,b,a\n"), "the column `a` is there twice");
        assert!(reason(Format::Json, "{}").starts_with("it is not an array of objects: "));
        assert!(Format::of("notes.txt").is_err());
    }

    #[test]
    fn append_joins_the_columns() {
        let mut table = Table::read(Format::Csv, b"a,b\n1,2\n").unwrap();
        table.append(Table::read(Format::Csv, b"c,a\n3,4\n").unwrap());
        assert_eq!(table.columns, ["a", "b", "c"]);
        assert_eq!(table.rows, [[json!(1), json!(2), Value::Null], [json!(4), Value::Null, json!(3)]]);
    }
}
