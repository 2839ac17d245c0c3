#include "whittle_flow.h"
#include <stdbool.h>
#include <stdint.h>

struct Point {
    float x;
    float y;
};
typedef struct Point Point;

struct Frame {
    uint16_t width;
    uint16_t height;
    uint32_t bytes;
    uint8_t pixels[400000];
};
typedef struct Frame Frame;

struct Track {
    Point corners[4];
    bool closed;
    bool filled[3];
    uint32_t length;
    Point path[100];
};
typedef struct Track Track;

struct Mixed {
    uint8_t tag[3];
    uint32_t n;
    char name[33];
    Point p[2];
    uint32_t q_count;
    float q[10];
    bool urgent;
    uint8_t few;
    int16_t small[5];
    char kind;
    uint8_t much;
    char letters[255];
    int64_t at;
    uint32_t words_count;
    char words[3][9];
    Frame inner;
};
typedef struct Mixed Mixed;

struct Tick {
    uint8_t nothing;
};
typedef struct Tick Tick;

extern const struct whittle_flow_type whittle_Point_native;
extern const char whittle_Point_native_schema[];
extern const struct whittle_flow_type whittle_Point_xdr;
extern const char whittle_Point_xdr_schema[];
extern const struct whittle_flow_type whittle_Point_cdr;
extern const char whittle_Point_cdr_schema[];
extern const struct whittle_flow_type whittle_Point_cdr_native;
extern const char whittle_Point_cdr_native_schema[];
extern const struct whittle_flow_type whittle_Frame_native;
extern const char whittle_Frame_native_schema[];
extern const struct whittle_flow_type whittle_Frame_xdr;
extern const char whittle_Frame_xdr_schema[];
extern const struct whittle_flow_type whittle_Frame_cdr;
extern const char whittle_Frame_cdr_schema[];
extern const struct whittle_flow_type whittle_Frame_cdr_native;
extern const char whittle_Frame_cdr_native_schema[];
extern const struct whittle_flow_type whittle_Track_native;
extern const char whittle_Track_native_schema[];
extern const struct whittle_flow_type whittle_Track_xdr;
extern const char whittle_Track_xdr_schema[];
extern const struct whittle_flow_type whittle_Track_cdr;
extern const char whittle_Track_cdr_schema[];
extern const struct whittle_flow_type whittle_Track_cdr_native;
extern const char whittle_Track_cdr_native_schema[];
extern const struct whittle_flow_type whittle_Mixed_native;
extern const char whittle_Mixed_native_schema[];
extern const struct whittle_flow_type whittle_Mixed_xdr;
extern const char whittle_Mixed_xdr_schema[];
extern const struct whittle_flow_type whittle_Mixed_cdr;
extern const char whittle_Mixed_cdr_schema[];
extern const struct whittle_flow_type whittle_Mixed_cdr_native;
extern const char whittle_Mixed_cdr_native_schema[];
extern const struct whittle_flow_type whittle_Tick_native;
extern const char whittle_Tick_native_schema[];
extern const struct whittle_flow_type whittle_Tick_xdr;
extern const char whittle_Tick_xdr_schema[];
extern const struct whittle_flow_type whittle_Tick_cdr;
extern const char whittle_Tick_cdr_schema[];
extern const struct whittle_flow_type whittle_Tick_cdr_native;
extern const char whittle_Tick_cdr_native_schema[];
