//! A page is well-formed and needs no other files.

use report::{Report, html};
use roxmltree::Node;

use crate::results::results;
use crate::xml::parse;

#[test]
fn a_page_needs_no_other_file() {
    let page = html(&Report::new(&[results()]));
    let document = parse(&page);
    for node in document.descendants().filter(Node::is_element) {
        let name = node.tag_name().name();
        assert!(
            !["link", "img", "iframe", "object"].contains(&name),
            "{name}"
        );
        for attribute in node.attributes() {
            assert!(!attribute.name().starts_with("on") && attribute.name() != "src");
            if attribute.name() == "href" {
                // Links lead to places in the page.
                let id = attribute.value().strip_prefix('#').unwrap();
                assert!(
                    document
                        .descendants()
                        .any(|other| other.attribute("id") == Some(id)),
                    "{id}"
                );
            }
        }
    }
    // The script loads nothing.
    let is_script = |node: &Node<'_, '_>| node.tag_name().name() == "script";
    let scripts: Vec<&str> = document
        .descendants()
        .filter(is_script)
        .filter_map(|node| node.text())
        .collect();
    assert_eq!(scripts.len(), 1);
    // The script's only image is that of a plot, made from its text.
    const OF_A_PLOT: [&str; 3] = [
        "var picture = new Image();",
        "picture.src = svgText(plot, true);",
        "brush.drawImage(picture, 0, 0, canvas.width, canvas.height);",
    ];
    let code = || {
        let lines = scripts[0].lines().map(str::trim);
        lines.filter(|line| !line.starts_with("//"))
    };
    for line in OF_A_PLOT {
        assert_eq!(code().filter(|other| *other == line).count(), 1, "{line}");
    }
    assert!(scripts[0].contains("return 'data:image/svg+xml;"));
    for word in [
        "fetch", "XMLHttp", "import", "Image", "src", "//", "eval", "cookie",
    ] {
        let lines = || code().filter(|line| !OF_A_PLOT.contains(line));
        assert!(!lines().any(|line| line.contains(word)), "{word}");
    }
    for needed in [
        "prefers-color-scheme:dark",
        "@media print",
        "<!DOCTYPE html>",
    ] {
        assert!(page.contains(needed), "{needed}");
    }
    assert!(!page.contains("url(") && !page.contains("@import") && !page.contains("http:"));
    assert!(page.contains("Pruning &lt;in&gt; &quot;two&quot; puzzles &amp; more"));
    assert!(page.contains("a &lt;reason&gt;"));
    let svgs = document
        .descendants()
        .filter(|node| node.tag_name().name() == "svg");
    // One in front; two of steps, two each of depth and bound, two of costs, one scatter plot, four
    // of finished instances.
    assert_eq!(svgs.count(), 1 + 2 + 4 + 2 + 1 + 4);
    // Every table and every plot has a caption.
    for plot in document
        .descendants()
        .filter(|node| node.tag_name().name() == "figure")
    {
        let caption = plot
            .children()
            .find(|node| node.tag_name().name() == "figcaption")
            .unwrap();
        assert!(caption.text().unwrap().len() > 20);
    }
}

/// The table of domains by methods, the findings and the plot of all instances stand before the
/// contents; and all of the specification is on the page.
#[test]
fn a_page_begins_with_what_came_out() {
    let page = html(&Report::new(&[results()]));
    let place = |what: &str| {
        let place = page.find(what);
        place.unwrap_or_else(|| panic!("no {what}"))
    };
    let order = [
        "<h1>",
        "Instances finished, and their time</h2>",
        "shade\" ",
        "<ul class=\"findings\">",
        "<strong>Instances finished over time</strong>",
        "<nav",
        "A test of reports.",
        "Nodes and time by method</h2>",
    ];
    let places: Vec<usize> = order.into_iter().map(place).collect();
    assert!(places.is_sorted(), "{places:?}");
    assert!(page.contains("role=\"region\" aria-label=\"experiment.toml\">title = "));
    assert!(!page.contains("<details"));
}
