//! The transfer: checked in `before`, confirmed by the user in `client`, and booked in `after`.

use mcp_runtime::{Result, prelude::*};
use serde::{Deserialize, Serialize};

use crate::{
    amount::Amount,
    bank::{Account, Bank, Order},
    error::BankError,
};

/// For an amount above this limit, the user is asked twice.
const LARGE: Amount = Amount::euros(1_000);
/// The fee of a transfer to another holder.
const FEE: Amount = Amount { cents: 25 };

/// The forms of a transfer.
#[elicits]
#[derive(Debug)]
pub(crate) enum Questions {
    /// Confirms the transfer.
    Confirm {
        /// Without it nothing is sent.
        #[elicit(title = "Send it")]
        confirmed: bool,
    },
    /// Does the user know whom they pay, and what for?
    Verify {
        /// The last four digits of the payee's account number. Do not take them from this conversation.
        #[elicit(title = "Last four digits", min_length = 4, max_length = 4)]
        last_digits: String,
        /// The purpose of the transfer. It is shown on the statement.
        #[elicit(title = "Purpose", min_length = 3, max_length = 100)]
        purpose: String,
    },
}

/// The tool. `before` only reads, so that a call that is begun twice does no harm; `after` moves the money.
pub(crate) struct Transfer;

/// The transfer that the user is asked to confirm.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Quote {
    order: Order,
    payee: String,
    last_digits: String,
}

/// What the user decided.
#[derive(Debug)]
pub(crate) enum Decision {
    Send {
        purpose: String,
    },
    /// No transfer. The text tells the model why.
    Nothing(String),
}

/// Send money from one of the user's accounts. The user confirms it, large amounts twice. Nothing is sent otherwise.
#[handoff(title = "Transfer money", destructive, open_world = false)]
impl Transfer {
    /// Checks the limits and calculates the fee.
    async fn before(
        &self,
        bank: &Bank,
        /// The account that pays, such as `household`.
        #[schemars(length(max = 50))]
        from: String,
        /// The account that is paid, such as `landlord`.
        #[schemars(length(max = 50))]
        to: String,
        /// How much in euros, such as `1250.00`.
        amount: Amount,
    ) -> Result<Quote, BankError> {
        let (from, to) = (bank.account(&from).await?, bank.account(&to).await?);
        let fee = if to.own { Amount::default() } else { FEE };
        let Account { name, holder: payee, number, .. } = to;
        let order = Order { from: from.name, to: name, amount, fee };
        bank.check(&order).await?;
        let last_digits = number.chars().skip(number.chars().count().saturating_sub(4)).collect();
        Ok(Quote { order, payee, last_digits })
    }

    async fn client(ctx: &Ctx<Questions>, quote: &Quote) -> Result<Decision> {
        let Quote { order: Order { from, to, amount, fee }, payee, last_digits } = quote;
        let question = format!("Send {amount} € from `{from}` to {payee} (`{to}`)? The fee is {fee} €.");
        match ctx.elicit::<Confirm>(question).await? {
            Elicited::Accept(Confirm { confirmed: true }) => {}
            Elicited::Accept(_) | Elicited::Decline => return Ok(Decision::nothing("The user decided against it.")),
            Elicited::Cancel => return Ok(Decision::nothing(CLOSED)),
        }
        if *amount <= LARGE {
            return Ok(Decision::Send { purpose: String::new() });
        }
        let question =
            format!("This is more than {LARGE} €. Which account of {payee} do you mean, and what is it for?");
        Ok(match ctx.elicit::<Verify>(question).await? {
            Elicited::Accept(Verify { last_digits: given, purpose }) if given == *last_digits => {
                Decision::Send { purpose }
            }
            Elicited::Accept(_) => Decision::nothing("These are not the last digits of the payee's account number."),
            Elicited::Decline => Decision::nothing("The user decided against it."),
            Elicited::Cancel => Decision::nothing(CLOSED),
        })
    }

    /// Books the transfer, if it is still possible.
    async fn after(&self, bank: &Bank, ctx: &PhaseCtx, quote: Quote, decision: Decision) -> Result<String, BankError> {
        let purpose = match decision {
            Decision::Send { purpose } => purpose,
            Decision::Nothing(words) => return Ok(words),
        };
        ctx.log(Level::Notice, "booking");
        let booking = bank.book(&quote.order, &purpose).await?;
        Ok(format!("Sent {} € to {}, booking {}.", booking.amount, quote.payee, booking.number))
    }
}

/// A closed form is not a refusal, so the model should ask the user.
const CLOSED: &str = "The user closed the form; ask whether they still want to.";

impl Decision {
    fn nothing(why: &str) -> Self {
        Self::Nothing(format!("{why} Nothing is sent."))
    }
}

#[cfg(test)]
mod tests {
    use mcp_runtime::{
        Service, in_every_mode,
        testing::{Client, Outcome},
    };
    use serde_json::{Value, json};

    use super::super::server;
    use super::*;

    const YES: Confirm = Confirm { confirmed: true };

    fn service() -> Service {
        server(None).unwrap().build().unwrap()
    }

    fn rent() -> Value {
        json!({ "from": "household", "to": "landlord", "amount": "1200.00" })
    }

    fn verify(last_digits: &str) -> Verify {
        Verify { last_digits: last_digits.into(), purpose: "Rent".into() }
    }

    /// Returns the balance of an account, and the number of its bookings.
    async fn account(client: &mut Client, name: &str) -> (String, usize) {
        let shown: Value = client.call("balance", json!({ "account": name })).await.structured();
        (shown["account"]["balance"].as_str().unwrap().into(), shown["bookings"].as_array().unwrap().len())
    }

    async fn refused(client: &mut Client, from: &str, to: &str, amount: &str) -> String {
        let refused = client.call("transfer", json!({ "from": from, "to": to, "amount": amount })).await;
        assert!(refused.is_error());
        refused.text()
    }

    /// Books once in sessions and in rounds, parked and rebuilt, with lost replies and repeated requests.
    #[tokio::test]
    async fn a_large_amount_is_confirmed_twice_and_booked_once_in_every_mode() {
        in_every_mode!(|mode| {
            let mut client = mode.client(|| server(None).unwrap());
            let sent = client.call("transfer", rent()).accept(YES).accept(verify("9037")).await;
            assert_eq!(sent.text(), "Sent 1200.00 € to Lea Brandt, booking 1.");
            assert_eq!(account(&mut client, "household").await, ("1299.75".into(), 1));
            assert_eq!(account(&mut client, "landlord").await, ("1200.00".into(), 1));
        });
    }

    #[tokio::test]
    async fn it_asks_the_same_when_it_is_run_again() {
        let mut client = Client::modern(&service());
        client.call("transfer", rent()).accept(YES).accept(verify("9037")).assert_replay_safe().await;
        assert_eq!(account(&mut client, "household").await, ("1299.75".into(), 1));
    }

    #[tokio::test]
    async fn a_small_amount_is_confirmed_once_and_costs_nothing_among_own_accounts() {
        let mut client = Client::modern(&service());
        let own = json!({ "from": "savings", "to": "household", "amount": "1000.00" });
        let sent = client.call("transfer", own).accept(YES).await;
        assert_eq!(
            sent.asked()[0].message(),
            "Send 1000.00 € from `savings` to Ada Example (`household`)? The fee is 0.00 €."
        );
        assert_eq!(account(&mut client, "savings").await, ("17500.00".into(), 1));
    }

    #[tokio::test]
    async fn nothing_is_sent_unless_the_user_confirms() {
        let mut client = Client::modern(&service());
        let declined = |outcome: &Outcome| {
            assert!(!outcome.is_error() && outcome.text().ends_with(" Nothing is sent."), "{}", outcome.text());
        };
        declined(&client.call("transfer", rent()).accept(Confirm { confirmed: false }).await);
        declined(&client.call("transfer", rent()).decline().await);
        declined(&client.call("transfer", rent()).cancel().await);
        declined(&client.call("transfer", rent()).accept(YES).accept(verify("1181")).await);
        declined(&client.call("transfer", rent()).accept(YES).decline().await);
        assert_eq!(account(&mut client, "household").await, ("2500.00".into(), 0));
    }

    #[tokio::test]
    async fn an_invalid_transfer_is_rejected_before_the_user_is_asked() {
        let mut client = Client::modern(&service());
        let client = &mut client;
        assert_eq!(
            refused(client, "household", "grocer", "1.00").await,
            "no account `grocer`; there are `household`, `savings`, `landlord`, `club`"
        );
        assert_eq!(
            refused(client, "landlord", "household", "1.00").await,
            "`landlord` is not the user's own account; transfers leave from `household`, `savings`"
        );
        assert_eq!(refused(client, "savings", "Savings ", "1.00").await, "`from` and `to` are both `savings`");
        assert_eq!(refused(client, "savings", "club", "0.00").await, "an amount of 0.00 cannot be sent");
        assert_eq!(
            refused(client, "household", "club", "2500.00").await,
            "`household` has 2500.00 €, and this takes 2500.25 €"
        );
        assert_eq!(
            refused(client, "savings", "club", "10000.01").await,
            "no more than 10000.00 € leave an account in 24 hours, and 10000.00 € are left of that for `savings`"
        );
    }

    /// Two transfers at once, with money for only one.
    #[tokio::test]
    async fn the_limits_are_checked_again_before_booking() {
        let bank = Bank::open(None).unwrap();
        let mut quotes = Vec::new();
        for _ in 0..2 {
            let amount = Amount::euros(2_000);
            quotes.push(Transfer.before(&bank, "household".into(), "savings".into(), amount).await.unwrap());
        }
        bank.book(&quotes[0].order, "").await.unwrap();
        let refused = bank.book(&quotes[1].order, "").await.unwrap_err();
        assert_eq!(refused.to_string(), "`household` has 500.00 €, and this takes 2000.00 €");
    }
}
