# Flick's three workloads as methods, for Cap'n Proto. Groups are laid out within their structs: a rectangle is sixteen bytes.
@0xb1e0a3c5d2f47986;
using Cxx = import "/capnp/c++.capnp";
$Cxx.namespace("flickcp");

struct Rect {
  min :group { x @0 :Int32; y @1 :Int32; }
  max :group { x @2 :Int32; y @3 :Int32; }
}

struct Dirent {
  name @0 :Text;
  info :group { fields @1 :List(Int32); tag @2 :Data; }
}

interface Sink {
  nothing @0 ();
  putInts @1 (items :List(Int32));
  putRects @2 (items :List(Rect));
  putDirents @3 (items :List(Dirent));
}
