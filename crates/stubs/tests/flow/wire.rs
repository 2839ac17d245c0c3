//! Packets written and read by compiled C: random ones hold the bytes that the encodings say, in place or encoded, and
//! whatever is no packet is refused without a trace.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use filetest::oracle::{Compilation, STRICT, command, find};
use filetest::programs::CHECKED;
use filetest::scratch::Scratch;

use crate::compiles::{compilers, write};
use crate::inputs::{Input, optional_passes, presented, root};
use crate::model::{Message, Order, Random, description};

const DRIVER: &str = include_str!("driver.c");

/// Changes of one message that are tried.
const MOST_CHANGES: usize = 200;

/// Random messages of every packet, as the driver reads them.
fn messages(input: &Input, each: usize, order: Order, random: &mut Random) -> Vec<u8> {
    let packets: Vec<_> = input.xip.packets().collect();
    let mut bytes = Vec::new();
    let number = |bytes: &mut Vec<u8>, number: usize| {
        bytes.extend(order.bytes(number as u64, 4));
    };
    number(&mut bytes, packets.len() * each);
    for (at, packet) in packets.iter().enumerate() {
        for _ in 0..each {
            let message = Message::random(&input.xip, packet, order, random);
            number(&mut bytes, at);
            for encoded in [&message.xdr, &message.native, &message.cdr] {
                number(&mut bytes, encoded.bytes.len());
                bytes.extend(&encoded.bytes);
            }
            for encoded in [&message.xdr, &message.native, &message.cdr] {
                let step = 1 + encoded.refused.len() / MOST_CHANGES;
                let refused: Vec<_> =
                    encoded.refused.iter().skip(random.below(step as u64) as usize).step_by(step).collect();
                number(&mut bytes, refused.len());
                for (place, change) in refused {
                    number(&mut bytes, *place);
                    number(&mut bytes, change.len());
                    bytes.extend(change);
                }
            }
        }
    }
    bytes
}

fn run(mut command: Command, input: &[u8]) -> Result<(), String> {
    let mut child =
        command.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().map_err(|problem| problem.to_string())?;
    // A program that fails stops reading.
    let _ = child.stdin.take().expect("a pipe").write_all(input);
    let output = child.wait_with_output().map_err(|problem| problem.to_string())?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() && said.is_empty() { Ok(()) } else { Err(said) }
}

/// The C of a description's packets, and of the driver.
fn sources(input: &Input, no_opt: &[String], folder: &Scratch) -> [PathBuf; 3] {
    write(input, no_opt, folder);
    let names: String = input.xip.packets().map(|packet| format!("X({}) ", packet.name)).collect();
    let driver = folder.path().join("driver.c");
    std::fs::write(&driver, format!("#define TYPES(X) {names}\n{DRIVER}")).expect("a file in a scratch folder");
    [folder.path().join("packets.c"), folder.path().join("version.c"), driver]
}

/// Compiles the packets of a description and gives them random messages.
fn check(text: &str, no_opt: &[String], each: usize, seed: u64) {
    let input = presented(text, &[]);
    let folder = Scratch::new("flow-wire").expect("a scratch folder");
    let sources = sources(&input, no_opt, &folder);
    let order = if cfg!(target_endian = "big") { Order::Big } else { Order::Little };
    let messages = messages(&input, each, order, &mut Random::new(seed));
    for compiler in compilers() {
        let program = folder.path().join(compiler);
        let compilation = Compilation::new(compiler).with(STRICT).with(CHECKED);
        let done = compilation.program_alone(&sources, &program);
        done.unwrap_or_else(|problem| panic!("{compiler}: {}\n{text}", problem.message().unwrap_or_default()));
        run(Command::new(&program), &messages)
            .unwrap_or_else(|said| panic!("{compiler}, without {no_opt:?}: {said}\n{text}"));
    }
}

#[test]
fn the_packets_of_the_golden_travel() {
    let text = std::fs::read_to_string(root().join("tests/stubs/flow/packets.spi")).expect("the description");
    // Pictures of some kilobytes are as good as large ones.
    check(&text.replace("400000", "3000"), &[], 6, 1);
}

#[test]
fn random_packets_travel() {
    for seed in 1..=3 {
        check(&description(14, &mut Random::new(seed)), &[], 8, seed);
    }
}

/// What generated code calls its own.
#[test]
fn packets_and_fields_may_be_called_as_variables_are() {
    let names = ["v", "at", "value", "i", "room", "bytes", "i_count", "name_length", "encode_v_xdr"];
    let mut text = String::new();
    for name in names {
        text.push_str(&format!("packet {name} {{ bool v; uint8 at; uint16 i; bool value[<= 9 used i]; }}\n"));
        let fields = "string <= 9 name; string <= 3 v[<= 4]; bool at; int16 i[<= 5]; bool in[2]";
        text.push_str(&format!("packet {name}_2 {{ {name} packet; {fields}; {name} out[<= 3]; }}\n"));
    }
    check(&text, &[], 3, 9);
}

#[test]
fn packets_travel_without_any_pass() {
    check(&description(10, &mut Random::new(77)), &optional_passes(), 6, 77);
}

/// Machines of another byte order and of another word, under qemu: their own encoding is their own.
#[test]
fn packets_travel_between_machines_of_other_kinds() {
    let machines =
        [("s390x-linux-gnu-gcc", "qemu-s390x", Order::Big), ("arm-linux-gnueabihf-gcc", "qemu-arm", Order::Little)];
    let text = description(8, &mut Random::new(5));
    let input = presented(&text, &[]);
    let folder = Scratch::new("flow-machines").expect("a scratch folder");
    let sources = sources(&input, &[], &folder);
    for (compiler, emulator, order) in machines {
        if find(compiler).is_none() || find(emulator).is_none() {
            continue;
        }
        let program = folder.path().join(emulator);
        let compilation = Compilation::new(compiler).with(STRICT).with(["-static"]);
        let done = compilation.program_alone(&sources, &program);
        done.unwrap_or_else(|problem| panic!("{compiler}: {}\n{text}", problem.message().unwrap_or_default()));
        let mut command = command(emulator);
        command.arg(&program);
        let messages = messages(&input, 4, order, &mut Random::new(6));
        run(command, &messages).unwrap_or_else(|said| panic!("{emulator}: {said}\n{text}"));
    }
}
