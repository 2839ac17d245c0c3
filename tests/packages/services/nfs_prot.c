/* NFS 2: a list of entries in a union, handles and cookies of fixed size, data of variable size. */
#include "nfs_prot.h"
#include "service.h"

readdirres *nfsproc_readdir_2_svc(readdirargs *given, struct svc_req *request)
{
	static entry entries[20];
	static readdirres result;
	(void)request;
	memset(&result, 0, sizeof result);
	if (given->count == 0) {
		result.status = NFSERR_IO;
		return &result;
	}
	for (unsigned i = 0; i < given->count; i++) {
		entries[i].fileid = i + 4000000000u;
		entries[i].name = i % 2 ? "a" : "file.txt";
		memcpy(entries[i].cookie, given->cookie, NFS_COOKIESIZE);
		entries[i].nextentry = i + 1 < given->count ? &entries[i + 1] : NULL;
	}
	result.readdirres_u.reply.entries = entries;
	result.readdirres_u.reply.eof = TRUE;
	return &result;
}

readres *nfsproc_read_2_svc(readargs *given, struct svc_req *request)
{
	static char data[NFS_MAXDATA];
	static readres result;
	(void)request;
	for (unsigned i = 0; i < given->count; i++)
		data[i] = (char)(given->offset + i);
	result.readres_u.reply.attributes.size = given->totalcount;
	result.readres_u.reply.data.data_len = given->count;
	result.readres_u.reply.data.data_val = data;
	return &result;
}

static void calls(CLIENT *client)
{
	readdirargs folder = { { { 1, 2, 3 } }, { 4, 5, 6, -7 }, 20 };
	for (; ; folder.count = 0) {
		readdirres *result = got(client, nfsproc_readdir_2(&folder, client));
		printf("%d:", result->status);
		if (result->status != NFS_OK)
			break;
		for (entry *at = result->readdirres_u.reply.entries; at != NULL; at = at->nextentry)
			printf(" %u %s %d", at->fileid, at->name, at->cookie[3]);
		puts("");
		clnt_freeres(client, (xdrproc_t)xdr_readdirres, (char *)result);
	}
	for (unsigned count = 0; count < 8; count++) {
		readargs part = { { { 9 } }, 65, count * 7, 12 };
		readres *result = got(client, nfsproc_read_2(&part, client));
		u_int length = result->readres_u.reply.data.data_len;
		printf("%d %u %.*s\n", result->status, result->readres_u.reply.attributes.size, (int)length,
		       length ? result->readres_u.reply.data.data_val : "");
		clnt_freeres(client, (xdrproc_t)xdr_readres, (char *)result);
	}
}

SERVICE(NFS_PROGRAM, NFS_VERSION, nfs_program_2, calls)
