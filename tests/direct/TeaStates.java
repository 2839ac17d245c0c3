/* Remote Tea's ends of states.x: every way in which a call can be rejected, or accepted and not served (RFC 5531, section 9). */
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.Socket;
import java.util.Arrays;
import org.acplt.oncrpc.*;
import org.acplt.oncrpc.server.*;

final class TeaStates {
    /* As whittle_onc.h numbers them. */
    private static final int RPC_MISMATCH = -20, PROGRAM_UNAVAILABLE = -21, PROGRAM_MISMATCH = -22, PROCEDURE_UNAVAILABLE = -23,
        GARBAGE_ARGUMENTS = -24, SYSTEM_ERROR = -25, AUTH_FAILED_SO = -100;
    private static final int REASONS = 15, GONE = 9;

    private TeaStates() { }

    /* Remote Tea's stubs know of procedures only; what a server owes others, and what a function is told to answer, is here. */
    static final class Server extends StatesServer {
        Server() throws OncRpcException, IOException {
            super(TeaPeer.HERE, 0);
        }

        @Override public void dispatchOncRpcCall(OncRpcCallInformation call, int program, int version, int procedure)
            throws OncRpcException, IOException {
            if (program != states.STATES) {
                call.failProgramUnavailable();
            } else if (version != states.STATES_TWO && version != states.STATES_THREE) {
                call.failProgramMismatch(states.STATES_TWO, states.STATES_THREE);
            } else if (version == states.STATES_TWO && procedure == states.fail_2) {
                XdrInt status = new XdrInt();
                call.retrieveCall(status);
                fail(call, status.intValue());
            } else {
                try {
                    super.dispatchOncRpcCall(call, program, version, procedure);
                } catch (OncRpcException problem) {
                    if (problem.getReason() != OncRpcException.RPC_BUFFERUNDERFLOW)
                        throw problem;
                    call.endDecoding();
                    call.failArgumentGarbage();
                }
            }
        }

        private static void fail(OncRpcCallInformation call, int status) throws OncRpcException, IOException {
            switch (status) {
            case RPC_MISMATCH: call.failOncRpcVersionMismatch(); break;
            case PROGRAM_UNAVAILABLE: call.failProgramUnavailable(); break;
            case PROGRAM_MISMATCH: call.failProgramMismatch(5, 6); break;
            case PROCEDURE_UNAVAILABLE: call.failProcedureUnavailable(); break;
            case GARBAGE_ARGUMENTS: call.failArgumentGarbage(); break;
            case SYSTEM_ERROR: call.failSystemError(); break;
            default: call.failAuthenticationFailed(AUTH_FAILED_SO - status); break;
            }
        }

        public person who_2(OncRpcCallInformation call) {
            person made = new person();
            made.machine = "";
            made.groups = new int[0];
            if (call.callMessage.auth instanceof OncRpcServerAuthUnix) {
                OncRpcServerAuthUnix told = (OncRpcServerAuthUnix) call.callMessage.auth;
                made.uid = told.uid;
                made.gid = told.gid;
                made.machine = told.machinename;
                made.groups = told.gids;
            }
            return made;
        }

        public void nothing_2(OncRpcCallInformation call) { }
        public int twice_2(OncRpcCallInformation call, int number) { return 2 * number; }
        public void fail_2(OncRpcCallInformation call, int status) { }
        public netobj same_2(OncRpcCallInformation call, netobj of) { return of; }
        public void nothing_3(OncRpcCallInformation call) { }
        public void shut_down_3(OncRpcCallInformation call) { }
    }

    private interface Call { void make() throws OncRpcException, IOException; }

    private static void fails(int wanted, Call call) throws IOException {
        int found = OncRpcException.RPC_SUCCESS;
        try {
            call.make();
        } catch (OncRpcException problem) {
            found = problem.getReason();
        }
        TeaPeer.check(found == wanted, "the reason is " + found + " and not " + wanted);
    }

    static void call(String address) throws OncRpcException, IOException {
        StatesClient client = new StatesClient(TeaPeer.HERE, TeaPeer.port(address), TeaPeer.protocol(address));
        OncRpcClient any = client.getClient();
        any.setTimeout(60000);
        client.nothing_2();
        TeaPeer.check(client.twice_2(-21) == -42, "twice");
        byte[] odd = new byte[1021];
        Arrays.fill(odd, (byte) 200);
        TeaPeer.check(Arrays.equals(client.same_2(new netobj(odd)).value, odd), "same");
        fails(OncRpcException.RPC_CANTDECODEARGS, () -> client.same_2(new netobj(new byte[1025])));
        fails(OncRpcException.RPC_PROGVERSMISMATCH, () -> any.call(1, 7, XdrVoid.XDR_VOID, XdrVoid.XDR_VOID));
        fails(OncRpcException.RPC_PROCUNAVAIL, () -> any.call(GONE, states.STATES_TWO, XdrVoid.XDR_VOID, XdrVoid.XDR_VOID));
        fails(OncRpcException.RPC_CANTDECODEARGS, () -> any.call(states.twice_2, states.STATES_TWO, XdrVoid.XDR_VOID, new XdrInt()));
        StatesClient absent = new StatesClient(TeaPeer.HERE, states.STATES + 1, 1, TeaPeer.port(address), TeaPeer.protocol(address));
        fails(OncRpcException.RPC_PROGUNAVAIL, () -> absent.getClient().call(1, XdrVoid.XDR_VOID, XdrVoid.XDR_VOID));
        absent.close();
        fails(OncRpcException.RPC_PROGUNAVAIL, () -> client.fail_2(PROGRAM_UNAVAILABLE));
        fails(OncRpcException.RPC_PROCUNAVAIL, () -> client.fail_2(PROCEDURE_UNAVAILABLE));
        fails(OncRpcException.RPC_CANTDECODEARGS, () -> client.fail_2(GARBAGE_ARGUMENTS));
        fails(OncRpcException.RPC_SYSTEMERROR, () -> client.fail_2(SYSTEM_ERROR));
        for (int reason = 0; reason < REASONS; reason++)
            rejected(client, reason);
        otherRpc(address);
        identified(client);
        client.shut_down_3();
        client.close();
    }

    private static void rejected(StatesClient client, int reason) throws OncRpcException, IOException {
        try {
            client.fail_2(AUTH_FAILED_SO - reason);
            TeaPeer.check(false, "a call that is rejected succeeds");
        } catch (OncRpcAuthenticationException problem) {
            TeaPeer.check(problem.getAuthStatus() == reason, "the reason is " + problem.getAuthStatus() + " and not " + reason);
        }
    }

    /* Of a version that nobody understands; Remote Tea's messages by hand. */
    private static void otherRpc(String address) throws OncRpcException, IOException {
        OncRpcClientCallMessage call = new OncRpcClientCallMessage(77, states.STATES, states.STATES_TWO, states.nothing_2, null);
        OncRpcClientReplyMessage reply = new OncRpcClientReplyMessage(null);
        call.oncRpcVersion = 3;
        if (address.startsWith("udp")) {
            DatagramSocket socket = new DatagramSocket();
            socket.setSoTimeout(60000);
            exchange(call, new XdrUdpEncodingStream(socket, 1024), reply, new XdrUdpDecodingStream(socket, 1024), address);
        } else {
            Socket socket = new Socket(TeaPeer.HERE, TeaPeer.port(address));
            socket.setSoTimeout(60000);
            exchange(call, new XdrTcpEncodingStream(socket, 1024), reply, new XdrTcpDecodingStream(socket, 1024), address);
        }
        TeaPeer.check(reply.messageId == 77 && reply.replyStatus == OncRpcReplyStatus.ONCRPC_MSG_DENIED, "denied");
        TeaPeer.check(reply.rejectStatus == OncRpcRejectStatus.ONCRPC_RPC_MISMATCH, "versions of RPC");
        TeaPeer.check(reply.lowVersion == 2 && reply.highVersion == 2, "from 2 to 2");
    }

    private static void exchange(OncRpcClientCallMessage call, XdrEncodingStream to, OncRpcClientReplyMessage reply, XdrDecodingStream from,
                                 String address) throws OncRpcException, IOException {
        to.beginEncoding(TeaPeer.HERE, TeaPeer.port(address));
        call.xdrEncode(to);
        to.endEncoding();
        from.beginDecoding();
        reply.xdrDecode(from);
        from.endDecoding();
        to.close();
        from.close();
    }

    private static void identified(StatesClient client) throws OncRpcException, IOException {
        TeaPeer.check(client.who_2().machine.isEmpty(), "nobody");
        client.getClient().setAuth(new OncRpcClientAuthUnix("here", 4711, 12, new int[] {5, 6, 7}));
        person told = client.who_2();
        TeaPeer.check(told.uid == 4711 && told.gid == 12 && told.machine.equals("here"), "AUTH_SYS");
        TeaPeer.check(Arrays.equals(told.groups, new int[] {5, 6, 7}), "groups");
    }
}
