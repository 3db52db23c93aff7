//! Places in a text as JavaScript counts them, in units of UTF-16.

/// Converts places of one text.
pub(super) struct Offsets<'t> {
    text: &'t str,
    /// For each character that isn't ASCII: where it ends, in bytes and in units of UTF-16.
    wide: Vec<(usize, usize)>,
}

impl<'t> Offsets<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        let mut wide = Vec::new();
        let mut surplus = 0;
        for (at, c) in text.char_indices().filter(|(_, c)| !c.is_ascii()) {
            let end = at + c.len_utf8();
            surplus += c.len_utf8() - c.len_utf16();
            wide.push((end, end - surplus));
        }
        Self { text, wide }
    }

    /// Return the place in units of UTF-16 of one in bytes.
    pub(super) fn units(&self, byte: usize) -> usize {
        let byte = byte.min(self.text.len());
        match self.wide.partition_point(|(end, _)| *end <= byte) {
            0 => byte,
            n => self.wide[n - 1].1 + (byte - self.wide[n - 1].0),
        }
    }

    /// Return the place in bytes of one in units of UTF-16.
    pub(super) fn byte(&self, unit: usize) -> usize {
        let byte = match self.wide.partition_point(|(_, end)| *end <= unit) {
            0 => unit,
            n => self.wide[n - 1].0 + (unit - self.wide[n - 1].1),
        };
        self.text.floor_char_boundary(byte.min(self.text.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_converted_both_ways() {
        for text in ["", "abc", "aäb", "\u{1f600}x\u{1f600}", "ä\n€ \u{1f600}é"] {
            let offsets = Offsets::of(text);
            let boundaries = text.char_indices().map(|(at, _)| at).chain([text.len()]);
            for byte in boundaries {
                let unit = text[..byte].encode_utf16().count();
                assert_eq!(offsets.units(byte), unit, "{text:?} {byte}");
                assert_eq!(offsets.byte(unit), byte, "{text:?} {unit}");
            }
            assert_eq!(offsets.byte(1000), text.len());
        }
    }
}
