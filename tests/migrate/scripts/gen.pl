my $rpcgen = shift;
system("rpcgen -c -o directory_xdr.c directory.x");
open(RPCGEN, "-|", $rpcgen, "-h", "directory.x");
while (<RPCGEN>) { s/a/b/; print; }
