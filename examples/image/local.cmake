# What this flow needs beside what whittle writes.
link_libraries(png)
