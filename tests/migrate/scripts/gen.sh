#!/bin/sh
RPCGEN=${RPCGEN:-rpcgen}
if test -f directory.x; then
  (cd . && $RPCGEN -h directory.x > directory.h)
fi
