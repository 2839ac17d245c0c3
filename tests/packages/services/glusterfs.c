/* What a brick of glusterfs and its client say first: the volume's description, then a handshake of opaque dictionaries, then a list of
 * entries with attributes of 64 bits. The package has its own calls around the routines; here libtirpc's carry them. */
#include "glusterfs3-xdr.h"
#include "service.h"

enum { PROGRAM = 14398633, VERSION = 2, SETVOLUME = 1, GETSPEC = 2, READDIRP = 40 };

static void serve_setvolume(SVCXPRT *transport)
{
	gf_setvolume_req given = { 0 };
	if (!svc_getargs(transport, (xdrproc_t)xdr_gf_setvolume_req, (char *)&given)) {
		svcerr_decode(transport);
		return;
	}
	gf_setvolume_rsp result = { 0, -1, { given.dict.dict_len, given.dict.dict_val } };
	svc_sendreply(transport, (xdrproc_t)xdr_gf_setvolume_rsp, (char *)&result);
	svc_freeargs(transport, (xdrproc_t)xdr_gf_setvolume_req, (char *)&given);
}

static void serve_getspec(SVCXPRT *transport)
{
	gf_getspec_req given = { 0 };
	if (!svc_getargs(transport, (xdrproc_t)xdr_gf_getspec_req, (char *)&given)) {
		svcerr_decode(transport);
		return;
	}
	gf_getspec_rsp result = { (int)given.flags, 0, given.key, { given.xdata.xdata_len, given.xdata.xdata_val } };
	svc_sendreply(transport, (xdrproc_t)xdr_gf_getspec_rsp, (char *)&result);
	svc_freeargs(transport, (xdrproc_t)xdr_gf_getspec_req, (char *)&given);
}

static void serve_readdirp(SVCXPRT *transport)
{
	static gfs3_dirplist list[12];
	gfs3_readdirp_rsp result = { 12, 0, list, { 0, NULL } };
	for (int i = 0; i < 12; i++) {
		list[i].d_ino = 0xfedcba9876543210u + i;
		list[i].name = i % 2 ? "brick" : "";
		list[i].stat.ia_size = ((u_quad_t)i << 40) + 1;
		list[i].stat.ia_mtime_nsec = 999999999;
		memset(list[i].stat.ia_gfid, i, sizeof list[i].stat.ia_gfid);
		list[i].nextentry = i < 11 ? &list[i + 1] : NULL;
	}
	svc_sendreply(transport, (xdrproc_t)xdr_gfs3_readdirp_rsp, (char *)&result);
}

void glusterfs_2(struct svc_req *request, SVCXPRT *transport)
{
	switch (request->rq_proc) {
	case SETVOLUME: serve_setvolume(transport); break;
	case GETSPEC: serve_getspec(transport); break;
	case READDIRP: serve_readdirp(transport); break;
	default: svcerr_noproc(transport);
	}
}

static void called(CLIENT *client, int procedure, void *in, void *given, void *out, void *result)
{
	struct timeval patience = { 5, 0 };
	if (clnt_call(client, procedure, (xdrproc_t)in, given, (xdrproc_t)out, result, patience) != RPC_SUCCESS)
		got(client, NULL);
}

static void calls(CLIENT *client)
{
	static char dictionary[300];
	gf_getspec_req volume = { 7, "patchy", { 3, "\0\1\2" } };
	gf_setvolume_req set = { { sizeof dictionary, dictionary } };
	gf_getspec_rsp spec = { 0 };
	gf_setvolume_rsp answer = { 0 };
	gfs3_readdirp_rsp folder = { 0 };
	memset(dictionary, 'd', sizeof dictionary);
	called(client, GETSPEC, xdr_gf_getspec_req, &volume, xdr_gf_getspec_rsp, &spec);
	printf("%d %s %u\n", spec.op_ret, spec.spec, spec.xdata.xdata_len);
	called(client, SETVOLUME, xdr_gf_setvolume_req, &set, xdr_gf_setvolume_rsp, &answer);
	printf("%d %u %.3s\n", answer.op_errno, answer.dict.dict_len, answer.dict.dict_val);
	called(client, READDIRP, xdr_void, NULL, xdr_gfs3_readdirp_rsp, &folder);
	for (gfs3_dirplist *at = folder.reply; at != NULL; at = at->nextentry)
		printf("%llx '%s' %llu %u %d\n", (unsigned long long)at->d_ino, at->name,
		       (unsigned long long)at->stat.ia_size, at->stat.ia_mtime_nsec, at->stat.ia_gfid[15]);
	xdr_free((xdrproc_t)xdr_gf_getspec_rsp, (char *)&spec);
	xdr_free((xdrproc_t)xdr_gf_setvolume_rsp, (char *)&answer);
	xdr_free((xdrproc_t)xdr_gfs3_readdirp_rsp, (char *)&folder);
}

SERVICE(PROGRAM, VERSION, glusterfs_2, calls)
