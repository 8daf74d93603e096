//! The resource `users`.

use mcp_runtime::contract;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Store, TodoError};

/// A member of the team.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct User {
    /// The number of the user.
    pub id: i64,
    /// The name, which no other user has.
    pub name: String,
}

/// The members of the team.
#[contract(resource = "users")]
pub trait UserApi {
    /// Adds a member.
    async fn create(
        &self,
        /// The name, which no other user has.
        #[schemars(length(min = 1, max = 100))]
        name: String,
    ) -> Result<User, TodoError>;

    /// Lists all members.
    async fn list(&self) -> Result<Vec<User>, TodoError>;

    /// Returns a member.
    async fn get(&self, id: i64) -> Result<User, TodoError>;

    /// Removes a member. Their todos have no assignee afterwards.
    async fn delete(&self, id: i64) -> Result<(), TodoError>;
}

impl UserApi for Store {
    async fn create(&self, name: String) -> Result<User, TodoError> {
        self.run(|db| db.create_user(name)).await
    }

    async fn list(&self) -> Result<Vec<User>, TodoError> {
        self.run(|db| db.users()).await
    }

    async fn get(&self, id: i64) -> Result<User, TodoError> {
        self.run(move |db| db.user(id)).await
    }

    async fn delete(&self, id: i64) -> Result<(), TodoError> {
        self.run(move |db| db.delete_user(id)).await
    }
}
