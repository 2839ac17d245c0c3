/* NIS: opaque data of variable size, negative enumerators, a list behind a status. */
#include "yp.h"
#include "service.h"

ypresp_val *ypproc_match_2_svc(ypreq_key *given, struct svc_req *request)
{
	static ypresp_val result;
	static char reversed[YPMAXRECORD];
	(void)request;
	result.stat = strcmp(given->map, "passwd") == 0 ? YP_TRUE : YP_NOMAP;
	result.val.valdat_len = result.stat == YP_TRUE ? given->key.keydat_len : 0;
	result.val.valdat_val = reversed;
	for (u_int i = 0; i < result.val.valdat_len; i++)
		reversed[i] = given->key.keydat_val[result.val.valdat_len - 1 - i];
	return &result;
}

ypresp_maplist *ypproc_maplist_2_svc(domainname *domain, struct svc_req *request)
{
	static ypmaplist maps[5];
	static ypresp_maplist result;
	(void)request;
	for (int i = 0; i < 5; i++) {
		maps[i].map = i == 3 ? *domain : "map";
		maps[i].next = i < 4 ? &maps[i + 1] : NULL;
	}
	result.stat = YP_TRUE;
	result.maps = maps;
	return &result;
}

static void calls(CLIENT *client)
{
	static char *keys[] = { "", "k", "ada", "four", "a longer key with blanks in it" }, *domain = "example";
	for (int i = 0; i < 5; i++) {
		ypreq_key given = { "example", i == 2 ? "nothing" : "passwd", { (u_int)strlen(keys[i]), keys[i] } };
		ypresp_val *result = got(client, ypproc_match_2(&given, client));
		printf("%d '%.*s'\n", result->stat, (int)result->val.valdat_len,
		       result->val.valdat_len ? result->val.valdat_val : "");
	}
	ypresp_maplist *list = got(client, ypproc_maplist_2(&domain, client));
	for (ypmaplist *at = list->maps; at != NULL; at = at->next)
		printf("%s ", at->map);
	puts("");
	clnt_freeres(client, (xdrproc_t)xdr_ypresp_maplist, (char *)list);
}

SERVICE(YPPROG, YPVERS, ypprog_2, calls)
