//! Messages on streams: a header with the length, and JSON.
//!
//! `lsp-server` has the messages. Its own streams end at the first content that isn't JSON and take
//! memory for any length that a header claims; here, the first is answered and the second refused.

use std::io::{self, BufRead, Read, Write};

use lsp_server::{ErrorCode, Message};
use serde::de::IgnoredAny;

/// The most bytes of a line of a header, and of a content.
const LONGEST_LINE: u64 = 1 << 12;
const LONGEST_CONTENT: u64 = 1 << 28;

/// Why nothing more can be read from a client.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The stream failed.
    #[error("can't read from the client: {0}")]
    Stream(#[from] io::Error),
    /// A header is no header.
    #[error("the client sent `{0}` in place of a header such as `Content-Length: 2`")]
    Header(String),
    /// A header has no length.
    #[error("the client sent a header without `Content-Length`")]
    NoLength,
    /// A content is too long.
    #[error("the client sent {0} bytes at once, and the limit is {LONGEST_CONTENT}")]
    TooLong(u64),
    /// The stream ended within a message.
    #[error("the client's messages end within one of them")]
    CutOff,
}

/// What a client sent.
#[derive(Debug)]
pub(super) enum Incoming {
    /// A message.
    Message(Message),
    /// Something else, with the code and text of the answer.
    Wrong(ErrorCode, String),
}

impl Incoming {
    fn of(content: &[u8]) -> Self {
        match serde_json::from_slice(content) {
            Ok(message) => Self::Message(message),
            Err(error) => match serde_json::from_slice::<IgnoredAny>(content) {
                Ok(_) => Self::Wrong(
                    ErrorCode::InvalidRequest,
                    "this is neither a request nor a notification nor a response".to_owned(),
                ),
                Err(_) => Self::Wrong(ErrorCode::ParseError, error.to_string()),
            },
        }
    }
}

/// Read the next message; `None` at the end of the stream.
pub(super) fn read(input: &mut impl BufRead) -> Result<Option<Incoming>, ReadError> {
    let mut length = None;
    for number in 0.. {
        let mut line = Vec::new();
        input.take(LONGEST_LINE).read_until(b'\n', &mut line)?;
        if line.is_empty() && number == 0 {
            return Ok(None);
        }
        if !line.ends_with(b"\n") {
            return Err(match line.len() as u64 {
                LONGEST_LINE => ReadError::Header(shown(&line)),
                _ => ReadError::CutOff,
            });
        }
        let text = line.trim_ascii();
        if text.is_empty() {
            break;
        }
        let field = std::str::from_utf8(text)
            .ok()
            .and_then(|it| it.split_once(':'));
        let (name, value) = field.ok_or_else(|| ReadError::Header(shown(text)))?;
        if name.eq_ignore_ascii_case("Content-Length") {
            let value = value.trim().parse::<u64>();
            length = Some(value.map_err(|_| ReadError::Header(shown(text)))?);
        }
    }
    let length = length.ok_or(ReadError::NoLength)?;
    if length > LONGEST_CONTENT {
        return Err(ReadError::TooLong(length));
    }
    let mut content = Vec::new();
    input.take(length).read_to_end(&mut content)?;
    if (content.len() as u64) < length {
        return Err(ReadError::CutOff);
    }
    Ok(Some(Incoming::of(&content)))
}

/// The beginning of what isn't a header.
fn shown(line: &[u8]) -> String {
    let line = &line[..line.len().min(60)];
    String::from_utf8_lossy(line)
        .trim_end()
        .escape_debug()
        .to_string()
}

/// Answer to what has no id that could be read.
pub(super) fn write_refusal(
    output: &mut impl Write,
    code: ErrorCode,
    message: &str,
) -> io::Result<()> {
    let answer = serde_json::json!({
        "jsonrpc": "2.0",
        "id": null,
        "error": { "code": code as i32, "message": message },
    });
    let answer = answer.to_string();
    write!(output, "Content-Length: {}\r\n\r\n{answer}", answer.len())?;
    output.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(mut text: &[u8]) -> Result<Vec<Incoming>, ReadError> {
        let mut found = Vec::new();
        while let Some(incoming) = read(&mut text)? {
            found.push(incoming);
        }
        Ok(found)
    }

    #[test]
    fn messages_are_read_and_others_are_named() {
        let text = b"content-length: 16\r\nContent-Type: x\r\n\r\n{\"method\":\"exit\"}";
        assert!(matches!(
            all(text),
            Err(ReadError::Header(_)) | Err(ReadError::CutOff)
        ));
        let text = b"content-length: 17\r\nContent-Type: x\r\n\r\n{\"method\":\"exit\"}";
        let found = all(text).expect("a message");
        assert!(
            matches!(&found[..], [Incoming::Message(Message::Notification(it))] if it.method == "exit")
        );
        let found =
            all(b"Content-Length: 2\n\n{]Content-Length: 2\r\n\r\n[]").expect("two contents");
        assert!(matches!(
            &found[..],
            [
                Incoming::Wrong(ErrorCode::ParseError, _),
                Incoming::Wrong(ErrorCode::InvalidRequest, _)
            ]
        ));
    }

    #[test]
    fn what_is_no_message_ends_the_reading() {
        assert!(matches!(all(b"hello\n"), Err(ReadError::Header(it)) if it == "hello"));
        assert!(matches!(all(b"\r\n"), Err(ReadError::NoLength)));
        assert!(matches!(
            all(b"Content-Length: 5\r\n\r\n{}"),
            Err(ReadError::CutOff)
        ));
        assert!(matches!(all(b"Content-Le"), Err(ReadError::CutOff)));
        let long = b"Content-Length: 18446744073709551615\r\n\r\n";
        assert!(matches!(all(long), Err(ReadError::TooLong(_))));
        assert!(matches!(all(&[b'x'; 1 << 13]), Err(ReadError::Header(_))));
        assert!(all(b"").expect("nothing").is_empty());
    }
}
