/* return function(n) local s=0 for i=1,n do s = s + i*i % 7 end return s end */
static const Instruction sum_code[] = {
    0x7fff8081, 0x80000101, 0x00000180, 0x80000201, 0x0003014a, 0x05050324, 0x080502ae, 0x00060319, 0x09000330,
    0x060100a2, 0x060600ae, 0x00038149, 0x000200c8, 0x00010147,
};
static const TValue sum_constants[] = { { .value_.i = 7, .tt_ = LUA_VNUMINT } };
static const struct function sum = { sum_code, sizeof sum_code / sizeof *sum_code, sum_constants, 7 };

/* return function(a, b) while b ~= 0 do a, b = b, a % b end return a end */
static const Instruction divisor_code[] = {
    0x007f80bd, 0x80000238, 0x00010100, 0x010000a5, 0x0901002e, 0x00020000, 0x7ffffc38, 0x00020048, 0x00010147,
};
static const struct function divisor = { divisor_code, sizeof divisor_code / sizeof *divisor_code, NULL, 3 };
