/* CRCs of any width, bit by bit. */
#include "crc.h"

static uint64_t reflect(uint64_t value, int bits)
{
    uint64_t result = 0;
    for (int i = 0; i < bits; i++)
        if (value >> i & 1)
            result |= (uint64_t)1 << (bits - 1 - i);
    return result;
}

static uint64_t mask(const struct crc_model *model)
{
    return (((uint64_t)1 << (model->width - 1)) - 1) << 1 | 1;
}

static uint64_t next_bit(const struct crc_model *model, uint64_t value, int bit)
{
    const int top = (int)(value >> (model->width - 1) & 1);
    value <<= 1;
    if (top != bit)
        value ^= model->polynomial;
    return value & mask(model);
}

static uint64_t next_byte(const struct crc_model *model, uint64_t value, unsigned char byte)
{
    if (model->reflects_input)
        byte = (unsigned char)reflect(byte, 8);
    for (int i = 7; i >= 0; i--)
        value = next_bit(model, value, byte >> i & 1);
    return value;
}

uint64_t crc(const struct crc_model *model, const unsigned char *data, size_t size)
{
    uint64_t value = model->start & mask(model);
    for (size_t i = 0; i < size; i++)
        value = next_byte(model, value, data[i]);
    if (model->reflects_output)
        value = reflect(value, model->width);
    return (value ^ model->final) & mask(model);
}
