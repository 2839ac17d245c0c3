/* Mounts: linked lists of lists, a handle of fixed size, strings. */
#include "mount.h"
#include "service.h"

static struct mountbody mounts[40];
static struct exportnode shares[3];
static struct groupnode machines[9];

fhstatus *mountproc_mnt_1_svc(dirpath *path, struct svc_req *request)
{
	static fhstatus result;
	(void)request;
	memset(&result, 0, sizeof result);
	result.fhs_status = strcmp(*path, "/srv") == 0 ? 0 : 13;
	if (result.fhs_status == 0)
		for (int i = 0; i < FHSIZE; i++)
			result.fhstatus_u.fhs_fhandle[i] = (char)(i * 9);
	return &result;
}

mountlist *mountproc_dump_1_svc(void *nothing, struct svc_req *request)
{
	static mountlist first = mounts;
	(void)nothing, (void)request;
	for (int i = 0; i < 40; i++) {
		mounts[i].ml_hostname = i % 2 ? "odd" : "even";
		mounts[i].ml_directory = "/srv/some/where";
		mounts[i].ml_next = i < 39 ? &mounts[i + 1] : NULL;
	}
	return &first;
}

exports *mountproc_export_1_svc(void *nothing, struct svc_req *request)
{
	static exports first = shares;
	(void)nothing, (void)request;
	for (int i = 0; i < 9; i++) {
		machines[i].gr_name = "machine";
		machines[i].gr_next = i % 3 < 2 ? &machines[i + 1] : NULL;
	}
	for (int i = 0; i < 3; i++) {
		shares[i].ex_dir = i == 1 ? "" : "/export";
		shares[i].ex_groups = i == 2 ? NULL : &machines[i * 3];
		shares[i].ex_next = i < 2 ? &shares[i + 1] : NULL;
	}
	return &first;
}

static void calls(CLIENT *client)
{
	dirpath paths[] = { "/srv", "/secret" };
	for (int i = 0; i < 2; i++) {
		fhstatus *result = got(client, mountproc_mnt_1(&paths[i], client));
		printf("%u", result->fhs_status);
		for (int at = 0; result->fhs_status == 0 && at < FHSIZE; at++)
			printf(" %02x", (unsigned char)result->fhstatus_u.fhs_fhandle[at]);
		puts("");
	}
	mountlist *list = got(client, mountproc_dump_1(NULL, client));
	for (mountlist at = *list; at != NULL; at = at->ml_next)
		printf("%s:%s ", at->ml_hostname, at->ml_directory);
	puts("");
	clnt_freeres(client, (xdrproc_t)xdr_mountlist, (char *)list);
	exports *shared = got(client, mountproc_export_1(NULL, client));
	for (exports at = *shared; at != NULL; at = at->ex_next) {
		printf("'%s':", at->ex_dir);
		for (groups group = at->ex_groups; group != NULL; group = group->gr_next)
			printf(" %s", group->gr_name);
		puts("");
	}
	clnt_freeres(client, (xdrproc_t)xdr_exports, (char *)shared);
}

SERVICE(MOUNTPROG, MOUNTVERS, mountprog_1, calls)
