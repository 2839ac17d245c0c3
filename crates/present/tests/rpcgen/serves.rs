//! Servers answer as RFC 5531 says: started as inetd starts them, on a socket of the test's, so that no rpcbind is needed.

use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::fd::OwnedFd;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use filetest::oracle::{self, Compilation, STRICT};
use filetest::scratch::Scratch;
use libtest_mimic::{Failed, Trial};

use crate::generate::{self, Flags};

const STYLES: [&str; 5] = ["-I", "-I -M", "-I -N", "-5", "-5 -N -M -K -1"];

/// The statuses of an accepted call (RFC 5531 section 9).
const SUCCESS: u32 = 0;
const PROC_UNAVAIL: u32 = 3;
const GARBAGE_ARGS: u32 = 4;

pub(crate) fn trials(root: &Path) -> Vec<Trial> {
    let trials = STYLES.into_iter().map(|style| {
        let file = root.join("a_program_has_numbers_prototypes_and_stubs.x");
        let flags = Flags::of(&style.split_whitespace().collect::<Vec<_>>());
        oracle::trial(format!("serves/{style}"), &["cpp", "gcc"], move || serve(&file, &flags))
    });
    trials.collect()
}

/// Ends the server with the test.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn serve(file: &Path, flags: &Flags) -> Result<(), Failed> {
    let scratch = Scratch::new("serves")?;
    let program = build(&scratch, file, flags)?;
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    let standard_input = Stdio::from(OwnedFd::from(listener));
    let _server = Server(Command::new(program).stdin(standard_input).spawn()?);
    let mut connection = TcpStream::connect(address)?;
    connection.set_read_timeout(Some(Duration::from_secs(60)))?;

    expect(&mut connection, 0, &[], SUCCESS, &[])?;
    expect(&mut connection, 1, &[0, 0, 0, 2, 0, 0, 0, 40], SUCCESS, &[0, 0, 0, 42])?;
    expect(&mut connection, 2, b"\0\0\0\x02hi\0\0", SUCCESS, b"\0\0\0\x03hi!\0")?;
    // A text that claims more than the message holds, and a pair that is cut short.
    expect(&mut connection, 2, b"\0\0\xff\xffhi\0\0", GARBAGE_ARGS, &[])?;
    expect(&mut connection, 1, &[0, 0, 0, 2], GARBAGE_ARGS, &[])?;
    expect(&mut connection, 99, &[], PROC_UNAVAIL, &[])?;
    let five: Vec<u8> = (1..=5).flat_map(u32::to_be_bytes).collect();
    let turned: Vec<u8> = (1..=5).rev().flat_map(u32::to_be_bytes).collect();
    expect(&mut connection, 3, &five, SUCCESS, &turned)
}

fn build(scratch: &Scratch, file: &Path, flags: &Flags) -> Result<std::path::PathBuf, Failed> {
    let at = |name: &str| scratch.path().join(name);
    let base = generate::base(file);
    fs::write(at(&format!("{base}.h")), generate::output(file, flags, "h")?)?;
    fs::write(at("svc.c"), generate::output(file, flags, "svc")?)?;
    let (pres, _) = generate::presented(file, flags, "RPC_XDR")?;
    let routines = stubs::marshal::marshal(&pres, &stubs::marshal::Options::default(), &mut |_, _| {});
    fs::write(at("xdr.c"), cast::print_file(&routines))?;
    fs::write(at("user.c"), format!("#include \"{base}.h\"\n{}", user(pres.conventions)))?;
    let here = format!("-I{}", scratch.path().display());
    let compilation = Compilation::new("gcc").with(["-std=gnu11", "-fsanitize=address,undefined", &here]).with(STRICT);
    let program = at("server");
    compilation.with_tirpc().program(&[at("svc.c"), at("xdr.c"), at("user.c")], &program)?;
    Ok(program)
}

/// The user's part of the server, which adds, appends an exclamation mark and turns around.
fn user(conventions: pres::Conventions) -> String {
    let (pair, name, five) =
        if conventions.by_value { ("pair p", "char *n", "five f") } else { ("pair *q", "char **m", "int *f") };
    let unwrap = |what: &str| if conventions.by_value { String::new() } else { what.to_string() };
    let (add, text) = (unwrap("pair p = *q;"), unwrap("char *n = *m;"));
    let head = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n";
    let (stop, ignore) = if conventions.by_value { ("", "") } else { ("void *i, ", "(void)i;") };
    if conventions.caller_results {
        return format!(
            "{head}bool_t add_1_svc({pair}, int *r, struct svc_req *s) {{ {add} (void)s; *r = p.a + p.b; return TRUE; }}
bool_t name_1_svc({name}, char **r, struct svc_req *s)
{{ {text} (void)s; *r = malloc(strlen(n) + 2); sprintf(*r, \"%s!\", n); return TRUE; }}
bool_t turn_1_svc({five}, int *r, struct svc_req *s) {{ (void)s; for (int i = 0; i < 5; i++) r[i] = f[4 - i]; return TRUE; }}
bool_t stop_1_svc({stop}void *r, struct svc_req *s) {{ {ignore} (void)r; (void)s; return TRUE; }}
bool_t add_2_svc({pair}, int *r, struct svc_req *s) {{ {add} (void)s; *r = p.a; return TRUE; }}
int calc_1_freeresult(SVCXPRT *t, xdrproc_t x, caddr_t r) {{ (void)t; xdr_free(x, r); return 1; }}
int calc_2_freeresult(SVCXPRT *t, xdrproc_t x, caddr_t r) {{ (void)t; xdr_free(x, r); return 1; }}
"
        );
    }
    format!(
        "{head}int *add_1_svc({pair}, struct svc_req *s) {{ static int r; {add} (void)s; r = p.a + p.b; return &r; }}
char **name_1_svc({name}, struct svc_req *s)
{{ static char t[99]; static char *r = t; {text} (void)s; snprintf(t, 99, \"%s!\", n); return &r; }}
int *turn_1_svc({five}, struct svc_req *s) {{ static five r; (void)s; for (int i = 0; i < 5; i++) r[i] = f[4 - i]; return r; }}
void *stop_1_svc({stop}struct svc_req *s) {{ static char r; {ignore} (void)s; return &r; }}
int *add_2_svc({pair}, struct svc_req *s) {{ static int r; {add} (void)s; r = p.a; return &r; }}
"
    )
}

/// Calls a procedure of version 1 and compares status and result.
fn expect(server: &mut TcpStream, procedure: u32, arguments: &[u8], status: u32, result: &[u8]) -> Result<(), Failed> {
    // Transaction, call, RPC 2, program, version, procedure, no credentials, no verifier.
    let words = [7, 0, 2, 0x2000_0001, 1, procedure, 0, 0, 0, 0];
    let mut message: Vec<u8> = words.into_iter().flat_map(u32::to_be_bytes).collect();
    message.extend(arguments);
    let last_fragment = 0x8000_0000 | u32::try_from(message.len())?;
    server.write_all(&last_fragment.to_be_bytes())?;
    server.write_all(&message)?;
    let mut mark = [0; 4];
    server.read_exact(&mut mark)?;
    let mut reply = vec![0; usize::try_from(u32::from_be_bytes(mark) & 0x7fff_ffff)?];
    server.read_exact(&mut reply)?;
    // Transaction, reply, accepted, no verifier; then the status and what goes with it.
    let mut wanted: Vec<u8> = [7, 1, 0, 0, 0, status].into_iter().flat_map(u32::to_be_bytes).collect();
    wanted.extend(result);
    if reply == wanted { Ok(()) } else { Err(format!("procedure {procedure}: {reply:?} is not {wanted:?}").into()) }
}
