/* SPDX-License-Identifier: MIT-0 */
/* Values of OMG IDL's types through what `--link none` makes. */
#include "check.h"
#include "objects.h"

DEFINE_CHECK(Shop_Color, enum Shop_Color)
DEFINE_CHECK(Shop_Code, Shop_Code)
DEFINE_CHECK(Shop_Item, struct Shop_Item)
DEFINE_CHECK(Shop_Choice, struct Shop_Choice)
DEFINE_CHECK(Shop_Truth, struct Shop_Truth)
DEFINE_CHECK(Shop_Lettered, struct Shop_Lettered)
DEFINE_CHECK(Shop_Matrix, Shop_Matrix)
DEFINE_CHECK(Shop_Order, struct Shop_Order)
DEFINE_CHECK(Shop_Nested, struct Shop_Nested)
DEFINE_CHECK(Shop_Missing, struct Shop_Missing)

/* For others to read. */
static void write_order(const char *name, const struct Shop_Order *order)
{
    static char bytes[65536];
    size_t size;
    FILE *const file = fopen(name, "wb");
    CHECK(file != NULL && Shop_Order_encode(order, bytes, sizeof bytes, &size) == WHITTLE_CODEC_OK);
    CHECK(fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
}

int main(int argc, char **argv)
{
    static char code[] = "12345678", text[] = "some text", none[] = "";
    static uint8_t bytes[3] = {1, 2, 3};
    static enum Shop_Color colors[3] = {Shop_BLUE, Shop_RED, Shop_GREEN};
    static int16_t shorts[3] = {-1, 2, -3};
    static char *notes[2] = {none, text};
    struct Shop_Item items[2] = {{1, -2, 'x', INT64_MIN, true, 0.1, 65535, 1.5f, code, text}, {0}};
    enum Shop_Color color = Shop_BLUE;
    Shop_Code short_text = code;
    Shop_Matrix matrix = {{1, 2, 3}, {4, 5, 6}};
    struct Shop_Missing missing = {text, 3};
    struct Shop_Nested leaves[2] = {{1, {0, NULL}}, {2, {0, NULL}}}, nested = {3, {2, leaves}};
    struct Shop_Rows_item row = {3, shorts};
    struct Shop_Order order;
    items[1].label = none, items[1].text = none;
    memset(&order, 0, sizeof order);
    order.all.length = 2, order.all.items = items;
    order.chosen._d = Shop_GREEN, order.chosen.u.some.length = 3, order.chosen.u.some.items = colors;
    order.said._d = true, order.said.u.why = text;
    order.letters._d = 'z', order.letters.u.high.length = 3, order.letters.u.high.items = bytes;
    memcpy(order.numbers, matrix, sizeof matrix);
    order.lines.length = 1, order.lines.items = &row;
    order.notes.length = 2, order.notes.items = notes;
    check_Shop_Color(&color), check_Shop_Code(&short_text), check_Shop_Item(&items[0]), check_Shop_Matrix(&matrix);
    check_Shop_Choice(&order.chosen), check_Shop_Truth(&order.said), check_Shop_Lettered(&order.letters);
    check_Shop_Missing(&missing), check_Shop_Nested(&nested), check_Shop_Order(&order);
    if (argc > 1)
        write_order(argv[1], &order);
    /* A value that no label names has no body in IDL. */
    order.said._d = false, order.letters._d = 'q', order.chosen._d = Shop_BLUE, order.chosen.u.number = UINT64_MAX;
    check_Shop_Order(&order);
    return 0;
}
