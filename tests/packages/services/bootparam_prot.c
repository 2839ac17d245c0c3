/* Diskless machines: single characters, a union, strings. */
#include "bootparam_prot.h"
#include "service.h"

bp_whoami_res *bootparamproc_whoami_1_svc(bp_whoami_arg *given, struct svc_req *request)
{
	static bp_whoami_res result;
	static char name[40];
	ip_addr_t *from = &given->client_address.bp_address_u.ip_addr;
	(void)request;
	snprintf(name, sizeof name, "host-%d-%d-%d-%d", from->net, from->host, from->lh, from->impno);
	result.client_name = name;
	result.domain_name = "example";
	result.router_address = given->client_address;
	result.router_address.bp_address_u.ip_addr.impno = -1;
	return &result;
}

bp_getfile_res *bootparamproc_getfile_1_svc(bp_getfile_arg *given, struct svc_req *request)
{
	static bp_getfile_res result;
	(void)request;
	result.server_name = given->client_name;
	result.server_path = given->file_id;
	result.server_address.address_type = IP_ADDR_TYPE;
	return &result;
}

static void calls(CLIENT *client)
{
	bp_whoami_arg who = { { IP_ADDR_TYPE, { { 127, -1, -128, 1 } } } };
	bp_getfile_arg what = { "diskless", "root" };
	bp_whoami_res *self = got(client, bootparamproc_whoami_1(&who, client));
	printf("%s %s %d\n", self->client_name, self->domain_name, self->router_address.bp_address_u.ip_addr.impno);
	bp_getfile_res *file = got(client, bootparamproc_getfile_1(&what, client));
	printf("%s %s %d\n", file->server_name, file->server_path, file->server_address.address_type);
}

SERVICE(BOOTPARAMPROG, BOOTPARAMVERS, bootparamprog_1, calls)
