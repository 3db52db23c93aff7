//! The parts of the page, which are in the program.

use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use axum::routing::get;

/// Name, type and contents of each part.
const PARTS: [(&str, &str, &str); 4] = [
    (
        "",
        "text/html; charset=utf-8",
        include_str!("../../assets/index.html"),
    ),
    (
        "app.js",
        "text/javascript; charset=utf-8",
        include_str!("../../assets/app.js"),
    ),
    (
        "style.css",
        "text/css; charset=utf-8",
        include_str!("../../assets/style.css"),
    ),
    (
        "icon.svg",
        "image/svg+xml",
        include_str!("../../assets/icon.svg"),
    ),
];

/// The routes of the parts, below a path.
pub(super) fn routes<S: Clone + Send + Sync + 'static>(root: &str) -> Router<S> {
    let add = |router: Router<S>,
               (name, form, text): (&'static str, &'static str, &'static str)| {
        let part = move || async move { ([(CONTENT_TYPE, form)], text).into_response() };
        router.route(&format!("{root}/{name}"), get(part))
    };
    PARTS.into_iter().fold(Router::new(), add)
}
