//! The pages of a list.

use serde_json::Value;

/// A list with more pages than this does not end.
const MOST_PAGES: usize = 1000;

/// Collects the items of a list from its pages.
pub(crate) struct ListPages {
    method: &'static str,
    /// The member of a page that contains the items.
    member: &'static str,
    /// The cursor of the next page. Null for the first one.
    pub(crate) cursor: Value,
    pages: usize,
    items: Vec<Value>,
}

impl ListPages {
    pub(crate) fn new(method: &'static str, member: &'static str) -> Self {
        Self { method, member, cursor: Value::Null, pages: 0, items: Vec::new() }
    }

    /// Adds the page that was asked for. Returns all items if it was the last one.
    ///
    /// # Errors
    /// Fails if the page has no items, or if the list does not end.
    pub(crate) fn add(&mut self, mut page: Value) -> Result<Option<Vec<Value>>, String> {
        let Self { method, member, .. } = *self;
        match page[member].take() {
            Value::Array(more) => self.items.extend(more),
            other => return Err(format!("`{method}`: `{member}` is not a list but `{other}`")),
        }
        self.cursor = page["nextCursor"].take();
        self.pages += 1;
        if self.cursor.is_null() {
            return Ok(Some(std::mem::take(&mut self.items)));
        }
        if self.pages == MOST_PAGES { Err(format!("`{method}` has more than {MOST_PAGES} pages")) } else { Ok(None) }
    }
}
