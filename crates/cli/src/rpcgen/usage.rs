//! The texts of `--help`, of a command line that makes no sense, and of `--version`.

/// As a macro, since `concat!` takes literals.
macro_rules! synopsis {
    () => {
        "\
usage: rpcgen infile
       rpcgen [-abkCLNTM5] [-Dname[=value]] [-i size] [-I [-K seconds]] [-Y path] infile
       rpcgen [-c | -h | -l | -m | -t | -Sc | -Ss | -Sm] [-o outfile] [infile]
       rpcgen [-s nettype]* [-o outfile] [infile]
       rpcgen [-n netid]* [-o outfile] [infile]
       rpcgen --help
"
    };
}

macro_rules! options {
    () => {
        "
files, one at most (standard input and output where no name is given):
  -h              the header: types and prototypes
  -c              the XDR routines
  -l              the client's stubs
  -m              the server's dispatch routine, without main
  -s nettype      the server with main, for transports of this class: tcp or udp; may be repeated
  -n netid        the server with main, for this entry of the netconfig database; needs -5; may be repeated
  -t              the dispatch tables
  -Sc -Ss -Sm     a sample client, sample server procedures, a sample Makefile
  -a              every file, samples included
  -o outfile      the name of the one file

code:
  -N              arguments by value, and several of them
  -M              results in the caller's storage: safe with threads
  -C -k           ANSI C (the default), or K&R prototypes besides
  -b -5           servers as SunOS 4.1 makes them (the default), or through TI-RPC
  -I              a server that inetd may start
  -K seconds      an inetd server ends after so much idle time (default 120; -1: never)
  -L              the server reports errors to syslog
  -T              dispatch tables
  -i size         accepted; all code is inline

preprocessor:
  -Dname[=value]  define a symbol
  -Y path         the directory where cpp is

whittle's own, in long options only:
  --check DIR          say what whittle in rpcgen's place would mean for the source tree DIR: which build files
                       call rpcgen, what differs, and the line that makes the change; nothing is run or written
  --lax                accept, with a warning, numbers that do not fit and that rpcgen accepts in silence
  --strict             refuse enumeration values that the input does not name
  --max-depth N        how deep a decoded value may nest; lists do not count (1000)
  --prefer WHAT        speed (routines for all types), size (tables for all), or balance (routines for
                       arrays and lists, tables for the others; the default)
  --sizes              print what each type got and about how many bytes of object code it takes; write nothing
  --server-arena       the arguments of one call live in one arena
  --include DIR  --define NAME[=VALUE]  --undefine NAME
  --emit STAGE  --stop-after STAGE  --print-after PASS  --from STAGE  --no-opt PASS
                       look inside; stages are tokens, aoi, mint, pres, plan, cast
  --message-format full|short|json  --color auto|always|never
  --quiet              print errors alone
  --depfile FILE       also write a file for make or ninja that says what the outputs were made from
  --if-changed         leave outputs untouched that would not change
  --limit NAME=NUMBER  allow more or less than the usual (docs/limits.md): input-size, expansion,
                       nesting, inherited, findings, output-size

  --help  --version
"
    };
}

/// The ways to call it; the same as rpcgen's.
pub(crate) const SYNOPSIS: &str = synopsis!();

/// What each flag means; whittle's own options come last.
pub(crate) const OPTIONS: &str = options!();

/// Both, as `--help` prints them.
pub(crate) const HELP: &str = concat!(synopsis!(), options!());

/// What `--version` prints: rpcgen's interface, whittle's code.
pub(crate) const VERSION: &str = concat!("rpcgen (whittle) ", env!("CARGO_PKG_VERSION"), "\n");
