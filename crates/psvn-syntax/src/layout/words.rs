//! The words of a file, with indexes for fast queries.

use std::ops::Range;

use crate::Span;
use crate::layout::token::Run;
use crate::text::keyword::Keyword;
use crate::text::lexer::Lexeme;

/// Words and arrows of a file. Places are indexes into the sequence; the place one behind the last
/// word is valid.
pub(super) struct Words<'source> {
    source: &'source str,
    lexemes: Vec<Lexeme>,
    /// The places of `=>`.
    arrows: Vec<usize>,
    /// The places of the first words of lines.
    line_starts: Vec<usize>,
    /// Those of `line_starts` at a keyword that begins a construct.
    keyword_starts: Vec<usize>,
}

impl<'source> Words<'source> {
    pub(super) fn new(source: &'source str, lexemes: Vec<Lexeme>) -> Self {
        let mut words = Self {
            source,
            arrows: places(&lexemes, |lexeme| lexeme.is_arrow),
            line_starts: places(&lexemes, |lexeme| lexeme.is_first),
            keyword_starts: Vec::new(),
            lexemes,
        };
        let begins = [Keyword::Goal, Keyword::Abstraction, Keyword::Domain];
        words.keyword_starts = (words.line_starts.iter().copied())
            .filter(|at| begins.iter().any(|keyword| words.is(*at, *keyword)))
            .collect();
        words
    }

    /// The number of words.
    pub(super) fn len(&self) -> usize {
        self.lexemes.len()
    }

    /// Consecutive words. Of an empty range, and behind the last word, none.
    pub(super) fn run(&self, range: Range<usize>) -> Run<'_> {
        Run {
            source: self.source,
            lexemes: self.lexemes.get(range).unwrap_or_default(),
        }
    }

    /// The text of a word; empty behind the last one.
    pub(super) fn text(&self, at: usize) -> &'source str {
        self.lexemes.get(at).map_or("", |lexeme| {
            let Span { start, end } = lexeme.span();
            &self.source[start..end]
        })
    }

    /// The place of a word in the text; behind the last word, the end of that word.
    pub(super) fn span(&self, at: usize) -> Span {
        match (self.lexemes.get(at), self.lexemes.last()) {
            (Some(lexeme), _) => lexeme.span(),
            (None, Some(last)) => Span::new(last.span().end, last.span().end),
            (None, None) => Span::new(0, 0),
        }
    }

    /// The text covered by the words `from..to`; if there are none, the end of the word before.
    pub(super) fn span_of(&self, from: usize, to: usize) -> Span {
        if from < to {
            self.span(from).to(self.span(to - 1))
        } else {
            let end = from
                .checked_sub(1)
                .map_or(0, |before| self.span(before).end);
            Span::new(end, end)
        }
    }

    /// Whether a word is the given keyword; false for an arrow and the end.
    pub(super) fn is(&self, at: usize, keyword: Keyword) -> bool {
        keyword.matches(self.text(at))
    }

    /// Whether a word is an arrow.
    pub(super) fn is_arrow(&self, at: usize) -> bool {
        self.lexemes.get(at).is_some_and(|lexeme| lexeme.is_arrow)
    }

    /// Whether a word is the first on its line; true for the end.
    pub(super) fn is_first(&self, at: usize) -> bool {
        self.lexemes.get(at).is_none_or(|lexeme| lexeme.is_first)
    }

    /// The first arrow at or behind a place.
    pub(super) fn arrow_from(&self, at: usize) -> Option<usize> {
        self.arrows
            .get(self.arrows.partition_point(|arrow| *arrow < at))
            .copied()
    }

    /// Whether all of `from..to` exists and holds no arrow.
    pub(super) fn is_plain(&self, from: usize, to: usize) -> bool {
        to <= self.len() && self.arrow_from(from).is_none_or(|arrow| arrow >= to)
    }

    /// The first word of the next line.
    pub(super) fn next_line(&self, at: usize) -> usize {
        let next = self.line_starts.partition_point(|start| *start <= at);
        self.line_starts.get(next).copied().unwrap_or(self.len())
    }

    /// The first word of the line of a word.
    pub(super) fn line_of(&self, at: usize) -> usize {
        let next = self.line_starts.partition_point(|start| *start <= at);
        next.checked_sub(1).map_or(0, |line| self.line_starts[line])
    }

    /// The lines that begin behind a place, in order.
    pub(super) fn lines_after(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        let next = self.line_starts.partition_point(|start| *start <= at);
        self.line_starts[next..].iter().copied()
    }

    /// The next line behind a place that begins with `GOAL`, `abstraction` or `DOMAIN`.
    pub(super) fn next_keyword_line(&self, at: usize) -> usize {
        let next = self.keyword_starts.partition_point(|start| *start <= at);
        self.keyword_starts.get(next).copied().unwrap_or(self.len())
    }

    /// The line behind `after`, up to the one of `arrow`, from which the number of words to `arrow`
    /// comes closest to `wanted`; the later of two equally close ones.
    pub(super) fn best_line(&self, after: usize, arrow: usize, wanted: usize) -> Option<usize> {
        let target = arrow.saturating_sub(wanted);
        let next = self.line_starts.partition_point(|start| *start <= target);
        let before = next.checked_sub(1).map(|line| self.line_starts[line]);
        let behind = self.line_starts.get(next).copied();
        let allowed = |start: &usize| *start > after && *start <= arrow;
        let distance = |start: usize| start.abs_diff(target);
        match (before.filter(allowed), behind.filter(allowed)) {
            (Some(one), Some(other)) if distance(one) < distance(other) => Some(one),
            (one, other) => other.or(one),
        }
    }
}

fn places(lexemes: &[Lexeme], wanted: impl Fn(&Lexeme) -> bool) -> Vec<usize> {
    let found = lexemes
        .iter()
        .enumerate()
        .filter(|(_, lexeme)| wanted(lexeme));
    found.map(|(place, _)| place).collect()
}
