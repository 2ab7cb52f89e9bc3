//! The viewer's own page, which is part of the program.

/// A file, by its path: its media type and its bytes.
pub fn asset(path: &str) -> Option<(&'static str, &'static str)> {
    Some(match path {
        "/" => (
            "text/html; charset=utf-8",
            include_str!("../assets/index.html"),
        ),
        "/app.css" => ("text/css; charset=utf-8", include_str!("../assets/app.css")),
        "/page.css" => (
            "text/css; charset=utf-8",
            include_str!("../assets/page.css"),
        ),
        "/icon.svg" => ("image/svg+xml", include_str!("../assets/icon.svg")),
        "/app.js" => (SCRIPT, include_str!("../assets/app.js")),
        "/server.js" => (SCRIPT, include_str!("../assets/server.js")),
        "/elements.js" => (SCRIPT, include_str!("../assets/elements.js")),
        "/page.js" => (SCRIPT, include_str!("../assets/page.js")),
        "/check.js" => (SCRIPT, include_str!("../assets/check.js")),
        "/declared.js" => (SCRIPT, include_str!("../assets/declared.js")),
        "/lists.js" => (SCRIPT, include_str!("../assets/lists.js")),
        "/picked.js" => (SCRIPT, include_str!("../assets/picked.js")),
        "/preview.js" => (SCRIPT, include_str!("../assets/preview.js")),
        "/fields.js" => (SCRIPT, include_str!("../assets/fields.js")),
        "/tables.js" => (SCRIPT, include_str!("../assets/tables.js")),
        _ => return None,
    })
}

const SCRIPT: &str = "text/javascript; charset=utf-8";
