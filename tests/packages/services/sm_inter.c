/* The status monitor: structures in structures, opaque data of fixed size. */
#include "sm_inter.h"
#include "service.h"

struct sm_stat_res *sm_mon_1_svc(struct mon *given, struct svc_req *request)
{
	static struct sm_stat_res result;
	(void)request;
	result.res_stat = strcmp(given->mon_id.mon_name, "peer") == 0 ? stat_succ : stat_fail;
	result.state = given->mon_id.my_id.my_proc;
	for (int i = 0; i < 16; i++)
		result.state += given->priv[i];
	return &result;
}

static void calls(CLIENT *client)
{
	struct mon given = { { "peer", { "self", 100021, 4, 16 } }, { 1, 2, 3, -4 } };
	struct sm_stat_res *result = got(client, sm_mon_1(&given, client));
	printf("%d %d\n", result->res_stat, result->state);
	given.mon_id.mon_name = "";
	result = got(client, sm_mon_1(&given, client));
	printf("%d %d\n", result->res_stat, result->state);
}

SERVICE(SM_PROG, SM_VERS, sm_prog_1, calls)
