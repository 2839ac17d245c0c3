//! The address at which the receiver of an edge listens, as the file says it. In: `host:port`; an IPv6 address stands in brackets. Out: its parts,
//! or nothing where it has no such form. Source: RFC 3986, section 3.2.

/// The parts of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Address<'a> {
    /// Without brackets.
    pub host: &'a str,
    pub port: u16,
}

impl<'a> Address<'a> {
    /// `None`: it is not `HOST:PORT`.
    pub fn of(text: &'a str) -> Option<Address<'a>> {
        let (host, port) = text.rsplit_once(':')?;
        let bracketed = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
        let is_odd = |character: char| character.is_whitespace() || matches!(character, '[' | ']' | '/');
        let host = match bracketed {
            Some(host) => host.parse::<std::net::Ipv6Addr>().ok().map(|_| host)?,
            None if host.is_empty() || host.contains(':') || host.contains(is_odd) => return None,
            None => host,
        };
        let is_digits = port.bytes().all(|byte| byte.is_ascii_digit());
        let port = port.parse().ok().filter(|port| is_digits && *port > 0)?;
        Some(Address { host, port })
    }

    /// Whether it names this machine itself, whichever that is.
    pub fn is_loopback(self) -> bool {
        let parsed = self.host.parse::<std::net::IpAddr>().ok();
        parsed.map_or(self.host == "localhost", |address| address.is_loopback())
    }
}

#[cfg(test)]
mod tests {
    use super::Address;

    #[test]
    fn a_host_and_a_port_are_an_address() {
        for (text, host, port, is_loopback) in [
            ("10.0.0.7:7000", "10.0.0.7", 7000, false),
            ("gate.example:1", "gate.example", 1, false),
            ("[::1]:65535", "::1", 65535, true),
            ("[fe80::2]:9", "fe80::2", 9, false),
            ("localhost:8000", "localhost", 8000, true),
            ("127.0.3.4:8000", "127.0.3.4", 8000, true),
        ] {
            let address = Address::of(text);
            assert_eq!(address, Some(Address { host, port }), "{text}");
            assert_eq!(address.map(Address::is_loopback), Some(is_loopback), "{text}");
        }
        for text in [
            "",
            ":",
            "gate",
            "gate:",
            ":7000",
            "gate:0",
            "gate:65536",
            "gate:+7",
            "gate:x",
            "::1:7000",
            "[gate]:7",
            "[::1]",
            "a b:7",
            "tcp://gate:7",
        ] {
            assert_eq!(Address::of(text), None, "{text}");
        }
    }
}
