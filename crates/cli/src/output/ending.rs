//! The form of an output file, by the ending of its name.

use std::path::Path;

use crate::failure::Failure;

/// The forms of pictures that Graphviz may also draw.
pub(crate) const SVG_OR_DOT: &[(&str, Picture)] = &[("svg", Picture::Svg), ("dot", Picture::Dot)];

/// The only form of pictures that move and of plots.
pub(crate) const SVG: &[(&str, Picture)] = &[("svg", Picture::Svg)];

/// The form of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Picture {
    Svg,
    /// The DOT language of Graphviz.
    Dot,
}

/// The form that the ending of a file asks for, among those that can be written; refuses all other
/// endings. Files without one, such as devices and pipes, get the first form.
pub(crate) fn form_of<T: Copy>(path: &Path, forms: &[(&str, T)]) -> Result<T, Failure> {
    let ending = path.extension();
    let is_it = |(known, _): &&(&str, T)| ending.is_none_or(|it| it.eq_ignore_ascii_case(known));
    let found = forms.iter().find(is_it);
    found.map(|(_, form)| *form).ok_or_else(|| {
        let endings: Vec<String> = forms.iter().map(|(it, _)| format!("`.{it}`")).collect();
        let endings = match endings.as_slice() {
            [only] => only.clone(),
            [front @ .., last] => format!("{} or {last}", front.join(", ")),
            [] => String::new(),
        };
        Failure::usage(format!(
            "`{}` can't be written in the form of its ending: this is written to files that end in \
             {endings}",
            path.display()
        ))
    })
}
