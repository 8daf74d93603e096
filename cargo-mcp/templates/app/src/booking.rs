//! A tool and its form.

use mcp_runtime::{Result, prelude::*};

/// The forms of the tool.
#[elicits]
pub enum Booking {
    /// Your table
    Table {
        /// The name for the booking.
        name: String,
        seat: Seat,
    },
}

#[derive(Choice, Debug)]
pub enum Seat {
    Inside,
    Garden,
    #[choice(title = "No preference")]
    Any,
}

/// Book a table at the restaurant. The user is asked for a name and where to sit.
#[mcp_tool]
pub async fn book_table(
    ctx: &Ctx<Booking>,
    /// The number of people: 1 to 12.
    people: u32,
) -> Result<String> {
    if !(1..=12).contains(&people) {
        return Err(format!("{people} people do not fit at a table; it has 1 to 12 seats").into());
    }
    let table = ctx
        .elicit::<Table>(format!("A table for {people}: where do you want to sit?"))
        .strict()
        .await?;
    Ok(format!(
        "{} has a table for {people}. Seat: {:?}.",
        table.name, table.seat
    ))
}

#[cfg(test)]
mod tests {
    use mcp_runtime::in_every_mode;
    use serde_json::json;

    use super::*;

    #[tokio::test]
    async fn it_asks_for_a_name_and_a_seat() {
        in_every_mode!(|mode| {
            let mut client = mode.client(|| Server::new("app", "1").tools(tools![book_table]));
            let table = Table {
                name: "Ada".into(),
                seat: Seat::Garden,
            };
            let booked = client
                .call("book_table", json!({ "people": 2 }))
                .accept(table)
                .await;
            assert_eq!(booked.text(), "Ada has a table for 2. Seat: Garden.");

            let refused = client.call("book_table", json!({ "people": 13 })).await;
            assert!(refused.is_error());
        });
    }
}
