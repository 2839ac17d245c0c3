void release(void *);
extern void *allocate(unsigned long) __attribute__((__nothrow__, __malloc__(release, 1)));
typedef float _Float32;
_Float64 d = 1.5;
_Float64x l;
_Float128 q;
__extension__ typedef __int128 wide;
int f(_Float32 x, wide w) { return x + d + w; }
