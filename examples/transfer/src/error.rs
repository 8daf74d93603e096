//! The errors of the tools, which tell a model what to do.

use crate::amount::Amount;

/// The reason why nothing is booked.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BankError {
    #[error("no account `{given}`; there are {}", .accounts.join(", "))]
    NoAccount { given: String, accounts: Vec<String> },

    #[error("`{account}` is not the user's own account; transfers leave from {}", .own.join(", "))]
    NotOwn { account: String, own: Vec<String> },

    #[error("`from` and `to` are both `{account}`")]
    SameAccount { account: String },

    #[error("an amount of 0.00 cannot be sent")]
    NoAmount,

    #[error("`{account}` has {balance} €, and this takes {needed} €")]
    TooLittle { account: String, balance: Amount, needed: Amount },

    #[error("no more than {most} € leave an account in 24 hours, and {left} € are left of that for `{account}`")]
    TooMuch { account: String, most: Amount, left: Amount },

    #[error("the bank's database failed: {0}")]
    Database(#[from] rusqlite::Error),
}
