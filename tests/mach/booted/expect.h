/* What has to hold: what does not ends the program that the kernel booted. */
#ifndef EXPECT_H
#define EXPECT_H
#define EXPECT(condition) ASSERT(condition, "it does not hold")
#endif
