//! The tools as an agent's program sees them: over the protocol, by the client of the same kit.

use rmcp::{
    RoleClient, ServiceExt,
    model::CallToolRequestParams,
    service::{RunningService, ServiceError},
};
use serde_json::{Map, Value, json};
use std::{fs, path::Path};
use tempfile::TempDir;
use unmold_io::LoadSettings;
use unmold_mcp::{Folders, Server};

/// An answer is not much larger than this, in bytes.
const SMALL: usize = 40_000;
/// So many words do not fit into one answer.
const WORDS: usize = 4_000;

struct Session {
    client: RunningService<RoleClient, ()>,
    _pages: TempDir,
}

impl Session {
    /// A client of a server over two visits of a shop.
    async fn new() -> Self {
        let pages = TempDir::new().unwrap();
        let shop = |dir: &Path, first_price: &str| {
            fs::create_dir(dir).unwrap();
            for (number, name) in ["Kettle", "Skillet", "Knife", "Ladle"].iter().enumerate() {
                let price = if number == 0 {
                    first_price.to_owned()
                } else {
                    format!("£{}0.25", number + 1)
                };
                fs::write(dir.join(format!("{number}.html")), product(name, &price)).unwrap();
            }
        };
        shop(&pages.path().join("old"), "£48.50");
        shop(&pages.path().join("new"), "£47.00");
        let folders = ["old", "new"].map(|name| pages.path().join(name));
        let folders = Folders::new(&folders, &LoadSettings::default()).unwrap();
        let (ours, theirs) = tokio::io::duplex(1 << 16);
        tokio::spawn(async move {
            let running = Server::new(folders).serve(theirs).await.unwrap();
            running.waiting().await.unwrap();
        });
        let client = ().serve(ours).await.unwrap();
        Session {
            client,
            _pages: pages,
        }
    }

    /// What a tool answers: JSON, or the sentence of an error.
    async fn call(&self, tool: &'static str, arguments: Value) -> Result<Value, String> {
        let arguments: Map<String, Value> = serde_json::from_value(arguments).unwrap();
        let request = CallToolRequestParams::new(tool).with_arguments(arguments);
        let result = self.client.call_tool(request).await;
        let result = result.map_err(|error: ServiceError| error.to_string())?;
        let text = &result.content[0].as_text().unwrap().text;
        assert!(
            text.len() < SMALL,
            "{tool} answers with {} bytes",
            text.len()
        );
        if result.is_error == Some(true) {
            return Err(text.clone());
        }
        Ok(serde_json::from_str(text).unwrap())
    }
}

/// A word that no other page has, and that this page has once.
fn word(name: &str, number: usize) -> String {
    format!("{name}-{number}.")
}

fn product(name: &str, price: &str) -> String {
    let about: String = (0..WORDS)
        .map(|number| format!(" {}", word(name, number)))
        .collect();
    format!(
        "<title>{name} - Shop</title><script type=application/ld+json>\
         {{\"@type\": \"Product\", \"name\": \"{name}\", \"sku\": \"S-{name}\"}}</script>\
         <nav><a href=/>Home</a><a href=/all>All goods</a></nav>\
         <h1>{name}</h1><p>Price: <b>{price}</b></p><div class=about><p>{about}</p></div>\
         <ul><li class=say><b>Ann</b> likes the {name}<li class=say><b>Bob</b> does not</ul>"
    )
}

#[tokio::test]
async fn every_tool_reads_and_answers() {
    let session = Session::new().await;
    let tools = session.client.list_all_tools().await.unwrap();
    let mut names: Vec<&str> = tools.iter().map(|tool| tool.name.as_ref()).collect();
    names.sort_unstable();
    let all = [
        "changes", "check", "clean", "declared", "extract", "folders", "learn", "pages", "records",
    ];
    assert_eq!(names, all);
    for tool in &tools {
        let annotations = tool.annotations.as_ref().unwrap();
        assert_eq!(annotations.read_only_hint, Some(true), "{}", tool.name);
        assert!(tool.description.is_some(), "{}", tool.name);
    }

    let folders = session.call("folders", json!({})).await.unwrap();
    assert_eq!(
        folders["folders"][1],
        json!({"folder": "old", "pages": 4, "bad_inputs": 0})
    );
    let pages = session
        .call("pages", json!({"folder": "old"}))
        .await
        .unwrap();
    assert_eq!(pages["total"], 4);
    assert_eq!(pages["pages"][0]["page"], "0.html");

    let learned = session
        .call("learn", json!({"folder": "old"}))
        .await
        .unwrap();
    let fields = learned["templates"][0]["fields"].as_array().unwrap();
    assert!(
        fields.iter().any(|field| field["name"] == "sku"),
        "{learned}"
    );

    let price = json!({"folder": "old", "example": {"cost": "£48.50"}});
    let rows = session.call("extract", price).await.unwrap();
    assert_eq!(rows["rows"][0]["fields"], json!({"cost": "£48.50"}));
    assert_eq!(rows["rows"][2]["fields"], json!({"cost": "£30.25"}));
    let named = json!({"folder": "old", "fields": ["sku"], "limit": 1});
    let rows = session.call("extract", named).await.unwrap();
    assert_eq!(rows["rows"][0]["fields"], json!({"sku": "S-Kettle"}));
    assert_eq!(rows["next"], 1);

    let page = json!({"folder": "old", "page": "0.html"});
    let declared = session.call("declared", page.clone()).await.unwrap();
    let has_sku = |row: &Value| row["path"] == "sku" && row["value"] == "S-Kettle";
    assert!(
        declared["statements"]
            .as_array()
            .unwrap()
            .iter()
            .any(has_sku),
        "{declared}"
    );
    let records = session.call("records", page).await.unwrap();
    assert_eq!(records["records"].as_array().unwrap().len(), 2, "{records}");

    let visits = json!({"old": "old", "new": "new"});
    let check = session.call("check", visits.clone()).await.unwrap();
    assert_eq!(check["verdict"], "healthy", "{check}");
    let changes = session.call("changes", visits).await.unwrap();
    assert_eq!(
        (&changes["changed"], &changes["unchanged"]),
        (&json!(1), &json!(3))
    );
    assert!(
        changes["pages"][0].to_string().contains("47.00"),
        "{changes}"
    );
}

#[tokio::test]
async fn long_content_is_read_on_to_its_end() {
    let session = Session::new().await;
    let (mut text, mut from) = (String::new(), json!(0));
    while !from.is_null() {
        let asked = json!({"folder": "old", "page": "1.html", "plain": true, "from": from});
        let piece = session.call("clean", asked).await.unwrap();
        text.push_str(piece["content"].as_str().unwrap());
        from = piece["next"].clone();
    }
    assert!(text.len() > SMALL / 2);
    for number in 0..WORDS {
        let word = word("Skillet", number);
        assert_eq!(text.matches(&word).count(), 1, "{word}");
    }
    assert!(!text.contains("All goods"));
}

#[tokio::test]
async fn nothing_outside_can_be_named() {
    let session = Session::new().await;
    for folder in ["..", "/etc", "old/..", "", "old/0.html"] {
        let refused = session
            .call("pages", json!({"folder": folder}))
            .await
            .unwrap_err();
        assert!(refused.contains("there are: new, old"), "{refused}");
    }
    for page in ["../new/0.html", "/etc/passwd", "", "..", "0.html/"] {
        let asked = json!({"folder": "old", "page": page});
        let refused = session.call("clean", asked).await.unwrap_err();
        assert!(refused.contains("no page named"), "{refused}");
    }
    let unknown = json!({"folder": "old", "output": "/tmp/x"});
    assert!(session.call("pages", unknown).await.is_err());
    let no_field = json!({"folder": "old", "fields": ["nothing"]});
    let refused = session.call("extract", no_field).await.unwrap_err();
    assert!(refused.contains("no group has a field"), "{refused}");
    let no_value = json!({"folder": "old", "example": {"x": "on no page"}});
    assert!(session.call("extract", no_value).await.is_err());
}

#[test]
fn inputs_are_told_apart_by_name() {
    let dir = TempDir::new().unwrap();
    for path in ["a/pages", "b/pages"] {
        fs::create_dir_all(dir.path().join(path)).unwrap();
    }
    let paths = ["a/pages", "b/pages"].map(|path| dir.path().join(path));
    let settings = LoadSettings::default();
    let folders = Folders::new(&paths, &settings).unwrap();
    let names: Vec<&str> = folders.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["a/pages", "b/pages"]);
    let twice = [paths[0].clone(), dir.path().join("b/../a/pages")];
    assert!(Folders::new(&twice, &settings).is_err());
    assert!(Folders::new(&[dir.path().join("c")], &settings).is_err());
}
