/* Logs a user in, in the table of this machine: log_in USER LINE HOST */
#include <string.h>
#include <utmp.h>

int main(int count, char **words)
{
    struct utmp entry;
    if (count != 4)
        return 2;
    memset(&entry, 0, sizeof entry);
    entry.ut_type = USER_PROCESS;
    entry.ut_pid = 1;
    entry.ut_tv.tv_sec = 1000000000;
    memcpy(entry.ut_user, words[1], strnlen(words[1], sizeof entry.ut_user));
    memcpy(entry.ut_line, words[2], strnlen(words[2], sizeof entry.ut_line));
    memcpy(entry.ut_host, words[3], strnlen(words[3], sizeof entry.ut_host));
    memcpy(entry.ut_id, words[2] + strlen(words[2]) - 3, 3);
    setutent();
    return pututline(&entry) == NULL;
}
