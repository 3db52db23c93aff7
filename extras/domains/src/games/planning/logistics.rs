//! Logistics: trucks carry packages within cities, airplanes between them.

use crate::arguments::Arguments;
use crate::error::GenerateError;
use crate::info::DomainInfo;
use crate::psvn::{Game, Rule};

pub(crate) const INFO: DomainInfo = DomainInfo {
    name: "logistics",
    usage: "logistics CITIES LOCATIONS PACKAGES [AIRPLANES]",
    summary: "packages by truck within cities of LOCATIONS places each, and by airplane between them",
    options: &[],
    example: "logistics 2 2 3",
    build,
};

/// The size of a world. Each city has one truck; its first location is the airport.
struct World {
    n_cities: usize,
    n_locations: usize,
    n_packages: usize,
    n_airplanes: usize,
}

impl World {
    /// The variable of an airplane.
    fn airplane(&self, airplane: usize) -> usize {
        self.n_cities + airplane
    }

    /// The variable of a package.
    fn package(&self, package: usize) -> usize {
        self.n_cities + self.n_airplanes + package
    }

    /// The layout: a row for each location, with the truck, the airplanes and the packages that are
    /// there, and a row for each vehicle, with the packages in it.
    fn rows(&self) -> Vec<Vec<String>> {
        let packages = |at: &str| -> Vec<String> {
            let packages = 0..self.n_packages;
            packages
                .map(|n| format!("{}@{at}={}", self.package(n) + 1, n + 1))
                .collect()
        };
        let mut rows = Vec::new();
        for (city, location) in (0..self.n_cities)
            .flat_map(|city| (0..self.n_locations).map(move |location| (city, location)))
        {
            let name = place(city, location);
            let mut row = vec![name.clone()];
            row.push(match self.n_locations {
                1 => "-".to_owned(),
                _ => format!("{}@{name}=T", city + 1),
            });
            let airplanes = 0..self.n_airplanes;
            row.extend(airplanes.map(|n| format!("{}@{name}=P", self.airplane(n) + 1)));
            row.extend(packages(&name));
            rows.push(row);
        }
        let trucks = (0..self.n_cities).filter(|_| self.n_locations > 1);
        let trucks = trucks.map(|city| (truck(city), format!("T{}", city + 1)));
        let airplanes = (0..self.n_airplanes).map(|n| (plane(n), format!("P{}", n + 1)));
        for (vehicle, name) in trucks.chain(airplanes) {
            let mut row = vec![name];
            row.resize(2 + self.n_airplanes, "-".to_owned());
            row.extend(packages(&vehicle));
            rows.push(row);
        }
        rows
    }

    /// The pairs of different numbers below `n`.
    fn pairs(n: usize) -> impl Iterator<Item = (usize, usize)> {
        let others = move |from| {
            (0..n)
                .filter(move |to| *to != from)
                .map(move |to| (from, to))
        };
        (0..n).flat_map(others)
    }
}

fn place(city: usize, location: usize) -> String {
    format!("c{}l{}", city + 1, location + 1)
}

fn truck(city: usize) -> String {
    format!("truck{}", city + 1)
}

fn plane(airplane: usize) -> String {
    format!("plane{}", airplane + 1)
}

/// Rules: drive and fly, by vehicle; then load and unload, by package, trucks before airplanes.
fn build(args: &mut Arguments<'_>) -> Result<Game, GenerateError> {
    let n_cities = args.number("CITIES", 1..=500)?;
    let n_locations = args.number("LOCATIONS", 1..=500)?;
    let n_packages = args.number("PACKAGES", 1..=5_000)?;
    let n_airplanes = args.optional_position("AIRPLANES", 1..=500)?.unwrap_or(1);
    args.finish()?;
    if n_cities * n_locations < 2 {
        return Err(args.invalid("LOCATIONS", n_locations, "at least 2 locations in all"));
    }
    let world = World {
        n_cities,
        n_locations,
        n_packages,
        n_airplanes: if n_cities > 1 { n_airplanes } else { 0 },
    };
    let n_drives = n_cities * n_locations * (n_locations - 1);
    let n_flights = world.n_airplanes * n_cities * (n_cities - 1);
    let n_loads = n_packages * 2 * n_cities * (n_locations + world.n_airplanes);
    let n_variables = world.package(n_packages);
    args.check_size(n_variables, n_drives + n_flights + n_loads)?;

    let mut game = Game::new(about(&world));
    let rows = world.rows();
    let n_columns = rows.first().map_or(0, Vec::len);
    game.board(rows.len(), n_columns, "", rows);
    declare(&mut game, &world);
    add_moves(&mut game, &world);
    for package in 0..n_packages {
        add_loads(&mut game, &world, package);
    }
    let home = (0..n_packages).map(|package| {
        let city = package % n_cities;
        place(city, package / n_cities % n_locations)
    });
    let anywhere = std::iter::repeat_n("-".to_owned(), n_cities + world.n_airplanes);
    game.goal(
        anywhere.chain(home),
        "Each package at its address, vehicles anywhere.",
    );
    Ok(game)
}

/// Declare the domains. In a city with one location, the truck has nowhere to go: its domain is
/// `1`, in which PSVN has the one value 0.
fn declare(game: &mut Game, world: &World) {
    let cities = 0..world.n_cities;
    let locations = |city| (0..world.n_locations).map(move |location| place(city, location));
    if world.n_locations > 1 {
        for city in cities.clone() {
            game.domain(&format!("city{}", city + 1), locations(city));
        }
    }
    if world.n_airplanes > 0 {
        game.domain("airport", cities.clone().map(|city| place(city, 0)));
    }
    let places = cities.clone().flat_map(locations);
    let vehicles = cities.clone().filter(|_| world.n_locations > 1).map(truck);
    let airplanes = (0..world.n_airplanes).map(plane);
    game.domain("package", places.chain(vehicles).chain(airplanes));
    let trucks = cities.map(|city| match world.n_locations {
        1 => "1".to_owned(),
        _ => format!("city{}", city + 1),
    });
    game.variables(trucks, "where the trucks are");
    if world.n_airplanes > 0 {
        game.variables(
            vec!["airport"; world.n_airplanes],
            "where the airplanes are",
        );
    }
    game.variables(vec!["package"; world.n_packages], "where the packages are");
}

fn add_moves(game: &mut Game, world: &World) {
    for city in 0..world.n_cities {
        for (from, to) in World::pairs(world.n_locations) {
            let rule = Rule::new(format!("drive-{}-{}", place(city, from), place(city, to)));
            game.rule(rule.change(city, place(city, from), place(city, to)));
        }
    }
    for airplane in 0..world.n_airplanes {
        for (from, to) in World::pairs(world.n_cities) {
            let (from, to) = (place(from, 0), place(to, 0));
            let rule = Rule::new(format!("fly-{}-{from}-{to}", airplane + 1));
            game.rule(rule.change(world.airplane(airplane), from, to));
        }
    }
}

fn add_loads(game: &mut Game, world: &World, package: usize) {
    let mut add = |vehicle: usize, name: &str, at: &str| {
        let label = |action: &str| format!("{action}-{}-{name}-{at}", package + 1);
        let variable = world.package(package);
        let load = Rule::new(label("load")).test(vehicle, at);
        game.rule(load.change(variable, at, name));
        let unload = Rule::new(label("unload")).test(vehicle, at);
        game.rule(unload.change(variable, name, at));
    };
    for city in (0..world.n_cities).filter(|_| world.n_locations > 1) {
        for location in 0..world.n_locations {
            add(city, &truck(city), &place(city, location));
        }
    }
    for airplane in 0..world.n_airplanes {
        for city in 0..world.n_cities {
            add(world.airplane(airplane), &plane(airplane), &place(city, 0));
        }
    }
}

fn about(world: &World) -> [String; 4] {
    let World {
        n_cities,
        n_locations,
        n_packages,
        n_airplanes,
    } = *world;
    [
        format!("Logistics with {n_packages} packages, {n_cities} cities and {n_airplanes} airplanes"),
        format!(
            "Each city has {n_locations} locations and a truck that drives between them. Airplanes fly between\n\
             the airports, the first locations of the cities. Vehicles carry any number of packages. The\n\
             goal is each package at its address."
        ),
        "Encoding: the location of each truck and each airplane, then that of each package, or the\n\
         vehicle that it is in. `c2l1` is the first location, and the airport, of the second city. As a\n\
         board: a row for each location, with truck T, airplanes P and packages, and a row for what each\n\
         vehicle carries."
            .to_owned(),
        "Source: the logistics domain of the first planning competition (1998).".to_owned(),
    ]
}
