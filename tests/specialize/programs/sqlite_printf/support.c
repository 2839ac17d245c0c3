/* What sqlite's printf.c calls elsewhere in sqlite. No text here grows beyond its buffer, and no value of a database is printed. */
#include <stdlib.h>
#include <string.h>
#include "sqliteInt.h"

struct Sqlite3Config sqlite3Config;

int sqlite3Strlen30(const char *text)
{
    return text == NULL ? 0 : 0x3fffffff & (int)strlen(text);
}

int sqlite3IsNaN(double x)
{
    return x != x;
}

void *sqlite3_malloc64(sqlite3_uint64 size)
{
    return malloc(size);
}

void sqlite3_free(void *memory)
{
    free(memory);
}

void *sqlite3Realloc(void *memory, u64 size)
{
    return realloc(memory, size);
}

int sqlite3_initialize(void)
{
    return SQLITE_OK;
}

void *sqlite3DbMallocRaw(sqlite3 *db, u64 size) { (void)db; return malloc(size); }
int sqlite3DbMallocSize(sqlite3 *db, const void *memory) { (void)db; (void)memory; return 0; }
void *sqlite3DbRealloc(sqlite3 *db, void *memory, u64 size) { (void)db; return realloc(memory, size); }
void sqlite3DbFree(sqlite3 *db, void *memory) { (void)db; free(memory); }
int sqlite3ErrorToParser(sqlite3 *db, int code) { (void)db; return code; }
void sqlite3OomClear(sqlite3 *db) { (void)db; }
void *sqlite3OomFault(sqlite3 *db) { (void)db; return NULL; }
void sqlite3_result_error_code(sqlite3_context *context, int code) { (void)context; (void)code; abort(); }
void sqlite3_result_text(sqlite3_context *context, const char *text, int size, void (*end)(void *))
{
    (void)context; (void)text; (void)size; (void)end;
    abort();
}
double sqlite3_value_double(sqlite3_value *value) { (void)value; abort(); }
sqlite3_int64 sqlite3_value_int64(sqlite3_value *value) { (void)value; abort(); }
const unsigned char *sqlite3_value_text(sqlite3_value *value) { (void)value; abort(); }
