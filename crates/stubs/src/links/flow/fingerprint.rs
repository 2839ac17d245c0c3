//! What tells two versions of a packet apart in one word: FNV-1a over the encoding's name and the schema. Peers whose words
//! differ are refused before a byte is taken for something that it is not.

use pres::Packet;

use crate::encodings::{ByteOrder, Encoding};

/// FNV-1a of 64 bits (Fowler, Noll, Vo; RFC 9923).
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The text that is hashed, and that tools read.
pub(super) fn text(packet: &Packet, encoding: &dyn Encoding) -> String {
    format!("{}\n{}", encoding.name(), packet.schema)
}

/// The fingerprint of a packet in an encoding; where words are as the machine has them, that of big-endian machines is
/// another one.
pub fn fingerprint(packet: &Packet, encoding: &dyn Encoding, is_big_endian: bool) -> u64 {
    let order = if encoding.order() == ByteOrder::Host && is_big_endian { "\nbig-endian" } else { "" };
    // 0 is nobody's: it stands for what is not known.
    hash(&(text(packet, encoding) + order)).max(1)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_hash_is_the_published_one() {
        assert_eq!(super::hash(""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(super::hash("a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(super::hash("foobar"), 0x8594_4171_f739_67e8);
    }
}
