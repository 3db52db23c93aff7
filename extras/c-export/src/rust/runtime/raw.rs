
/// Write a state in raw form, which is that of programs in C on the same machine.
pub fn dump_state(file: &mut impl Write, state: &State) -> io::Result<()> {
    for value in state.vars {
        let number = value as u32;
        match VALUE_BYTES {
            1 => file.write_all(&(number as u8).to_ne_bytes())?,
            2 => file.write_all(&(number as u16).to_ne_bytes())?,
            _ => file.write_all(&number.to_ne_bytes())?,
        }
    }
    Ok(())
}

/// Read a state that [`dump_state`] wrote.
pub fn load_state(file: &mut impl Read) -> io::Result<State> {
    let mut vars = [0; NUM_VARIABLES];
    for (variable, value) in vars.iter_mut().enumerate() {
        let mut bytes = [0_u8; VALUE_BYTES];
        file.read_exact(&mut bytes)?;
        let number = match bytes[..] {
            [a] => u32::from(a),
            [a, b] => u32::from(u16::from_ne_bytes([a, b])),
            [a, b, c, d] => u32::from_ne_bytes([a, b, c, d]),
            _ => u32::MAX,
        };
        if number as usize >= DOMAIN_VALUES[DOMAIN_OF[variable]].len() {
            return Err(invalid("a state of another game"));
        }
        *value = number as Value;
    }
    Ok(State { vars })
}

fn invalid(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}
