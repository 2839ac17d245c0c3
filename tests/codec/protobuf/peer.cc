/* SPDX-License-Identifier: MIT-0 */
/*
 * C++ protobuf reads every message of a file, each behind its length, and writes the same bytes. To a second file it writes the same
 * messages in other bytes: fields from the last to the first, lists element by element, numbers twice, and fields that nobody knows.
 */
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>
#include "values.pb.h"

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

/* A message that has one field alone, of a list one element. */
static std::string only(const Message &message, const FieldDescriptor *field, int at)
{
    std::unique_ptr<Message> copy(message.New());
    copy->CopyFrom(message);
    const Reflection *const reflection = copy->GetReflection();
    std::vector<const FieldDescriptor *> fields;
    reflection->ListFields(message, &fields);
    for (const FieldDescriptor *other : fields)
        if (other != field)
            reflection->ClearField(copy.get(), other);
    if (at >= 0) {
        const int size = reflection->FieldSize(*copy, field);
        reflection->SwapElements(copy.get(), field, at, 0);
        for (int i = 1; i < size; i++)
            reflection->RemoveLast(copy.get(), field);
    }
    return copy->SerializeAsString();
}

static std::string in_pieces(const Message &message)
{
    const Reflection *const reflection = message.GetReflection();
    std::vector<const FieldDescriptor *> fields;
    reflection->ListFields(message, &fields);
    std::string bytes = "\xf2\x7d\x03" "abc" "\xfb\x7d\x08\x01\xfc\x7d\xf8\x7d\x05";
    for (size_t i = fields.size(); i-- > 0;) {
        const FieldDescriptor *const field = fields[i];
        const int size = field->is_repeated() ? reflection->FieldSize(message, field) : 1;
        for (int j = 0; j < size; j++)
            bytes += only(message, field, field->is_repeated() ? j : -1);
        if (!field->is_repeated() && field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE)
            bytes += only(message, field, -1);
    }
    return bytes;
}

static void put(std::ofstream &file, const std::string &bytes)
{
    for (int shift = 0; shift < 32; shift += 8)
        file.put(static_cast<char>(bytes.size() >> shift));
    file << bytes;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 1;
    std::ifstream file(argv[1], std::ios::binary);
    std::ofstream pieces(argv[2], std::ios::binary);
    unsigned char head[4];
    int count = 0;
    while (file.read(reinterpret_cast<char *>(head), 4)) {
        std::string bytes(head[0] | static_cast<size_t>(head[1]) << 8 | static_cast<size_t>(head[2]) << 16, '\0');
        file.read(&bytes[0], static_cast<std::streamsize>(bytes.size()));
        everything message;
        if (!file || !message.ParseFromString(bytes) || message.SerializeAsString() != bytes) {
            std::fprintf(stderr, "message %d: C++ protobuf writes other bytes\n", count);
            return 1;
        }
        put(pieces, in_pieces(message));
        count++;
    }
    return count == 400 && pieces.flush() ? 0 : 1;
}
