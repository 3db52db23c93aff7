//! Tasks about carrying things, and about observing targets.

use super::builder::{Builder, Random};
use crate::sas::Task;

/// Return the task of a robot with two hands that carries `n` balls to another room.
pub fn gripper(n: usize) -> Task {
    let mut builder = Builder::default();
    let rooms = ["rooma", "roomb"];
    let hands = ["left", "right"];
    let facts = rooms.map(|room| format!("Atom at-robby({room})"));
    let robot = builder.variable(facts.to_vec(), 0);
    let free = hands.map(|hand| builder.switch(&format!("free({hand})"), true));
    let balls: Vec<usize> = (0..n)
        .map(|ball| {
            let at = rooms
                .iter()
                .map(|room| format!("Atom at(ball{ball}, {room})"));
            let carried = hands
                .iter()
                .map(|hand| format!("Atom carry(ball{ball}, {hand})"));
            builder.variable(at.chain(carried).collect(), 0)
        })
        .collect();
    for (from, to) in [(0, 1), (1, 0)] {
        builder.operator(
            format!("move {} {}", rooms[from], rooms[to]),
            &[],
            &[(robot, Some(from), to)],
        );
    }
    for (number, ball) in balls.iter().enumerate() {
        for (room, room_name) in rooms.iter().enumerate() {
            for (hand, hand_name) in hands.iter().enumerate() {
                builder.operator(
                    format!("pick ball{number} {room_name} {hand_name}"),
                    &[(robot, room)],
                    &[(*ball, Some(room), 2 + hand), (free[hand], Some(0), 1)],
                );
                builder.operator(
                    format!("drop ball{number} {room_name} {hand_name}"),
                    &[(robot, room)],
                    &[(*ball, Some(2 + hand), room), (free[hand], None, 0)],
                );
            }
        }
        builder.goal(*ball, 1);
    }
    for (hand, free) in free.iter().enumerate() {
        builder.mutex(
            balls
                .iter()
                .map(|ball| (*ball, 2 + hand))
                .chain([(*free, 0)]),
        );
    }
    builder.task()
}

/// Return the task of delivering packages by a truck in each city and an airplane. A city has two
/// places, the first of which is its airport.
pub fn logistics(cities: usize, packages: usize, seed: u64) -> Task {
    let mut random = Random(seed);
    let mut builder = Builder::default();
    let n = 2 * cities;
    let name = |place: usize| format!("l{}-{}", place / 2, place % 2);
    let trucks: Vec<usize> = (0..cities)
        .map(|city| {
            let at = |place| format!("Atom at(t{city}, {})", name(place));
            builder.variable(vec![at(2 * city), at(2 * city + 1)], random.below(2))
        })
        .collect();
    let at = (0..cities).map(|city| format!("Atom at(plane, {})", name(2 * city)));
    let plane = builder.variable(at.collect(), random.below(cities));
    let items: Vec<usize> = (0..packages)
        .map(|item| {
            let at = (0..n).map(|place| format!("Atom at(p{item}, {})", name(place)));
            let inside = (0..cities).map(|city| format!("Atom in(p{item}, t{city})"));
            let facts = at.chain(inside).chain([format!("Atom in(p{item}, plane)")]);
            builder.variable(facts.collect(), random.below(n))
        })
        .collect();
    for (city, truck) in trucks.iter().enumerate() {
        for (from, to) in [(0, 1), (1, 0)] {
            let (a, b) = (name(2 * city + from), name(2 * city + to));
            builder.operator(
                format!("drive t{city} {a} {b}"),
                &[],
                &[(*truck, Some(from), to)],
            );
        }
    }
    for from in 0..cities {
        for to in (0..cities).filter(|to| *to != from) {
            let (a, b) = (name(2 * from), name(2 * to));
            builder.operator(
                format!("fly plane {a} {b}"),
                &[],
                &[(plane, Some(from), to)],
            );
        }
    }
    for (number, item) in items.iter().enumerate() {
        for place in 0..n {
            let at = name(place);
            let by_truck = (
                format!("t{}", place / 2),
                trucks[place / 2],
                place % 2,
                n + place / 2,
            );
            let by_plane = ("plane".to_owned(), plane, place / 2, n + cities);
            let carriers = [Some(by_truck), (place % 2 == 0).then_some(by_plane)];
            for (vehicle, variable, value, inside) in carriers.into_iter().flatten() {
                let here = [(variable, value)];
                let load = [(*item, Some(place), inside)];
                builder.operator(format!("load p{number} {vehicle} {at}"), &here, &load);
                let unload = [(*item, Some(inside), place)];
                builder.operator(format!("unload p{number} {vehicle} {at}"), &here, &unload);
            }
        }
        builder.goal(*item, random.below(n));
    }
    builder.task()
}

/// Return the task of imaging all targets by satellites. An instrument is switched on, calibrated
/// at the first target, and then takes images.
pub fn satellite(satellites: usize, targets: usize, seed: u64) -> Task {
    let mut random = Random(seed);
    let mut builder = Builder::default();
    let images: Vec<usize> = (0..targets)
        .map(|target| builder.switch(&format!("have-image(d{target})"), false))
        .collect();
    for it in 0..satellites {
        let facts = (0..targets).map(|target| format!("Atom pointing(s{it}, d{target})"));
        let pointing = builder.variable(facts.collect(), random.below(targets));
        let power = builder.switch(&format!("power-on(i{it})"), false);
        let calibrated = builder.switch(&format!("calibrated(i{it})"), false);
        for to in 0..targets {
            for from in (0..targets).filter(|from| *from != to) {
                let turn = [(pointing, Some(from), to)];
                builder.operator(format!("turn-to s{it} d{to} d{from}"), &[], &turn);
            }
        }
        let on = [(power, Some(1), 0), (calibrated, None, 1)];
        builder.operator(format!("switch-on i{it}"), &[], &on);
        builder.operator(format!("switch-off i{it}"), &[], &[(power, Some(0), 1)]);
        let ready = [(power, 0), (pointing, 0)];
        builder.operator(
            format!("calibrate i{it} d0"),
            &ready,
            &[(calibrated, None, 0)],
        );
        for (target, image) in images.iter().enumerate() {
            let ready = [(power, 0), (calibrated, 0), (pointing, target)];
            builder.operator(
                format!("take-image s{it} d{target}"),
                &ready,
                &[(*image, None, 0)],
            );
        }
    }
    for image in images {
        builder.goal(image, 0);
    }
    builder.task()
}
