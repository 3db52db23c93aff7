//! A server for one test, and a client that writes requests as it likes.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use psvn::Environment;
use serde_json::{Value, json};
use studio::Studio;

/// The longest that a test waits for something to happen.
const PATIENCE: Duration = Duration::from_secs(60);

/// A response.
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Response {
    /// The value of a header.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (found, value) = line.split_once(':')?;
            found.eq_ignore_ascii_case(name).then_some(value.trim())
        })
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body)
            .unwrap_or_else(|error| panic!("{error}: {} {}", self.status, self.body))
    }
}

/// A server that ends with this value.
pub(crate) struct Served {
    pub(crate) port: u16,
    /// The path of the page, with the secret, without the slash at its end.
    pub(crate) root: String,
    end: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Served {
    pub(crate) fn new(game: Option<&Path>) -> Self {
        let env = Environment::default();
        let end = Arc::clone(env.cancellation());
        let server = Studio::open(game, &env).unwrap().listen(0).unwrap();
        let address = server.address();
        let (host, path) = address
            .strip_prefix("http://")
            .unwrap()
            .split_once('/')
            .unwrap();
        let (name, port) = host.split_once(':').unwrap();
        assert_eq!(name, "127.0.0.1");
        Self {
            port: port.parse().unwrap(),
            root: format!("/{}", path.trim_end_matches('/')),
            end,
            thread: Some(std::thread::spawn(move || server.run().unwrap())),
        }
    }

    pub(crate) fn game(name: &str) -> Self {
        Self::new(Some(Path::new(name)))
    }

    /// Send a request as it is written here, and read the whole response.
    pub(crate) fn raw(&self, request: &str) -> Response {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        // A refusal may come before all of it was sent.
        let _ = stream.write_all(request.as_bytes());
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        let text = String::from_utf8(bytes).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head
            .split_whitespace()
            .nth(1)
            .and_then(|it| it.parse().ok());
        Response {
            status: status.unwrap_or(0),
            head: head.to_owned(),
            body: body.to_owned(),
        }
    }

    /// Send a request from a page of the server.
    pub(crate) fn send(&self, method: &str, path: &str, body: Option<&str>) -> Response {
        let port = self.port;
        let body_head = match body {
            Some(body) => format!(
                "Content-Type: application/json\r\nContent-Length: {}\r\n",
                body.len()
            ),
            None => String::new(),
        };
        self.raw(&format!(
            "{method} {}{path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n\
             Connection: close\r\n{body_head}\r\n{}",
            self.root,
            body.unwrap_or_default()
        ))
    }

    pub(crate) fn get(&self, path: &str) -> Response {
        self.send("GET", path, None)
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Response {
        self.send("POST", &format!("/api/{path}"), Some(&body.to_string()))
    }

    /// Hand over a text, and return what was read.
    pub(crate) fn hand_over(&self, text: &str) -> Value {
        let read = self.post("text", &json!({ "text": text, "window": "one" }));
        assert_eq!(read.status, 200, "{}", read.body);
        read.json()
    }

    /// Hand over the text that the server began with, and return its hash.
    pub(crate) fn begin(&self) -> String {
        let begin = self.get("/api/file").json();
        let read = self.hand_over(begin["text"].as_str().unwrap());
        read["game"].as_str().unwrap().to_owned()
    }

    /// Ask about a text, and return the answer.
    pub(crate) fn ask(&self, path: &str, game: &str, question: Value) -> Value {
        let response = self.asked(path, game, question);
        assert_eq!(response.status, 200, "{path}: {}", response.body);
        let answer = response.json();
        assert_eq!(answer["game"], game, "{path}");
        answer
    }

    pub(crate) fn asked(&self, path: &str, game: &str, question: Value) -> Response {
        let Value::Object(mut question) = question else {
            panic!("a question is an object")
        };
        question.insert("game".to_owned(), game.into());
        self.post(path, &Value::Object(question))
    }

    /// The first piece of news.
    pub(crate) fn news(&self) -> Value {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let port = self.port;
        let request = format!(
            "GET {}/api/events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAccept: text/event-stream\r\n\r\n",
            self.root
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut text = String::new();
        let mut part = [0; 4096];
        loop {
            let n = stream.read(&mut part).unwrap();
            assert!(n > 0, "{text}");
            text.push_str(&String::from_utf8_lossy(&part[..n]));
            if let Some((_, data)) = text.split_once("data: ")
                && let Some((line, _)) = data.split_once('\n')
            {
                return serde_json::from_str(line).unwrap();
            }
        }
    }

    /// Wait until a piece of work has ended, and return where it stands.
    pub(crate) fn wait_for(&self, job: &Value) -> Value {
        let started = Instant::now();
        loop {
            let news = self.news();
            let jobs = news["jobs"].as_array().unwrap().clone();
            let found = jobs.into_iter().find(|it| it["id"] == *job);
            match found {
                Some(found) if found["status"] != "running" => return found,
                _ => assert!(started.elapsed() < PATIENCE, "{news}"),
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Look for redundant words, and wait until they are known.
    pub(crate) fn analyze(&self, game: &str, length: usize) -> Value {
        let question = json!({ "window": "one", "length": length, "seconds": 60 });
        let begun = self.ask("analyze", game, question);
        self.result_of(&begun)
    }

    /// Ask whether a word is redundant, and wait for the answer.
    pub(crate) fn explain(&self, game: &str, word: &Value) -> Value {
        let begun = self.ask("explain", game, json!({ "window": "one", "word": word }));
        self.result_of(&begun)["explained"].clone()
    }

    /// The result of work that has begun.
    fn result_of(&self, begun: &Value) -> Value {
        let id = &begun["job"]["id"];
        let ended = self.wait_for(id);
        assert_eq!(ended["status"], "done", "{ended}");
        self.get(&format!("/api/jobs/{id}")).json()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.end.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let ended = thread.join();
            assert!(ended.is_ok() || std::thread::panicking());
        }
    }
}
