#include "../cjson/drive.c"
