//! `psvn solve --debugger`: what a search debugger hears, recorded by a server in its place.

use std::net::TcpListener;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::State;
use axum::http::{Method, StatusCode, Uri};
use serde_json::Value;

use crate::run;

type Heard = Arc<Mutex<Vec<(String, Value)>>>;

/// What the debugger answers: 201 and 200 as the extension, and 404 elsewhere.
async fn hear(method: Method, uri: Uri, State(heard): State<Heard>, body: String) -> StatusCode {
    let status = match (method, uri.path()) {
        (Method::POST, "/state/initial" | "/state" | "/state/visitedOrWorse") => {
            StatusCode::CREATED
        }
        (Method::POST, "/state/heuristic" | "/plan") => StatusCode::OK,
        _ => return StatusCode::NOT_FOUND,
    };
    let body = serde_json::from_str(&body).expect("JSON");
    heard.lock().unwrap().push((uri.path().to_owned(), body));
    status
}

/// A server on a port of its own that records what it hears until `work` is done.
fn recorded(work: impl FnOnce(u16)) -> Vec<(String, Value)> {
    let heard = Heard::default();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_io()
        .build()
        .unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let port = listener.local_addr().unwrap().port();
    let app = Router::new().fallback(hear).with_state(heard.clone());
    runtime.spawn(async move {
        let listener = tokio::net::TcpListener::from_std(listener).unwrap();
        axum::serve(listener, app).await.unwrap();
    });
    work(port);
    runtime.shutdown_background();
    heard.lock().unwrap().clone()
}

const SOLVE: [&str; 4] = [
    "solve",
    "gen:sliding-tiles:3:3",
    "--start",
    "1 4 2 3 0 5 6 7 8",
];

#[test]
fn a_debugger_hears_of_each_state_and_of_the_plan() {
    let mut cost = None;
    let heard = recorded(|port| {
        let port = port.to_string();
        let more = [
            "-a",
            "astar",
            "--heuristic",
            "manhattan",
            "--format",
            "json",
            "--debugger",
            &port,
        ];
        let output = run(&[&SOLVE[..], &more].concat());
        assert_eq!(output.status, Some(0), "{}", output.stderr);
        let found: Value = serde_json::from_str(&output.stdout).unwrap();
        cost = found["cost"].as_u64();
    });
    assert_eq!(cost, Some(2));
    let paths: Vec<&str> = heard.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!(paths[..3], ["/state/initial", "/state/heuristic", "/state"]);
    let (_, first) = &heard[0];
    assert_eq!(
        (&first["id"], &first["parentId"], &first["g"]),
        (&"0".into(), &Value::Null, &0.into())
    );
    let (_, estimate) = &heard[1];
    assert_eq!((&estimate["id"], &estimate["h"]), (&"0".into(), &2.into()));
    for list in ["relaxedPlan", "helpfulActions"] {
        assert_eq!(estimate[list], Value::Array(Vec::new()));
    }
    let (_, child) = &heard[2];
    assert_eq!((&child["parentId"], &child["g"]), (&"0".into(), &1.into()));
    assert_eq!(child["appliedAction"]["kind"], "INSTANTANEOUS");
    let (last, plan) = heard.last().unwrap();
    assert_eq!(last, "/plan");
    assert_eq!(
        (&plan["g"], plan["planHead"].as_array().unwrap().len()),
        (&2.into(), 2)
    );
}

#[test]
fn a_debugger_that_is_not_there_is_an_error() {
    // Nobody listens on a port that was free a moment ago.
    let port = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    let port = port.to_string();
    let more = ["-a", "astar", "--debugger", &port];
    let output = run(&[&SOLVE[..], &more].concat());
    assert_eq!(output.status, Some(3), "{}", output.stderr);
    let said = output.stderr;
    assert!(
        said.contains(&format!("the search debugger at port {port}")),
        "{said}"
    );
    // An algorithm along paths keeps no states.
    let output = run(&[&SOLVE[..], &["--debugger", &port]].concat());
    assert_eq!(output.status, Some(2), "{}", output.stderr);
}
