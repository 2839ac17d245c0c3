//! The drop-in proof: one client and one server in C, using every construct of `tests/compat/everything.x`, linked
//! unchanged with rpcgen's stubs and with whittle's. Every client talks to every server, over TCP and UDP, IPv4 and
//! IPv6, in each of rpcgen's styles; what travels is recorded and is the same, byte for byte.

mod build;
mod cross;
mod judge;
mod matrix;
mod relay;

use build::{Maker, STYLES};
use filetest::oracle;
use libtest_mimic::{Arguments, Trial};

fn main() {
    let arguments = Arguments::from_args();
    let mut trials: Vec<Trial> = Vec::new();
    let has_ipv6 = std::net::TcpListener::bind("[::1]:0").is_ok();
    let programs = ["gcc", "rpcgen", "pkg-config"];
    for style in &STYLES {
        let name = format!("compat: {}: both write the same bytes on every kind of stream", style.name);
        trials.push(oracle::trial(name, &programs, move || matrix::same_streams(style)));
        for transport in ["tcp", "udp"] {
            let name = format!("compat: {}: any client, any server, {transport}, same bytes", style.name);
            trials.push(oracle::trial(name, &programs, move || matrix::same_conversations(style, transport)));
            let name = format!("compat: {}: any client, any server, {transport} over IPv6", style.name);
            let trial = oracle::trial(name, &programs, move || matrix::all_pairs(style, transport, '6'));
            // A machine without IPv6 is no fault of anybody's.
            trials.push(if has_ipv6 { trial } else { trial.with_ignored_flag(true) });
        }
        let name = format!("compat: {}: generated C has no warnings with gcc and clang", style.name);
        trials.push(oracle::trial(name, &["gcc", "clang", "pkg-config"], move || build::without_warnings(style)));
    }
    let with_judge = ["gcc", "pkg-config", "tshark"];
    trials.push(oracle::trial("compat: tshark understands every datagram", &with_judge, || {
        judge::understands(&STYLES[0], Maker::Whittle)
    }));
    for machine in &cross::MACHINES {
        let name = format!("compat: {}: the same bytes", machine.name);
        let programs = ["gcc", "rpcgen", "pkg-config", machine.compiler, machine.emulator];
        trials.push(oracle::trial(name, &programs, move || cross::same_bytes(machine)));
    }
    let conclusion = libtest_mimic::run(&arguments, trials);
    build::forget();
    conclusion.exit();
}
