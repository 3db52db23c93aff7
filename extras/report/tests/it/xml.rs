//! Reading pages and plots as XML.

use roxmltree::{Document, Node, ParsingOptions};

pub(crate) fn parse(xml: &str) -> Document<'_> {
    let options = ParsingOptions {
        allow_dtd: true,
        ..ParsingOptions::default()
    };
    Document::parse_with_options(xml, options).unwrap()
}

pub(crate) fn number(node: Node<'_, '_>, name: &str) -> f64 {
    node.attribute(name).unwrap().parse().unwrap()
}

pub(crate) fn of_class<'a, 'input>(
    document: &'a Document<'input>,
    class: &str,
) -> Vec<Node<'a, 'input>> {
    let all = document.descendants();
    all.filter(|node| {
        node.attribute("class")
            .is_some_and(|c| c.split(' ').any(|c| c == class))
    })
    .collect()
}
