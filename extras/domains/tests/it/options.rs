//! Costs, and the comments that declare layouts.

use domains::{generate_reference, list};

fn text(reference: &str) -> String {
    generate_reference(reference).expect("a valid reference")
}

/// The costs of the rules, in order.
fn costs(reference: &str) -> Vec<u32> {
    let text = text(reference);
    let rules = text.lines().filter(|line| line.contains(" => "));
    let cost = |line: &str| {
        let cost = line.split_once(" COST ").map_or("1", |(_, cost)| cost);
        cost.parse().expect("a number")
    };
    rules.map(cost).collect()
}

#[test]
fn costs_follow_the_options() {
    assert_eq!(costs("topspin:5:3"), [1; 5]);
    assert_eq!(costs("topspin:5:3:cost=place"), [1, 2, 3, 4, 5]);
    assert_eq!(costs("topspin:5:3:basic:cost=place"), [1, 2, 3, 4, 5]);
    assert_eq!(costs("hanoi:3:2"), [1; 12]);
    let by_disk = [[1; 6], [2; 6]].concat();
    assert_eq!(costs("hanoi:3:2:cost=disk"), by_disk);
    let wrong = generate_reference("topspin:5:3:cost=size");
    assert!(wrong.is_err_and(|error| error.to_string().contains("one of unit, place")));
}

/// The number behind a word of a line.
fn number(line: &str, word: &str) -> Option<usize> {
    let mut words = line.split(' ').skip_while(|other| *other != word);
    words.nth(1)?.parse().ok()
}

/// Each layout has as many places as its board, and names each variable of the game at most once.
#[test]
fn layouts_fit_their_games() {
    let examples = list().iter().map(|info| info.example.replace(' ', ":"));
    let further = [
        "pyraminx:tips",
        "rubik:2",
        "rubik:3",
        "lights-out:2:3:encoding=bits",
        "sokoban",
        "map:#..#/.G",
    ];
    let mut n_layouts = 0;
    for reference in examples.chain(further.iter().map(|name| (*name).to_owned())) {
        let text = text(&reference);
        let lines = text.lines();
        let lines: Vec<&str> = lines
            .filter_map(|line| line.strip_prefix("# layout: "))
            .collect();
        let Some(first) = lines.first() else {
            continue;
        };
        n_layouts += 1;
        let places: Vec<&str> = lines
            .iter()
            .filter_map(|line| line.strip_prefix("places "))
            .flat_map(|places| places.split(' '))
            .collect();
        let n_variables = text.lines().find_map(|line| line.parse::<usize>().ok());
        let n_variables = n_variables.expect("the number of variables");
        if let Some(towers) = lines.iter().find_map(|it| it.strip_prefix("towers ")) {
            let numbers = towers.split([' ', '=']).map(str::parse::<usize>);
            let is_variable = |n: usize| (1..=n_variables).contains(&n);
            let mut numbers = numbers.map(|n| n.expect("a number"));
            assert!(numbers.all(is_variable), "{reference}");
            continue;
        }
        if first.split(' ').any(|word| word == "open") {
            continue;
        }
        let [rows, columns] = ["rows", "columns"].map(|word| number(first, word));
        let n_places = rows.expect("rows") * columns.expect("columns");
        if places.is_empty() {
            assert!(n_places <= n_variables, "{reference}");
            continue;
        }
        assert_eq!(places.len(), n_places, "{reference}");
        let numbers = places.iter().filter_map(|place| {
            let digits = place.strip_suffix('!').unwrap_or(place);
            digits.parse::<usize>().ok()
        });
        let mut numbers: Vec<usize> = numbers.collect();
        let n_numbers = numbers.len();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), n_numbers, "{reference}");
        assert!(numbers.iter().all(|it| (1..=n_variables).contains(it)));
        // Stickers are all of the game.
        if reference.starts_with("pyraminx") || reference.starts_with("rubik") {
            assert_eq!(n_numbers, n_variables, "{reference}");
        }
    }
    // A generator without a layout would be missing here.
    assert_eq!(n_layouts, list().len() + further.len());
}

/// Places beside each other on the unfolded tetrahedron can move together: both stickers of each
/// edge piece touch.
#[test]
fn edges_of_the_pyraminx_touch() {
    let text = text("pyraminx");
    let rows = text
        .lines()
        .filter_map(|line| line.strip_prefix("# layout: places "));
    let rows: Vec<Vec<usize>> = rows
        .map(|row| {
            row.split(' ')
                .map(|place| place.parse().unwrap_or(0))
                .collect()
        })
        .collect();
    // The names of the pieces of the four faces, behind `# `.
    let names: Vec<&str> = text
        .lines()
        .filter_map(|line| line.split_once("solved color")?.1.split_once(": "))
        .flat_map(|(_, names)| names.split(' '))
        .collect();
    assert_eq!(names.len(), 24);
    let touching = |one: usize, other: usize| {
        let place = |number: usize| {
            let mut places = (0..6).flat_map(|row| (0..11).map(move |column| (row, column)));
            places.find(|(row, column)| rows[*row][*column] == number)
        };
        let (one, other) = (place(one).expect("a place"), place(other).expect("a place"));
        one.0.abs_diff(other.0) + one.1.abs_diff(other.1) == 1
    };
    // The three edges of the front face touch the faces that are folded down there.
    for edge in ["UL", "UR", "LR"] {
        let stickers: Vec<usize> = (0..24)
            .filter(|i| names[*i] == edge)
            .map(|i| i + 1)
            .collect();
        assert_eq!(stickers.len(), 2, "{edge}");
        assert!(touching(stickers[0], stickers[1]), "{edge}");
    }
}
