//! Datagrams as a capture file, so that tshark can judge them.

use std::net::Ipv4Addr;

/// The magic number, the version, and the kind of link of a capture of raw IP packets.
const MAGIC: u32 = 0xa1b2_c3d4;
const VERSION: [u16; 2] = [2, 4];
const RAW_IP: u32 = 101;

/// One datagram on the loopback interface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Datagram {
    pub from: u16,
    pub to: u16,
    pub payload: Vec<u8>,
}

/// The capture file that holds these datagrams, a second apart.
pub fn capture(datagrams: &[Datagram]) -> Vec<u8> {
    let mut file = Vec::new();
    file.extend(MAGIC.to_le_bytes());
    VERSION.iter().for_each(|number| file.extend(number.to_le_bytes()));
    file.extend([0; 8]);
    file.extend(u32::MAX.to_le_bytes());
    file.extend(RAW_IP.to_le_bytes());
    for (second, datagram) in (0_u32..).zip(datagrams) {
        let packet = packet(datagram);
        let length = u32::try_from(packet.len()).unwrap_or(u32::MAX).to_le_bytes();
        file.extend(second.to_le_bytes());
        file.extend([0; 4]);
        file.extend(length);
        file.extend(length);
        file.extend(packet);
    }
    file
}

/// An IPv4 packet; without checksums, which tshark does not ask for.
fn packet(datagram: &Datagram) -> Vec<u8> {
    let length = |extra: usize| u16::try_from(datagram.payload.len() + extra).unwrap_or(u16::MAX).to_be_bytes();
    let mut packet = vec![0x45, 0];
    packet.extend(length(28));
    packet.extend([0, 0, 0, 0, 64, 17, 0, 0]);
    packet.extend(Ipv4Addr::LOCALHOST.octets());
    packet.extend(Ipv4Addr::LOCALHOST.octets());
    packet.extend(datagram.from.to_be_bytes());
    packet.extend(datagram.to.to_be_bytes());
    packet.extend(length(8));
    packet.extend([0, 0]);
    packet.extend(&datagram.payload);
    packet
}
