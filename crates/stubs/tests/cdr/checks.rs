//! How often room is checked for. In: a type. Out: what its routine asks of the run time, in order.

use stubs::routines::{Messages, Options, Orders};

use crate::inputs::{c_file, presented};

/// The run time's routines for what is sent that the routine of a type calls.
fn called(c: &str, ty: &str) -> Vec<String> {
    let head = format!("encode_{ty}(struct whittle_cdr_out *out, char *at, const void *value)\n{{");
    let body = c.split(&head).nth(1).unwrap_or_default();
    let body = body.split("\n}").next().unwrap_or_default();
    let calls = body.split("whittle_cdr_out_").skip(1);
    calls.map(|call| call.split('(').next().unwrap_or_default().to_string()).collect()
}

#[test]
fn bytes_and_what_follows_are_checked_for_at_once() {
    let text = "struct message { int a; int words<16>; opaque bytes<64>; string name<64>; int b; };";
    let options = Options { messages: Messages::Cdr(Orders::Decoded), ..Options::default() };
    let c = c_file(&presented("message.x", text), 4, &options);
    // The count of the words, of the bytes, the text: each is written where the check before it has made room.
    assert_eq!(called(&c, "message"), ["need", "bytes_and", "bytes_and", "text_host"], "{c}");
}
