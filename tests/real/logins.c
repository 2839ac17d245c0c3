/* Asks rusersd, by version 3 of its protocol, who is logged in. With -l it prints what Debian's rusers prints, who
   speaks version 2; without, all that version 3 tells. */
#include "rusers.h"
#include <arpa/inet.h>
#include <netdb.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static void as_rusers(const char *host, const rusers_utmp *entry)
{
    const time_t since = entry->ut_time;
    char date[16], place[64], idle[16], from[32] = "";
    strftime(date, sizeof date, "%b %e %H:%M", localtime(&since));
    snprintf(place, sizeof place, "%s:%.7s", host, entry->ut_line);
    /* Nobody types on these lines: their idle time is unknown, which is said as -1. */
    snprintf(idle, sizeof idle, "   :%02d", (int)entry->ut_idle);
    if (entry->ut_host[0] != '\0')
        snprintf(from, sizeof from, "(%.16s)", entry->ut_host);
    printf("%-8.8s %-29.29s %-12.12s %8s %s\n", entry->ut_user, place, date, idle, from);
}

int main(int count, char **words)
{
    const char *const address = words[count - 1];
    const struct in_addr number = { inet_addr(address) };
    const struct hostent *const host = gethostbyaddr(&number, sizeof number, AF_INET);
    CLIENT *const client = clnt_create(address, RUSERSPROG, RUSERSVERS_3, "udp");
    if (client == NULL) {
        clnt_pcreateerror(words[0]);
        return 1;
    }
    const utmp_array *const users = rusersproc_names_3(NULL, client);
    if (users == NULL) {
        clnt_perror(client, words[0]);
        return 1;
    }
    for (u_int i = 0; i < users->utmp_array_len; i++) {
        const rusers_utmp *const entry = &users->utmp_array_val[i];
        if (count > 2)
            as_rusers(host == NULL ? address : host->h_name, entry);
        else
            printf("%s %s %s %d %d\n", entry->ut_user, entry->ut_line, entry->ut_host, entry->ut_type, entry->ut_time);
    }
    /* rusersd adds the number of users to what it said before. */
    const int *const number_of_users = rusersproc_num_3(NULL, client);
    if (number_of_users == NULL || *number_of_users < 1 || (u_int)*number_of_users % users->utmp_array_len != 0)
        return 1;
    const utmp_array *const all = rusersproc_allnames_3(NULL, client);
    if (all == NULL || all->utmp_array_len != users->utmp_array_len)
        return 1;
    clnt_destroy(client);
    return 0;
}
