//! What rpcgen 1.4.3 does with each of these command lines was observed.

use driver::{Destination, OutputKind};

use super::*;

fn arguments(line: &str) -> Vec<String> {
    line.split_whitespace().map(str::to_owned).collect()
}

fn request(line: &str) -> Request {
    match parse(&arguments(line)) {
        Ok(Command::Compile(request, _)) => *request,
        other => panic!("`{line}` gives {other:?}"),
    }
}

fn refusal(line: &str) -> String {
    match parse(&arguments(line)) {
        Err(Misuse(message)) => message,
        Ok(command) => panic!("`{line}` is accepted: {command:?}"),
    }
}

fn files(line: &str) -> String {
    let mut names: Vec<String> = request(line)
        .outputs
        .into_iter()
        .map(|(_, destination)| match destination {
            Destination::Named(path)
            | Destination::Path(path)
            | Destination::Once(path)
            | Destination::WhereChanged(path) => path,
            Destination::StandardOutput => "-".into(),
        })
        .collect();
    names.sort();
    names.join(" ")
}

#[test]
fn without_a_generation_flag_every_file_is_made_beside_the_input() {
    assert_eq!(files("b.x"), "b.h b_clnt.c b_svc.c b_xdr.c");
    assert_eq!(files("-T sub/b.x"), "sub/b.h sub/b_clnt.c sub/b_svc.c sub/b_tbl.i sub/b_xdr.c");
    assert_eq!(files("-aNC b.x"), "Makefile.b b.h b_client.c b_clnt.c b_server.c b_svc.c b_xdr.c");
    assert_eq!(files("b.x -a"), files("-a b.x"));
    assert!(!request("b.x").keep_empty);
}

#[test]
fn a_generation_flag_makes_one_file_on_standard_output_or_where_o_says() {
    assert_eq!(files("-h b.x"), "-");
    assert_eq!(files("-h -o x.h b.x"), "x.h");
    assert_eq!(files("-a -Ss b.x"), "-");
    assert_eq!(files("-aSs b.x"), "-");
    assert_eq!(files("-Sca b.x"), "-");
    assert!(request("-h b.x").keep_empty);
    assert_eq!(request("-s tcp -s udp b.x").outputs[0].0, OutputKind::Server);
    assert_eq!(request("-m b.x").outputs[0].0, OutputKind::ServerWithoutMain);
    assert_eq!(request("-5 -n tcp b.x").server.network_ids, ["tcp"]);
}

#[test]
fn standard_input_is_read_for_one_file_only() {
    assert_eq!(request("-h").input, Input::StandardInput);
    assert_eq!(request("-s tcp").input, Input::StandardInput);
    assert_eq!(refusal(""), "");
    assert_eq!(refusal("-T"), "");
    assert_eq!(refusal("-a"), "");
    assert_eq!(refusal("-Sc"), "\"infile\" is required for template generation flags.");
}

#[test]
fn a_letter_with_a_value_ends_its_bundle() {
    assert_eq!(request("-IK 5 b.x").server.linger, Some(5));
    assert_eq!(request("-I -K -1 b.x").server.linger, Some(-1));
    assert_eq!(request("-hY /usr/bin b.x").preprocessor.directory.as_deref(), Some("/usr/bin"));
    assert_eq!(refusal("-hK b.x"), "-K takes a number of seconds, not `b.x`");
    for line in [
        "-i0 b.x",
        "-Y/usr/bin b.x",
        "-hofoo b.x",
        "-ho foo b.x",
        "-cs tcp b.x",
        "-stcp b.x",
        "-i",
        "-K",
        "-o",
        "-h -o",
    ] {
        assert_ne!(refusal(line), "", "{line}");
    }
}

#[test]
fn flags_that_contradict_each_other_are_refused_in_rpcgens_words() {
    assert_eq!(refusal("-c -h b.x"), "Cannot have more than one file generation flag!");
    assert_eq!(refusal("-5 -n tcp -s tcp b.x"), "Cannot have more than one file generation flag!");
    assert_eq!(refusal("-NT b.x"), "Cannot use table flags with newstyle!");
    assert_eq!(refusal("-N -t b.x"), "Cannot use table flags with newstyle!");
    assert_eq!(refusal("-n tcp b.x"), "Cannot use netid flag without TIRPC!");
    assert_eq!(refusal("b.x c.x"), "Cannot specify more than one input file!");
    for line in ["-o x.h b.x", "-a -o q b.x", "-h -o x -o y b.x", "-Sx b.x", "-S b.x", "-Z b.x", "-s circuit_v b.x"] {
        assert_ne!(refusal(line), "", "{line}");
    }
}

#[test]
fn symbols_are_defined_in_arguments_of_their_own() {
    assert_eq!(request("-DA -DB=1=2 b.x").preprocessor.arguments, ["-DA", "-DB=1=2"]);
    assert_eq!(refusal("-D X b.x"), "-D needs a name, in the same argument");
    assert_ne!(refusal("-hDX b.x"), "");
}

#[test]
fn the_later_of_b_and_5_and_of_c_and_k_holds() {
    assert!(request("-b -5 b.x").server.transport_independent);
    assert!(!request("-5 -b b.x").server.transport_independent);
    assert!(request("-k b.x").old_c);
    assert!(!request("-kC b.x").old_c);
}

#[test]
fn own_options_are_long() {
    let request = request("--strict --max-depth 7 --no-opt=chunks --include inc --server-arena b.x");
    assert!(request.marshalling.strict && request.server.arena);
    assert_eq!(request.marshalling.max_depth, Some(7));
    assert_eq!(request.marshalling.without_passes, ["chunks"]);
    assert_eq!(request.preprocessor.arguments, ["-Iinc"]);
    assert_eq!(refusal("--foo b.x"), "there is no option --foo");
    assert_eq!(refusal("--max-depth x b.x"), "--max-depth takes a number, not `x`");
    assert_eq!(refusal("--emit"), "--emit needs a value");
    assert_eq!(refusal("--emit soup b.x"), "--emit takes one of tokens, aoi, mint, pres, plan, cast, not `soup`");
    assert_eq!(parse(&arguments("b.x --help")), Ok(Command::Help));
    assert_eq!(parse(&arguments("--version")), Ok(Command::Version));
}
