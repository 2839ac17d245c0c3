#include "../http_parser/drive.c"
