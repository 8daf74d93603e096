//! Thirty operations of an office, as thirty tools and as thirty actions of one tool: the same names, descriptions and
//! parameters, from one list.

use mcp_runtime::{Server, actions::Actions, prelude::*};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Priority {
    Low,
    Normal,
    High,
}

/// One tool with all operations.
pub(crate) fn one_tool() -> Actions {
    Office.into_actions()
}

pub(crate) struct Office;

macro_rules! operations {
    ($($(#[doc = $doc:literal])+ $name:ident($($(#[$attribute:meta])* $parameter:ident: $type:ty),* $(,)?);)+) => {
        /// Runs the office: its documents, tasks, customers, invoices and meetings.
        #[mcp_actions(name = "office")]
        impl Office {
            $(
                $(#[doc = $doc])+
                #[action]
                async fn $name(&self, $($(#[$attribute])* $parameter: $type),*) -> String {
                    format!("{:?}", ($(&$parameter,)*))
                }
            )+
        }

        mod tools {
            use super::*;

            $(
                $(#[doc = $doc])+
                #[mcp_tool(allow(repeated_description))]
                pub(super) async fn $name($($(#[$attribute])* $parameter: $type),*) -> String {
                    format!("{:?}", ($(&$parameter,)*))
                }
            )+
        }

        /// Adds a tool for each operation.
        pub(crate) fn with_thirty_tools(server: Server) -> Server {
            use tools::*;
            server.tools(tools![$($name),+])
        }
    };
}

operations! {
    /// Searches the documents of the office for words. The newest comes first.
    search_documents(
        /// The words that the document must contain.
        words: String,
        /// Only documents of this folder.
        folder: Option<String>,
        /// How many documents to return.
        #[schemars(range(min = 1, max = 100))]
        #[serde(default = 20)]
        limit: u32,
    );
    /// Returns the text of a document.
    read_document(
        /// The id of the document.
        document_id: String,
        /// The number of the first page.
        #[schemars(range(min = 1))]
        #[serde(default = 1)]
        page: u32,
    );
    /// Creates a document in a folder.
    create_document(
        /// The folder, such as `plans/2026`.
        folder: String,
        /// The title, in one line.
        #[schemars(length(min = 1, max = 200))]
        title: String,
        /// The text, as Markdown.
        text: String,
    );
    /// Replaces the text of a document. The former text remains as a version.
    update_document(
        /// The id of the document.
        document_id: String,
        /// The new text, as Markdown.
        text: String,
        /// What has changed, in one line.
        comment: Option<String>,
    );
    /// Moves a document to another folder.
    move_document(
        /// The id of the document.
        document_id: String,
        /// The folder to move it to.
        folder: String,
    );
    /// Deletes a document. It can be restored for thirty days.
    delete_document(
        /// The id of the document.
        document_id: String,
    );
    /// Shares a document with a person.
    share_document(
        /// The id of the document.
        document_id: String,
        /// The e-mail address of the person.
        email: String,
        /// Whether the person can change the document.
        #[serde(default = false)]
        can_edit: bool,
    );
    /// Lists the versions of a document, the newest first.
    list_versions(
        /// The id of the document.
        document_id: String,
        /// How many versions to return.
        #[schemars(range(min = 1, max = 50))]
        #[serde(default = 10)]
        limit: u32,
    );
    /// Lists tasks by person and status.
    list_tasks(
        /// Only tasks of this person.
        assignee: Option<String>,
        /// Only tasks that are done, or only those that are not.
        done: Option<bool>,
        /// How many tasks to return.
        #[schemars(range(min = 1, max = 100))]
        #[serde(default = 20)]
        limit: u32,
    );
    /// Creates a task.
    create_task(
        /// What is to be done, in one line.
        #[schemars(length(min = 1, max = 200))]
        title: String,
        /// The person who does it.
        assignee: Option<String>,
        /// The day by which it must be done, such as 2026-03-31.
        due: Option<String>,
        /// How urgent it is.
        #[serde(default = Priority::Normal)]
        priority: Priority,
    );
    /// Gives a task to another person.
    assign_task(
        /// The id of the task.
        task_id: u64,
        /// The person who does it from now on.
        assignee: String,
    );
    /// Marks a task as done.
    complete_task(
        /// The id of the task.
        task_id: u64,
        /// What came out of it.
        result: Option<String>,
    );
    /// Changes the day by which a task must be done.
    postpone_task(
        /// The id of the task.
        task_id: u64,
        /// The new day, such as 2026-03-31.
        due: String,
        /// Why it takes longer.
        reason: String,
    );
    /// Adds a comment to a task.
    comment_task(
        /// The id of the task.
        task_id: u64,
        /// The comment, as Markdown.
        text: String,
    );
    /// Searches customers by name, town and e-mail address.
    search_customers(
        /// The words to search for.
        words: String,
        /// How many customers to return.
        #[schemars(range(min = 1, max = 100))]
        #[serde(default = 20)]
        limit: u32,
    );
    /// Returns a customer with the addresses and the contact.
    get_customer(
        /// The number of the customer.
        customer: u64,
    );
    /// Creates a customer.
    create_customer(
        /// The name of the company.
        #[schemars(length(min = 1, max = 200))]
        name: String,
        /// The e-mail address for invoices.
        email: String,
        /// The code of the country, such as NO.
        #[schemars(length(min = 2, max = 2))]
        country: String,
    );
    /// Changes the contact of a customer.
    update_contact(
        /// The number of the customer.
        customer: u64,
        /// The name of the contact.
        name: String,
        /// The e-mail address of the contact.
        email: String,
        /// The telephone number of the contact.
        telephone: Option<String>,
    );
    /// Lists the orders of a customer in a time.
    list_orders(
        /// The number of the customer.
        customer: u64,
        /// The first day, such as 2026-01-01.
        from: Option<String>,
        /// The last day.
        until: Option<String>,
    );
    /// Creates an invoice for an order. It is not sent yet.
    create_invoice(
        /// The number of the order.
        order: u64,
        /// After how many days it must be paid.
        #[schemars(range(min = 0, max = 90))]
        #[serde(default = 30)]
        days: u32,
        /// A text above the items.
        note: Option<String>,
    );
    /// Sends an invoice to the customer.
    send_invoice(
        /// The number of the invoice.
        invoice: u64,
        /// Also to this e-mail address.
        copy_to: Option<String>,
    );
    /// Lists invoices that were not paid in time.
    list_overdue(
        /// By at least so many days.
        #[schemars(range(min = 1, max = 365))]
        #[serde(default = 1)]
        days: u32,
        /// Only invoices of at least this amount.
        minimum: Option<f64>,
    );
    /// Reminds a customer of an invoice that was not paid in time.
    send_reminder(
        /// The number of the invoice.
        invoice: u64,
        /// How firm the text is.
        #[serde(default = Priority::Normal)]
        priority: Priority,
    );
    /// Records a payment of an invoice.
    record_payment(
        /// The number of the invoice.
        invoice: u64,
        /// The amount, in the currency of the invoice.
        #[schemars(range(min = 0))]
        amount: f64,
        /// The day of the payment, such as 2026-03-31.
        day: String,
    );
    /// Cancels an invoice with a credit note.
    cancel_invoice(
        /// The number of the invoice.
        invoice: u64,
        /// Why, for the credit note.
        reason: String,
    );
    /// Lists the meetings of a person in a time.
    list_meetings(
        /// The person.
        person: String,
        /// The first day, such as 2026-01-01.
        from: String,
        /// How many days.
        #[schemars(range(min = 1, max = 31))]
        #[serde(default = 7)]
        days: u32,
    );
    /// Finds times at which all of these people can meet.
    find_times(
        /// The people.
        people: Vec<String>,
        /// How long the meeting is, in minutes.
        #[schemars(range(min = 15, max = 480))]
        minutes: u32,
        /// The first day that is possible.
        from: Option<String>,
    );
    /// Creates a meeting and invites people.
    create_meeting(
        /// What the meeting is about.
        #[schemars(length(min = 1, max = 200))]
        title: String,
        /// The begin, such as 2026-03-31T14:00.
        begins: String,
        /// How long it is, in minutes.
        #[schemars(range(min = 15, max = 480))]
        minutes: u32,
        /// The people to invite.
        people: Vec<String>,
    );
    /// Moves a meeting to another time, and tells the people who are invited.
    move_meeting(
        /// The id of the meeting.
        meeting_id: String,
        /// The new begin, such as 2026-03-31T14:00.
        begins: String,
    );
    /// Cancels a meeting, and tells the people who are invited.
    cancel_meeting(
        /// The id of the meeting.
        meeting_id: String,
        /// The reason that the people read.
        reason: Option<String>,
    );
}
