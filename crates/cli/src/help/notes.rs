//! The notes of a command: paragraphs and blocks, the examples among them.

/// A part of the notes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Block {
    /// A line that ends in a colon, followed by a block.
    Head(String),
    /// Sentences, which are wrapped to the terminal.
    Paragraph(String),
    /// Indented lines, which are not wrapped.
    Lines(Vec<String>),
    /// An empty line.
    Gap,
}

/// Read notes. The lines of a paragraph become one, since line breaks in the source mean nothing.
pub(crate) fn blocks(text: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let is_before_block = lines.peek().is_some_and(|next| next.starts_with(' '));
        let block = match blocks.last_mut() {
            _ if line.is_empty() => Block::Gap,
            Some(Block::Lines(lines)) if line.starts_with(' ') => {
                lines.push(line.to_owned());
                continue;
            }
            _ if line.starts_with(' ') => Block::Lines(vec![line.to_owned()]),
            Some(Block::Paragraph(text)) => {
                text.push(' ');
                text.push_str(line);
                continue;
            }
            _ if line.ends_with(':') && is_before_block && line.len() < 40 => {
                Block::Head(line.to_owned())
            }
            _ => Block::Paragraph(line.to_owned()),
        };
        blocks.push(block);
    }
    blocks
}

/// The notes of a command, with the examples apart.
pub(super) struct Notes {
    examples: Vec<String>,
    rest: Vec<Block>,
}

impl Notes {
    pub(super) fn read(text: &str) -> Self {
        let mut rest = blocks(text);
        let is_head = |block: &Block| matches!(block, Block::Head(head) if head == "Examples:" || head == "Example:");
        let mut examples = Vec::new();
        if let Some(place) = rest.iter().position(is_head)
            && let Some(Block::Lines(lines)) = rest.get(place + 1)
        {
            examples = lines.clone();
            rest.drain(place..place + 2);
        }
        Self { examples, rest }
    }

    /// The first examples under their head; nothing where there are none.
    pub(super) fn examples(&self, most: usize) -> String {
        if self.examples.is_empty() {
            return String::new();
        }
        let mut text = "Examples:".to_owned();
        let mut n_begun = 0;
        let mut goes_on = false;
        for line in &self.examples {
            n_begun += usize::from(!goes_on);
            if n_begun > most {
                break;
            }
            goes_on = line.ends_with('\\');
            text.push('\n');
            text.push_str(line);
        }
        text
    }

    /// All but the examples, a paragraph a line.
    pub(super) fn rest(&self) -> String {
        let mut text = String::new();
        for block in &self.rest {
            match block {
                Block::Head(line) | Block::Paragraph(line) => text.push_str(line),
                Block::Lines(lines) => text.push_str(&lines.join("\n")),
                Block::Gap => {}
            }
            text.push('\n');
        }
        // Where examples were between paragraphs, two gaps remain.
        while let Some(place) = text.find("\n\n\n") {
            text.remove(place);
        }
        text.trim_matches('\n').to_owned()
    }
}
