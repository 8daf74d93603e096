//! `openapi!("…")`.

/// Makes tools from the operations of an OpenAPI document (feature `openapi`). It is an [`Api`](crate::openapi::Api) for
/// [`Server::tools`](crate::Server::tools).
///
/// The path is relative to the file in which it is written, as for `include_str!`:
///
/// ```
/// use mcp_runtime::{openapi, prelude::*};
///
/// let pets = openapi!(
///     "openapi/petstore.json",
///     include(tag = "pets"),
///     except("DELETE /pets/{petId}"),
///     rename("findPets" = "search_pets"),
///     description("addPet" = "Offers a pet for sale. The shop calls back within a day."),
/// );
/// let service = Server::new("pets", "1.0.0").tools(pets).build().unwrap();
///
/// let names: Vec<_> = service.manifest()["tools"].as_array().unwrap().iter().map(|tool| tool["name"].clone()).collect();
/// assert_eq!(names, ["search_pets", "add_pet", "get_pet"]);
/// ```
///
/// The module [`openapi`](mod@crate::openapi) describes the tools, their credentials and their failures. It has the document
/// of this example.
///
/// # Lists
///
/// | list | entries | meaning |
/// | --- | --- | --- |
/// | `include(…)` | operations, `tag = "…"` | only these operations become tools; without this list, all |
/// | `except(…)` | operations, `tag = "…"` | these do not |
/// | `rename(…)` | `operation = "name"` | the name of the tool |
/// | `description(…)` | `operation = "text"` | the text that the model reads |
/// | `actions(…)` | `name = […]` | the operations and tags in the brackets are the actions of one tool (feature `actions`) |
///
/// An operation is named by its `operationId`, or by its method and path: `"GET /pets/{petId}"`.
///
/// # Actions
///
/// The definition of each tool is part of each request to a model. A large API needs less space as a few tools with
/// [actions](crate::actions): the model sees the names of the actions, and learns the parameters of one with `describe`.
///
/// ```
/// use mcp_runtime::{openapi, prelude::*, testing::Client};
/// use serde_json::{Value, json};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let pets = openapi!(
///     "openapi/petstore.json",
///     actions(pets = [tag = "pets"]),
///     rename("findPets" = "find", "addPet" = "add", "getPet" = "get", "deletePet" = "delete"),
///     description("pets" = "Finds pets, and offers them for sale."),
/// );
/// let service = Server::new("pets", "1.0.0").tools(pets).build().unwrap();
///
/// let mut client = Client::modern(&service);
/// let described = client.call("pets", json!({ "action": "describe", "params": { "action": "find" } })).await;
/// let parameters = described.structured::<Value>()["result"]["params"].clone();
/// assert_eq!((&parameters[0]["name"], &parameters[0]["values"]), (&json!("kind"), &json!(["cat", "dog"])));
/// # }
/// ```
///
/// The text of such a tool is the one in `description(…)`, under the name of the tool. Otherwise it is that of its tag, if
/// it has one tag and nothing else, and at last the title of the document. An operation that is named in one tool can have
/// a tag of another one. The operations that no tool names are tools of their own. Two actions can have one name, if they
/// are in different tools. Results have all members of the answer of the service: the members whose names begin with `_`
/// are internal only in actions of your own.
///
/// # The document
///
/// It is OpenAPI 3.0 or 3.1, as JSON or YAML, in one file. If the file changes, cargo builds the program again.
///
/// | part | becomes |
/// | --- | --- |
/// | `operationId`, otherwise the method and the path | the name in `snake_case`, with at most 64 characters. If two are the same, the later one in the document gets a number, whatever is included |
/// | `summary`, `description` | the description: without links and HTML, and shortened at the end of a sentence to 800 characters |
/// | parameters in the path, the query and headers | arguments. If two have one name, the second one begins with its place: `query_id` |
/// | a body that is an object | an argument for each member. If the object has other members, or a member has the name of a parameter or one that models cannot use, the body is the argument `body` |
/// | any other body | the argument `body` |
/// | a property whose name is not 1 to 64 ASCII letters, digits, `_`, `-` and `.` | a name in the description of its object, which then takes any other members |
/// | a `default` that does not fit its schema, a `pattern` that the server cannot compile, and other rules with such values | nothing; the service still checks its rules |
/// | a name in `patternProperties` that the server cannot compile | nothing; the object takes any other members |
/// | `not`, and `if` with its `then` and `else`, if one of their rules or properties is left out | nothing |
/// | `oneOf`, if one of its rules or properties is left out | `anyOf` |
/// | the answer, if each success is a JSON object with the same schema, except to `HEAD` | the output schema, with the types and names of its members, but without limits of their values; otherwise, the result is text |
/// | `GET`, `HEAD`, `OPTIONS` | `read_only` |
/// | `PUT`, `DELETE` | `idempotent`, and `DELETE` is `destructive` |
/// | `security` | [credentials](crate::openapi::Api::credential): API keys in a header or the query, basic, bearer; OAuth and OpenID Connect as bearer tokens. A parameter in the place of a credential is not an argument |
/// | `readOnly` properties | nothing in arguments |
/// | a redirect among the answers | a result with the URL, if the redirect leads to another origin |
/// | `servers` of an operation | its [server](crate::openapi::Api::own_server), which gets no credentials before you name it |
///
/// Bodies are JSON, forms (`application/x-www-form-urlencoded`) or text. The styles of parameters are `simple`, `form` and
/// `deepObject`, and JSON as `content`; the members of forms have the same ones in `encoding`. Callbacks, webhooks, links and
/// examples have no effect.
///
/// # Compile errors
///
/// All mistakes are reported at once: a file that is missing or not an OpenAPI document; a choice that chooses nothing,
/// with the most similar name; a new name that is taken; an operation in two tools with actions, and such a tool without
/// operations; a path in another file; two security schemes whose settings would have one name. An operation with something
/// that is not supported is one, too, and can be left out with `except`: cookies, bodies with files, other styles, other kinds
/// of security, a required property that models cannot name, a relative URL in `servers` of its own, and a `$ref` to another
/// file.
#[macro_export]
macro_rules! openapi {
    ($($input:tt)*) => { $crate::__private::expand_openapi!(($crate) $($input)*) };
}
