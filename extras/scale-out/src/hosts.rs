//! Files with the addresses of a cluster's processes.

/// The error in a line of a file of hosts.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct HostsError {
    /// The number of the line, from 1.
    pub line: usize,
    /// The problem.
    pub problem: String,
}

/// Parse the addresses in a file of hosts: one on each line, as `host:port`, in the order of the
/// processes. Blank lines and text after a `#` are ignored.
///
/// ```
/// let text = "# two machines\nnode1:7101\nnode2:7101  # the slow one\n";
/// assert_eq!(scale_out::parse_hosts(text)?, ["node1:7101", "node2:7101"]);
/// assert_eq!(scale_out::parse_hosts("node1").unwrap_err().line, 1);
/// # Ok::<(), scale_out::HostsError>(())
/// ```
///
/// # Errors
/// If a line isn't an address, or two lines have the same one.
pub fn parse_hosts(text: &str) -> Result<Vec<String>, HostsError> {
    let mut hosts: Vec<String> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let wrong = |problem: &str| HostsError {
            line: index + 1,
            problem: problem.to_owned(),
        };
        let address = line.split('#').next().unwrap_or_default().trim();
        if address.is_empty() {
            continue;
        }
        let Some((host, port)) = address.rsplit_once(':') else {
            return Err(wrong("a port is missing, as in `node1:7101`"));
        };
        if host.is_empty() || host.contains(char::is_whitespace) {
            return Err(wrong("this isn't an address, such as `node1:7101`"));
        }
        if !port.parse::<u16>().is_ok_and(|port| port > 0) {
            return Err(wrong("the port isn't a number from 1 to 65535"));
        }
        if hosts.iter().any(|host| host == address) {
            return Err(wrong("this address is listed twice"));
        }
        hosts.push(address.to_owned());
    }
    if hosts.is_empty() {
        return Err(HostsError {
            line: 1,
            problem: "there is no address".to_owned(),
        });
    }
    Ok(hosts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        let wrong = |text| parse_hosts(text).expect_err("a mistake").to_string();
        assert_eq!(
            wrong("a:1\n\nb\n"),
            "line 3: a port is missing, as in `node1:7101`"
        );
        assert!(wrong("a:0").contains("line 1: the port"));
        assert!(wrong("a:70000").contains("the port"));
        assert!(wrong("a b:7").contains("this isn't an address"));
        assert!(wrong(":7").contains("this isn't an address"));
        assert!(wrong("a:1\na:1").contains("line 2: this address is listed twice"));
        assert!(wrong("# nothing\n").contains("there is no address"));
        assert_eq!(parse_hosts("[::1]:7101"), Ok(vec!["[::1]:7101".to_owned()]));
    }
}
