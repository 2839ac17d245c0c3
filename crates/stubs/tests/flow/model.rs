//! What encodings say, written down once more and another way: random packets with the bytes they are in XDR, in CDR and
//! between equal little-endian machines, and changes to these bytes that no decoder may take.

use xip::{Extent, Field, FieldType, Packet, Xip};

/// Numbers that are the same in each run.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// xorshift64* (Vigna).
    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub(crate) fn below(&mut self, end: u64) -> u64 {
        (self.next() >> 16) % end.max(1)
    }

    pub(crate) fn choose<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        let at = usize::try_from(self.below(of.len() as u64)).expect("a small number");
        &of[at]
    }
}

/// Bytes, and changes that make them no message.
#[derive(Default)]
pub(crate) struct Bytes {
    pub(crate) bytes: Vec<u8>,
    /// Where, and what stands there instead.
    pub(crate) refused: Vec<(usize, Vec<u8>)>,
}

/// The order of bytes of the machines between which packets travel in the machine's own encoding.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    Little,
    Big,
}

impl Order {
    /// The last `width` bytes of a number.
    pub(crate) fn bytes(self, value: u64, width: usize) -> Vec<u8> {
        match self {
            Order::Little => value.to_le_bytes()[..width].to_vec(),
            Order::Big => value.to_be_bytes()[8 - width..].to_vec(),
        }
    }
}

/// A random packet in all encodings.
pub(crate) struct Message {
    order: Order,
    pub(crate) xdr: Bytes,
    pub(crate) native: Bytes,
    /// Big-endian.
    pub(crate) cdr: Bytes,
}

impl Message {
    /// A random value of a packet.
    pub(crate) fn random(xip: &Xip, packet: &Packet, order: Order, random: &mut Random) -> Message {
        let mut message = Message { order, xdr: Bytes::default(), native: Bytes::default(), cdr: Bytes::default() };
        message.packet(xip, packet, random);
        message
    }

    fn packet(&mut self, xip: &Xip, packet: &Packet, random: &mut Random) {
        let mut counts: Vec<(&str, u64, u64)> = Vec::new();
        for field in &packet.fields {
            if let Some(Extent::Bounded { bound, used: Some(used) }) = &field.array {
                counts.push((&used.text, count(bound.value, random), bound.value));
            }
        }
        let mut done: Vec<&str> = Vec::new();
        for field in &packet.fields {
            if done.contains(&field.name.text.as_str()) {
                continue;
            }
            if let Some(Extent::Bounded { used: Some(used), .. }) = &field.array
                && !done.contains(&used.text.as_str())
            {
                let counter = packet.fields.iter().find(|field| field.name == *used).expect("a count");
                done.push(&used.text);
                self.field(xip, counter, &counts, random);
            }
            done.push(&field.name.text);
            self.field(xip, field, &counts, random);
        }
        if packet.fields.is_empty() {
            self.integer(8, false, random.next());
        }
    }

    fn field(&mut self, xip: &Xip, field: &Field, counts: &[(&str, u64, u64)], random: &mut Random) {
        let length = match &field.array {
            None => {
                if let Some((_, count, bound)) = counts.iter().find(|(name, ..)| *name == field.name.text) {
                    return self.count(&field.ty, *count, *bound);
                }
                return self.value(xip, &field.ty, random);
            }
            Some(Extent::Fixed(length)) => length.value,
            Some(Extent::Bounded { used: Some(used), .. }) => {
                counts.iter().find(|(name, ..)| *name == used.text).expect("a count").1
            }
            Some(Extent::Bounded { bound, used: None }) => {
                let count = count(bound.value, random);
                self.count(&FieldType::Integer { bits: 32, signed: false }, count, bound.value);
                count
            }
        };
        if matches!(field.ty, FieldType::Octet | FieldType::Character) {
            let bytes: Vec<u8> = (0..length).map(|_| random.next() as u8).collect();
            self.raw(&bytes);
            return;
        }
        for _ in 0..length {
            self.value(xip, &field.ty, random);
        }
    }

    /// A count, which must not be more than its bound.
    fn count(&mut self, ty: &FieldType, count: u64, bound: u64) {
        let FieldType::Integer { bits, .. } = ty else { panic!("a count is a number") };
        if *bits == 64 || bound + 1 < 1 << bits {
            self.refuse_integer(*bits, bound + 1);
        }
        self.refuse_integer(*bits, u64::MAX >> (64 - u32::from(*bits)));
        // All that the type can say may be within the bound.
        if *bits < 64 && bound == (1 << bits) - 1 {
            self.xdr.refused.pop();
            self.native.refused.pop();
            self.cdr.refused.pop();
        }
        self.integer(*bits, false, count);
    }

    fn value(&mut self, xip: &Xip, ty: &FieldType, random: &mut Random) {
        match ty {
            FieldType::Boolean => {
                let (xdr, native) = (self.xdr.bytes.len(), self.native.bytes.len());
                for wrong in [2u8, 255] {
                    self.xdr.refused.push((xdr + 3, vec![wrong]));
                    self.native.refused.push((native, vec![wrong]));
                    self.cdr.refused.push((self.cdr.bytes.len(), vec![wrong]));
                }
                self.xdr.refused.push((xdr, vec![1]));
                let truth = random.below(2) as u8;
                self.xdr.bytes.extend([0, 0, 0, truth]);
                self.native.bytes.push(truth);
                self.cdr.bytes.push(truth);
            }
            FieldType::Octet | FieldType::Character => self.integer(8, false, random.next()),
            FieldType::Integer { bits, signed } => self.integer(*bits, *signed, random.next()),
            FieldType::Float { bits } => self.integer(*bits, false, random.next()),
            FieldType::Text { bound } => self.text(bound.value, random),
            FieldType::Named(name) => {
                let packet = xip.packets().find(|packet| packet.name == *name).expect("a packet");
                self.packet(xip, packet, random);
            }
        }
    }

    fn integer(&mut self, bits: u8, signed: bool, value: u64) {
        let width = usize::from(bits / 8);
        let start = self.xdr.bytes.len();
        if bits < 32 {
            // One more than the type holds, on either side.
            let above = if signed { 1u32 << (bits - 1) } else { 1u32 << bits };
            let below = if signed { above.wrapping_neg() - 1 } else { u32::MAX };
            self.xdr.refused.push((start, above.to_be_bytes().to_vec()));
            self.xdr.refused.push((start, below.to_be_bytes().to_vec()));
            let shift = 64 - u32::from(bits);
            let wide =
                if signed { ((value << shift) as i64 >> shift) as u32 } else { (value << shift >> shift) as u32 };
            self.xdr.bytes.extend(wide.to_be_bytes());
        } else {
            self.xdr.bytes.extend(&value.to_be_bytes()[8 - width..]);
        }
        self.native.bytes.extend(self.order.bytes(value, width));
        self.align(width);
        self.cdr.bytes.extend(&value.to_be_bytes()[8 - width..]);
    }

    /// Where a number of so many bytes begins under CDR.
    fn align(&mut self, width: usize) {
        let at = self.cdr.bytes.len().next_multiple_of(width);
        self.cdr.bytes.resize(at, 0);
    }

    /// The number that follows must not be this.
    fn refuse_integer(&mut self, bits: u8, value: u64) {
        let width = usize::from(bits / 8);
        let xdr = if bits == 64 { value.to_be_bytes().to_vec() } else { (value as u32).to_be_bytes().to_vec() };
        self.xdr.refused.push((self.xdr.bytes.len(), xdr));
        self.native.refused.push((self.native.bytes.len(), self.order.bytes(value, width)));
        self.align(width);
        self.cdr.refused.push((self.cdr.bytes.len(), value.to_be_bytes()[8 - width..].to_vec()));
    }

    fn raw(&mut self, bytes: &[u8]) {
        self.xdr.bytes.extend(bytes);
        self.xdr.bytes.resize(self.xdr.bytes.len().next_multiple_of(4), 0);
        self.native.bytes.extend(bytes);
        self.cdr.bytes.extend(bytes);
    }

    fn text(&mut self, bound: u64, random: &mut Random) {
        let length = count(bound, random);
        self.refuse_integer(32, bound + 1);
        self.refuse_integer(32, u64::from(u32::MAX));
        self.refuse_integer(32, 1 << 31);
        self.integer(32, false, length);
        self.text_length(bound, length);
        if length > 0 {
            let at = usize::try_from(random.below(length)).expect("a short text");
            self.xdr.refused.push((self.xdr.bytes.len() + at, vec![0]));
            self.native.refused.push((self.native.bytes.len() + at, vec![0]));
            self.cdr.refused.push((self.cdr.bytes.len() + at, vec![0]));
        }
        let bytes: Vec<u8> = (0..length).map(|_| 1 + random.below(255) as u8).collect();
        self.raw(&bytes);
        self.cdr.refused.push((self.cdr.bytes.len(), vec![1]));
        self.cdr.bytes.push(0);
    }

    /// Under CDR a text's length counts its NUL.
    fn text_length(&mut self, bound: u64, length: u64) {
        let at = self.cdr.bytes.len() - 4;
        self.cdr.bytes.truncate(at);
        self.cdr.bytes.extend(&(length + 1).to_be_bytes()[4..]);
        for (place, change) in &mut self.cdr.refused {
            if *place == at && *change == (bound + 1).to_be_bytes()[4..] {
                *change = (bound + 2).to_be_bytes()[4..].to_vec();
            }
        }
    }
}

/// Often none, often all.
fn count(bound: u64, random: &mut Random) -> u64 {
    match random.below(4) {
        0 => 0,
        1 => bound,
        _ => random.below(bound + 1),
    }
}

/// A random description of packets, the later ones of the earlier ones.
pub(crate) fn description(packets: usize, random: &mut Random) -> String {
    let mut text = String::new();
    for packet in 0..packets {
        text.push_str(&format!("packet P{packet} {{\n"));
        for field in 0..random.below(9) {
            let ty = element(packet, random);
            // Packets of packets of packets grow quickly.
            let many = if ty.starts_with('P') { 3 } else { 20 };
            // Counted arrays of everything, counted by all kinds of fields, before or behind.
            let line = match random.below(6) {
                0 => format!("{ty} f{field}[{}];", 1 + random.below(many)),
                1 => format!("{ty} f{field}[<= {}];", 1 + random.below(many)),
                2 if many > 3 => {
                    let bound = *random.choose(&[1, 7, 40, 255]);
                    format!("{} n{field};\n  {ty} f{field}[<= {bound} used n{field}];", counter(random))
                }
                3 => format!("{ty} f{field}[<= 9 used n{field}];\n  {} n{field};", counter(random)),
                _ => format!("{ty} f{field};"),
            };
            text.push_str(&format!("  {line}\n"));
        }
        text.push_str("}\n");
    }
    text
}

fn counter(random: &mut Random) -> &'static str {
    const COUNTS: [&str; 4] = ["uint8", "uint16", "uint32", "uint64"];
    random.choose::<&str>(&COUNTS)
}

fn element(packet: usize, random: &mut Random) -> String {
    const PLAIN: [&str; 13] = [
        "bool", "octet", "char", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float",
        "double",
    ];
    match random.below(8) {
        0 => format!("string <= {}", random.choose(&[1, 3, 32, 300])),
        1 if packet > 0 => format!("P{}", random.below(packet as u64)),
        _ => (*random.choose(&PLAIN)).to_owned(),
    }
}
