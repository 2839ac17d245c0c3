//! The structures of a routine's messages: a header, then descriptors and values, each filled up to a word.

use cast::{Declaration, Field, Record, RecordKind, Scalar, Type, build};
use mig::{Content, Item, Length, Message, Routine, Word};

use super::descriptors::descriptor_type;
use super::side::{Side, number};

/// The tag of a routine's request.
pub(super) fn request_tag(routine: &Routine) -> String {
    format!("mig_request_{}", routine.name)
}

/// The tag of a routine's answer.
pub(super) fn reply_tag(routine: &Routine) -> String {
    format!("mig_reply_{}", routine.name)
}

/// The member that holds an item's descriptor.
pub(super) fn descriptor(item: &Item<'_>) -> String {
    format!("mig_type_{}", item.name)
}

/// The structures of a routine, and that C lays them out so.
pub(super) fn of(routine: &Routine, side: &Side<'_>) -> Vec<Declaration> {
    let request = Message::request(routine, side.word());
    let mut declarations = vec![Declaration::comment(format!("{}, message {}", routine.name, routine.number))];
    declarations.extend(record(request_tag(routine), &request, false, side));
    if !routine.is_simple {
        let reply = Message::reply(routine, side.word(), side.is_server && side.is_kernel());
        declarations.extend(record(reply_tag(routine), &reply, true, side));
    }
    declarations.push(Declaration::Blank);
    declarations
}

fn record(tag: String, message: &Message<'_>, is_reply: bool, side: &Side<'_>) -> Vec<Declaration> {
    let mut fields = vec![field("mig_head", Type::named("mach_msg_header_t"))];
    let mut pads = 0;
    let mut pad = |bytes: u64, fields: &mut Vec<Field>| {
        if bytes > 0 {
            fields.push(field(&format!("mig_pad_{pads}"), Type::CHAR.array(number(bytes))));
            pads += 1;
        }
    };
    if is_reply {
        fields.push(field("mig_type_code", descriptor_type(false)));
        fields.push(field("mig_code", Type::named("kern_return_t")));
        pad(side.word().bytes() - 4, &mut fields);
    }
    for item in &message.items {
        fields.push(field(&descriptor(item), descriptor_type(item.is_long())));
        fields.push(field(&item.name, value_type(item, side)));
        pad(item.padding(side.word()), &mut fields);
    }
    let ty = Type::structure(&tag);
    let size = build::equal(build::sizeof_type(ty), number(message.most));
    let what = if is_reply { "reply" } else { "request" };
    vec![
        Declaration::Record(Record { kind: RecordKind::Struct, tag: Some(tag), fields }),
        Declaration::StaticAssert(size, format!("this {what} has {} bytes", message.most)),
    ]
}

fn field(name: &str, ty: Type) -> Field {
    Field { name: name.to_owned(), ty }
}

/// What the message holds of a value.
fn value_type(item: &Item<'_>, side: &Side<'_>) -> Type {
    if item.content == Content::Count {
        return Type::named("mach_msg_type_number_t");
    }
    let ty = item.ty();
    if !ty.is_inline {
        return side.message_type(ty);
    }
    let element = if side.is_widened(ty) { Type::named("mach_port_name_inlined_t") } else { side.element_type(ty) };
    match ty.length {
        Length::Fixed if side.is_widened(ty) && ty.units == 1 => element,
        Length::Fixed if side.is_widened(ty) => element.array(number(ty.units)),
        Length::Fixed => side.message_type(ty),
        Length::AtMost(most) => element.array(number(most)),
        Length::Any(most) => {
            let pointed = if side.is_server { side.element_type(ty) } else { side.element_type(ty).constant() };
            let fields = vec![field("data", element.array(number(most))), field("elsewhere", pointed.pointer())];
            Type::Anonymous(Box::new(Record { kind: RecordKind::Union, tag: None, fields }))
        }
    }
}

/// What a descriptor's word is, to compare two at once.
pub(super) fn descriptor_word(word: Word) -> Type {
    Type::Scalar(match word {
        Word::Bits32 => Scalar::UnsignedInt,
        Word::Bits64 => Scalar::UnsignedLongLong,
    })
}
