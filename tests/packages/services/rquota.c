/* Quotas: a union whose arms hold a structure of words, or nothing. */
#include "rquota.h"
#include "service.h"

getquota_rslt *rquotaproc_getquota_1_svc(getquota_args *given, struct svc_req *request)
{
	static getquota_rslt result;
	memset(&result, 0, sizeof result);
	(void)request;
	result.status = given->gqa_uid < 0 ? Q_EPERM : strcmp(given->gqa_pathp, "/data") == 0 ? Q_OK : Q_NOQUOTA;
	if (result.status == Q_OK) {
		rquota *quota = &result.getquota_rslt_u.gqr_rquota;
		quota->rq_bsize = 4096;
		quota->rq_active = TRUE;
		quota->rq_bhardlimit = 4000000000u;
		quota->rq_curfiles = (unsigned)given->gqa_uid;
		quota->rq_ftimeleft = 7;
	}
	return &result;
}

static void calls(CLIENT *client)
{
	static struct { char *path; int uid; } tries[] = { { "/data", 1000 }, { "/other", 5 }, { "/data", -3 } };
	for (int i = 0; i < 3; i++) {
		getquota_args given = { tries[i].path, tries[i].uid };
		getquota_rslt *result = got(client, rquotaproc_getquota_1(&given, client));
		rquota *quota = &result->getquota_rslt_u.gqr_rquota;
		printf("%d", result->status);
		if (result->status == Q_OK)
			printf(" %d %d %u %u %u", quota->rq_bsize, quota->rq_active, quota->rq_bhardlimit,
			       quota->rq_curfiles, quota->rq_ftimeleft);
		puts("");
	}
}

SERVICE(RQUOTAPROG, RQUOTAVERS, rquotaprog_1, calls)
