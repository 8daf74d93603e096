//! The fee for a book that comes back late.

use mcp_runtime::prelude::*;

/// Calculate the fee for a book that comes back late. It is 0.20 € a day, and 10.00 € at most.
#[mcp_tool(title = "Late fee", read_only, open_world = false)]
pub async fn late_fee(
    /// How many days the book is late.
    #[schemars(range(min = 1, max = 3650))]
    days: u32,
) -> String {
    let cents = (days * 20).min(1000);
    format!("{days} days late: {}.{:02} €", cents / 100, cents % 100)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::tests::client;

    #[tokio::test]
    async fn the_fee_has_a_maximum() {
        let mut client = client();
        let fee = client.call("late_fee", json!({ "days": 3 })).await;
        assert_eq!(fee.text(), "3 days late: 0.60 €");
        let fee = client.call("late_fee", json!({ "days": 365 })).await;
        assert_eq!(fee.text(), "365 days late: 10.00 €");
    }

    #[tokio::test]
    async fn a_book_that_is_not_late_is_rejected() {
        let fee = client().call("late_fee", json!({ "days": 0 })).await;
        assert!(fee.is_error());
        assert!(fee.text().contains("must be between 1 and 3650"));
    }
}
