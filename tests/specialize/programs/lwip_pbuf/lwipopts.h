#include "../lwip_checksum/lwipopts.h"
