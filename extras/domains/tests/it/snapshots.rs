//! Small instances of all games, whole.

fn text(reference: &str) -> String {
    format!(
        "gen:{reference}\n\n{}",
        domains::generate_reference(reference).expect("a valid reference")
    )
}

macro_rules! snapshots {
    ($($name:ident: $reference:literal,)*) => {
        $(
            #[test]
            fn $name() {
                insta::assert_snapshot!(text($reference));
            }
        )*
    };
}

snapshots! {
    arrow: "arrow:4",
    blocks: "blocks:3",
    ghi: "ghi",
    grid: "grid:3:4",
    gripper: "gripper:2",
    hanoi: "hanoi:3:3",
    pancake: "pancake:5",
    pancake_beyond_the_alphabet: "pancake:27",
    rubik_2: "rubik:2",
    rubik_2_fixed: "rubik:2:fixed",
    rubik_2_any_goal: "rubik:2:goal=any",
    rubik_3: "rubik:3",
    slide_jump: "slide-jump:2",
    slide_jump_one_way: "slide-jump:2:one-way",
    sliding_tiles: "sliding-tiles:3:3",
    sliding_tiles_by_position: "sliding-tiles:2:3:order=position:goal=blank-last",
    topspin: "topspin:7:4",
    topspin_basic: "topspin:6:3:basic",
    connect: "connect:3:3:3",
    nim: "nim:2:3",
    pawns: "pawns:3:3",
    tic_tac_toe: "tic-tac-toe",
    work_or_golf: "work-or-golf",
    edit_distance: "edit-distance:cat:cart",
    lights_out: "lights-out:2:2",
    lights_out_bits: "lights-out:1:2:encoding=bits",
    logistics: "logistics:2:2:1",
    map: "map:..#/.G.:diagonals",
    pancake_of_few_sizes: "pancake:4:sizes=2:cost=size",
    pyraminx: "pyraminx",
    sokoban: "sokoban:#######/#.@ $ #/#######:cost=pushes",
}
