/* Layers that each call the next one through the same function, under tests that are not known: each call is given another device. Where the
 * devices go on without end, or come again, calls are left.
 * Not in the residual: ->read
 */
#include <string.h>
extern long long law_input(int number, long long usual);
extern void law_output(const char *name, long long value);

struct device {
    int (*read)(struct device *, unsigned, unsigned char *, unsigned);
    struct device *lower;
    unsigned char *data;
    unsigned sectors;
    unsigned reads;
};

static int device_read(struct device *device, unsigned sector, unsigned char *to, unsigned count)
{
    if (sector >= device->sectors || count > device->sectors - sector)
        return -1;
    device->reads++;
    return device->read(device, sector, to, count);
}

static int ram_read(struct device *device, unsigned sector, unsigned char *to, unsigned count)
{
    memcpy(to, device->data + sector * 4, count * 4);
    return 0;
}

static int cipher_read(struct device *device, unsigned sector, unsigned char *to, unsigned count)
{
    int result = device_read(device->lower, sector, to, count);
    for (unsigned at = 0; result == 0 && at < count * 4; at++)
        to[at] ^= 0x5a;
    return result;
}

static int single_read(struct device *device, unsigned sector, unsigned char *to, unsigned count)
{
    for (unsigned at = 0; at < count; at++) {
        int result = device_read(device->lower, sector + at, to + 4 * at, 1);
        if (result)
            return result;
    }
    return 0;
}

static int mirror_read(struct device *device, unsigned sector, unsigned char *to, unsigned count)
{
    return device_read(sector & 1 ? device->lower + 1 : device->lower, sector, to, count);
}

int main(void)
{
    unsigned char data[64], to[16] = {0};
    unsigned sector = (unsigned)law_input(0, 3), count = (unsigned)law_input(1, 2) & 3;
    for (unsigned at = 0; at < sizeof data; at++)
        data[at] = (unsigned char)(at * 7);
    struct device ram[2] = {{ram_read, 0, data, 16, 0}, {ram_read, 0, data, 16, 0}};
    struct device mirror = {mirror_read, ram, 0, 16, 0};
    struct device single = {single_read, &mirror, 0, 16, 0};
    struct device cipher = {cipher_read, &single, 0, 14, 0};
    law_output("result", device_read(&cipher, sector, to, count));
    for (unsigned at = 0; at < sizeof to; at++)
        law_output("to", to[at]);
    law_output("reads", cipher.reads + single.reads * 10 + mirror.reads * 100 + ram[0].reads * 1000 + ram[1].reads * 10000);
    return 0;
}
