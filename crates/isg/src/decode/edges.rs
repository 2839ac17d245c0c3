//! The edges of a description, each with what decodes its packets.

use std::rc::Rc;

use pres::{PresC, TypeStubId};
use stubs::encodings::{self, ByteOrder, Encoding};
use stubs::links::flow;
use xip::Xip;
use xip::checks::Checked;

use super::walk::Reader;
use super::{Fault, Value, tagged};
use crate::packets::USUAL;

/// An edge, for who looks at its packets.
#[derive(Clone)]
pub struct Edge {
    pub flow: String,
    /// In the flow: names its files.
    pub number: usize,
    /// `Camera.f -> Gray.a`
    pub name: String,
    /// The type of its packets.
    pub packet: String,
    packets: Rc<PresC>,
    stub: TypeStubId,
    /// Of the type and its encoding, on machines of either byte order.
    fingerprints: [u64; 2],
    encoding: &'static dyn Encoding,
}

impl Edge {
    /// What tells the type and its encoding from others, as a machine with this byte order has it.
    pub fn fingerprint(&self, is_big_endian: bool) -> u64 {
        self.fingerprints[usize::from(is_big_endian)]
    }

    /// A packet from its bytes, as a machine of this byte order sent them. What travels as it lies in memory has no gaps
    /// and nothing in front of an array, so it is the native encoding to the byte.
    pub fn decode(&self, bytes: &[u8], is_big_endian: bool) -> Result<Value, Fault> {
        if !self.encoding.goes_by_place() {
            return tagged::packet(&self.packets, self.stub, bytes);
        }
        let is_big_endian = is_big_endian || self.encoding.order() == ByteOrder::Network;
        Reader::new(&self.packets, self.encoding, is_big_endian, bytes).packet(self.stub)
    }
}

/// The edges of all flows.
pub fn edges(xip: &Xip, checked: &Checked) -> Vec<Edge> {
    let packets = Rc::new(present::flow::present(xip, &checked.types).0);
    let links =
        checked.networks.iter().flat_map(|network| network.links.iter().enumerate().map(move |at| (network, at)));
    let of = |(network, (number, link)): (&xip::Network, (usize, &xip::Link))| {
        let name = &network.port(link.from).ty.text;
        let packet = packets.packets.iter().find(|packet| packet.name == *name)?;
        let encoding = link.contract.encoding.as_ref().map_or(USUAL, |encoding| encoding.text.as_str());
        let encoding = encodings::named(encoding)?;
        Some(Edge {
            flow: network.flow.name.text.clone(),
            number,
            name: network.link_name(link),
            packet: name.clone(),
            packets: Rc::clone(&packets),
            stub: packet.stub,
            fingerprints: [false, true].map(|is_big| flow::fingerprint(packet, encoding, is_big)),
            encoding,
        })
    };
    links.filter_map(of).collect()
}
