# Flick's three workloads, for Cap'n Proto.
@0xd1a3c2f4b5968778;
using Cxx = import "/capnp/c++.capnp";
$Cxx.namespace("flickcp");

struct Ints { items @0 :List(Int32); }
struct Point { x @0 :Int32; y @1 :Int32; }
struct Rect { min @0 :Point; max @1 :Point; }
struct Rects { items @0 :List(Rect); }
struct StatInfo { fields @0 :List(Int32); tag @1 :Data; }
struct Dirent { name @0 :Text; info @1 :StatInfo; }
struct Dirents { items @0 :List(Dirent); }
