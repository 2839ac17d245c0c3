# What this flow needs beside what whittle writes.
LDLIBS += -lpng
