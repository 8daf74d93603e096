//! What clients get to know about a folder of skills that changes.

use mcp_runtime::{
    Revision, Server,
    testing::{Client, Notice},
};

use crate::skills::folder::{Place, REFUNDS};

#[tokio::test]
async fn clients_are_told_of_changed_files_and_new_skills() {
    for revision in [Revision::V2025_11_25, Revision::LATEST] {
        let place = Place::new(&[("refunds/SKILL.md", REFUNDS)]);
        let service = Server::new("shop", "1").skills(place.skills().watch()).build().unwrap();
        let mut client = Client::new(&service, revision);
        let updated = Notice::Updated("skill://refunds/SKILL.md".to_owned());
        client.subscribed([Notice::Resources, updated.clone()]).await;
        place.write("refunds/SKILL.md", format!("{REFUNDS}# Refunds\n"));
        assert_eq!(client.notice().await, updated, "{revision}");
        place.write("reports/SKILL.md", "---\nname: reports\ndescription: b\n---\n");
        // On a slow machine, the server may see the first change in two parts.
        while client.notice().await != Notice::Resources {}
    }
}
