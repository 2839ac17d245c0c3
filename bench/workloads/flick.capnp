# Flick's three workloads, for Cap'n Proto.
@0xd1a3c2f4b5968778;
using Cxx = import "/capnp/c++.capnp";
$Cxx.namespace("flickcp");

struct Ints { items @0 :List(Int32); }
# Groups, which lie in the structure: a structure within would be a pointer.
struct Rect {
    min :group { x @0 :Int32; y @1 :Int32; }
    max :group { x @2 :Int32; y @3 :Int32; }
}
struct Rects { items @0 :List(Rect); }
struct StatInfo { fields @0 :List(Int32); tag @1 :Data; }
struct Dirent { name @0 :Text; info @1 :StatInfo; }
struct Dirents { items @0 :List(Dirent); }
