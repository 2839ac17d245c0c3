/* Users who are logged in: arrays of structures. */
#include "rusers.h"
#include "service.h"

utmp_array *rusersproc_names_3_svc(void *nothing, struct svc_req *request)
{
	static rusers_utmp users[30];
	static utmp_array result = { 30, users };
	(void)nothing, (void)request;
	for (int i = 0; i < 30; i++) {
		users[i].ut_user = i % 3 ? "ada" : "charles";
		users[i].ut_line = "pts/1";
		users[i].ut_host = i % 2 ? "" : "analytical.example";
		users[i].ut_type = i - 5;
		users[i].ut_time = i * 1000;
		users[i].ut_idle = 4294967295u;
	}
	return &result;
}

int *rusersproc_num_3_svc(void *nothing, struct svc_req *request)
{
	static int number = -30;
	(void)nothing, (void)request;
	return &number;
}

static void calls(CLIENT *client)
{
	printf("%d\n", *(int *)got(client, rusersproc_num_3(NULL, client)));
	utmp_array *list = got(client, rusersproc_names_3(NULL, client));
	for (u_int i = 0; i < list->utmp_array_len; i++) {
		rusers_utmp *at = &list->utmp_array_val[i];
		printf("%s %s %s %d %d %u\n", at->ut_user, at->ut_line, at->ut_host, at->ut_type, (int)at->ut_time,
		       (unsigned)at->ut_idle);
	}
	clnt_freeres(client, (xdrproc_t)xdr_utmp_array, (char *)list);
}

SERVICE(RUSERSPROG, RUSERSVERS_3, rusersprog_3, calls)
