import subprocess
subprocess.run(["rpcgen", "-h", "-o", "directory.h", "directory.x"])
