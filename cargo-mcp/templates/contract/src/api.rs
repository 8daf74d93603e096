//! The public methods of the service.

use mcp_runtime::{
    contract,
    contract::{Contract, ErrorStatus},
};
use service::{Item, ItemError, Items, NewItem};

/// An error of the service, with its HTTP status.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct ApiError(#[from] ItemError);

impl ErrorStatus for ApiError {
    const STATUSES: &'static [u16] = &[404, 409];

    fn status(&self) -> u16 {
        match self.0 {
            ItemError::NotFound(_) => 404,
            ItemError::Taken(_) => 409,
        }
    }
}

/// The items.
#[contract(resource = "items")]
pub trait ItemApi {
    /// Creates an item.
    async fn create(&self, input: NewItem) -> Result<Item, ApiError>;

    /// Returns an item.
    async fn get(&self, id: u64) -> Result<Item, ApiError>;

    /// Lists all items.
    async fn list(&self) -> Vec<Item>;

    /// Deletes an item.
    async fn delete(&self, id: u64) -> Result<(), ApiError>;
}

impl ItemApi for Items {
    async fn create(&self, input: NewItem) -> Result<Item, ApiError> {
        Ok(Items::create(self, input).await?)
    }

    async fn get(&self, id: u64) -> Result<Item, ApiError> {
        Ok(Items::get(self, id).await?)
    }

    async fn list(&self) -> Vec<Item> {
        Items::list(self).await
    }

    async fn delete(&self, id: u64) -> Result<(), ApiError> {
        Ok(Items::delete(self, id).await?)
    }
}

/// Returns the contract. It contains all resources that the server publishes.
pub fn contract(items: Items) -> Result<Contract, mcp_runtime::BuildError> {
    Contract::builder("items")
        .version(env!("CARGO_PKG_VERSION"))
        .resource(items.into_resource())
        .build()
}
