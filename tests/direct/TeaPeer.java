/* Remote Tea's ends: `call EVERY... STATES...` tries servers of every.x, then of states.x, at those addresses, the same many of each;
 * `serve CLIENTS` is a server of both, prints where, and ends when as many clients of every.x have told it to. */
import java.io.IOException;
import java.net.InetAddress;
import java.util.Arrays;
import org.acplt.oncrpc.*;
import org.acplt.oncrpc.server.*;

public final class TeaPeer {
    private TeaPeer() { }

    static void check(boolean holds, String what) {
        if (!holds)
            throw new IllegalStateException(what);
    }

    static byte[] bytes(XdrAble value) throws OncRpcException, IOException {
        XdrBufferEncodingStream stream = new XdrBufferEncodingStream(1 << 20);
        stream.beginEncoding(null, 0);
        value.xdrEncode(stream);
        stream.endEncoding();
        return Arrays.copyOf(stream.getXdrData(), stream.getXdrLength());
    }

    /* `tcp://127.0.0.1:PORT` */
    static int port(String address) {
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    }

    static int protocol(String address) {
        return address.startsWith("udp") ? OncRpcProtocols.ONCRPC_UDP : OncRpcProtocols.ONCRPC_TCP;
    }

    static final InetAddress HERE = InetAddress.getLoopbackAddress();

    private interface Call<T> { T of(T value) throws OncRpcException, IOException; }

    private static <T extends XdrAble> void same(T value, Call<T> call) throws OncRpcException, IOException {
        byte[] sent = bytes(value);
        check(Arrays.equals(bytes(call.of(value)), sent), value.getClass().getName() + " is not what it was");
    }

    private static <T> void equal(T value, Call<T> call) throws OncRpcException, IOException {
        check(call.of(value).equals(value), value.getClass().getName() + " is not what it was");
    }

    private static void call(String address) throws OncRpcException, IOException {
        EveryClient client = new EveryClient(HERE, port(address), protocol(address));
        client.getClient().setTimeout(60000);
        // What Remote Tea sends in a datagram is small.
        for (int seed = 0; seed < 20; seed += address.startsWith("udp") ? 2 : 1) {
            client.use_1(seed);
            client.nothing_1();
            callAll(client, new TeaWalk(seed));
        }
        client.shut_down_1();
        client.close();
    }

    private static void callAll(EveryClient client, TeaWalk walk) throws OncRpcException, IOException {
        equal(walk.anInt(), client::send_int_1);
        equal(walk.aHyper(), client::send_hyper_1);
        equal(walk.aFloat(), client::send_float_1);
        equal(walk.aDouble(), client::send_double_1);
        equal(walk.aTruth(), client::send_truth_1);
        equal(walk.aColor(), client::send_color_1);
        same(walk.aCounter(), client::send_counter_1);
        equal(walk.aShort(), client::send_short_1);
        same(walk.aName(), client::send_name_1);
        same(walk.theWords(), client::send_words_1);
        same(walk.aBlob(), client::send_blob_1);
        same(walk.aSmallBlob(), client::send_small_blob_1);
        same(walk.theInts(), client::send_ints_1);
        same(walk.theShorts(), client::send_shorts_1);
        same(walk.theHypers(), client::send_hypers_1);
        same(walk.theDoubles(), client::send_doubles_1);
        same(walk.theColors(), client::send_colors_1);
        same(walk.theFlags(), client::send_flags_1);
        same(walk.theNames(), client::send_names_1);
        same(walk.theLists(), client::send_lists_1);
        same(walk.theRects(), client::send_rects_1);
        same(walk.theMixeds(), client::send_mixeds_1);
        same(walk.aPoint(), client::send_point_1);
        same(walk.aRect(), client::send_rect_1);
        same(walk.aMixed(), client::send_mixed_1);
        same(walk.aFixed(), client::send_fixed_1);
        same(walk.aHolder(), client::send_holder_1);
        same(walk.aShape(), client::send_shape_1);
        same(walk.anAnswer(), client::send_answer_1);
        same(walk.aFlag(), client::send_flag_1);
        same(walk.aPick(), client::send_pick_1);
        same(walk.anOptional(), client::send_optional_1);
        same(walk.aList(), client::send_list_1);
        same(walk.aTree(), client::send_tree_1);
        same(walk.aForest(), client::send_forest_1);
        same(walk.aChain(), client::send_chain_1);
        int first = walk.anInt();
        check(client.many_1(first, walk.aName(), walk.aPoint(), walk.theInts(), walk.aDouble()) == first, "many");
    }

    /* What comes must be what the seed says, and goes back. */
    private static final class Server extends EveryServer {
        private final int clients;
        private int gone;
        private TeaWalk walk = new TeaWalk(0);

        Server(int clients) throws OncRpcException, IOException {
            super(HERE, 0);
            this.clients = clients;
        }

        /* The reply to the last call goes before all is closed. */
        @Override public void dispatchOncRpcCall(OncRpcCallInformation call, int program, int version, int procedure)
            throws OncRpcException, IOException {
            super.dispatchOncRpcCall(call, program, version, procedure);
            if (procedure == every.shut_down_1 && gone == clients)
                stopRpcProcessing();
        }

        private <T extends XdrAble> T given(T expected, T came) {
            try {
                check(Arrays.equals(bytes(expected), bytes(came)), expected.getClass().getName() + " did not come");
            } catch (OncRpcException | IOException problem) {
                throw new IllegalStateException(problem);
            }
            return came;
        }

        private <T> T plain(T expected, T came) {
            check(expected.equals(came), expected.getClass().getName() + " did not come");
            return came;
        }

        public void use_1(OncRpcCallInformation call, int seed) { walk = new TeaWalk(seed); }
        public void nothing_1(OncRpcCallInformation call) { }
        public void shut_down_1(OncRpcCallInformation call) { gone++; }
        public int send_int_1(OncRpcCallInformation call, int of) { return plain(walk.anInt(), of); }
        public long send_hyper_1(OncRpcCallInformation call, long of) { return plain(walk.aHyper(), of); }
        public float send_float_1(OncRpcCallInformation call, float of) { return plain(walk.aFloat(), of); }
        public double send_double_1(OncRpcCallInformation call, double of) { return plain(walk.aDouble(), of); }
        public boolean send_truth_1(OncRpcCallInformation call, boolean of) { return plain(walk.aTruth(), of); }
        public int send_color_1(OncRpcCallInformation call, int of) { return plain(walk.aColor(), of); }
        public counter send_counter_1(OncRpcCallInformation call, counter of) { return given(walk.aCounter(), of); }
        public short send_short_1(OncRpcCallInformation call, short of) { return plain(walk.aShort(), of); }
        public name send_name_1(OncRpcCallInformation call, name of) { return given(walk.aName(), of); }
        public words send_words_1(OncRpcCallInformation call, words of) { return given(walk.theWords(), of); }
        public blob send_blob_1(OncRpcCallInformation call, blob of) { return given(walk.aBlob(), of); }
        public small_blob send_small_blob_1(OncRpcCallInformation call, small_blob of) { return given(walk.aSmallBlob(), of); }
        public ints send_ints_1(OncRpcCallInformation call, ints of) { return given(walk.theInts(), of); }
        public shorts send_shorts_1(OncRpcCallInformation call, shorts of) { return given(walk.theShorts(), of); }
        public hypers send_hypers_1(OncRpcCallInformation call, hypers of) { return given(walk.theHypers(), of); }
        public doubles send_doubles_1(OncRpcCallInformation call, doubles of) { return given(walk.theDoubles(), of); }
        public colors send_colors_1(OncRpcCallInformation call, colors of) { return given(walk.theColors(), of); }
        public flags send_flags_1(OncRpcCallInformation call, flags of) { return given(walk.theFlags(), of); }
        public names send_names_1(OncRpcCallInformation call, names of) { return given(walk.theNames(), of); }
        public lists send_lists_1(OncRpcCallInformation call, lists of) { return given(walk.theLists(), of); }
        public rects send_rects_1(OncRpcCallInformation call, rects of) { return given(walk.theRects(), of); }
        public mixeds send_mixeds_1(OncRpcCallInformation call, mixeds of) { return given(walk.theMixeds(), of); }
        public point send_point_1(OncRpcCallInformation call, point of) { return given(walk.aPoint(), of); }
        public rect send_rect_1(OncRpcCallInformation call, rect of) { return given(walk.aRect(), of); }
        public mixed send_mixed_1(OncRpcCallInformation call, mixed of) { return given(walk.aMixed(), of); }
        public fixed send_fixed_1(OncRpcCallInformation call, fixed of) { return given(walk.aFixed(), of); }
        public holder send_holder_1(OncRpcCallInformation call, holder of) { return given(walk.aHolder(), of); }
        public shape send_shape_1(OncRpcCallInformation call, shape of) { return given(walk.aShape(), of); }
        public answer send_answer_1(OncRpcCallInformation call, answer of) { return given(walk.anAnswer(), of); }
        public flag send_flag_1(OncRpcCallInformation call, flag of) { return given(walk.aFlag(), of); }
        public pick send_pick_1(OncRpcCallInformation call, pick of) { return given(walk.aPick(), of); }
        public optional send_optional_1(OncRpcCallInformation call, optional of) { return given(walk.anOptional(), of); }
        public list send_list_1(OncRpcCallInformation call, list of) { return given(walk.aList(), of); }
        public chain send_chain_1(OncRpcCallInformation call, chain of) { return given(walk.aChain(), of); }
        public tree send_tree_1(OncRpcCallInformation call, tree of) { return given(walk.aTree(), of); }
        public forest send_forest_1(OncRpcCallInformation call, forest of) { return given(walk.aForest(), of); }

        public int many_1(OncRpcCallInformation call, int first, name second, point third, ints fourth, double fifth) {
            plain(walk.anInt(), first);
            given(walk.aName(), second);
            given(walk.aPoint(), third);
            given(walk.theInts(), fourth);
            plain(walk.aDouble(), fifth);
            return first;
        }
    }

    /* Datagrams and streams at ports of their own, as the stub makes them: in that order. */
    static String addresses(OncRpcServerStub server) {
        return "udp://127.0.0.1:" + server.transports[0].getPort() + " tcp://127.0.0.1:" + server.transports[1].getPort();
    }

    public static void main(String[] words) throws Exception {
        if (words[0].equals("serve")) {
            Server server = new Server(Integer.parseInt(words[1]));
            TeaStates.Server states = new TeaStates.Server();
            Thread other = new Thread(() -> states.run(states.transports));
            other.setDaemon(true);
            other.start();
            System.out.println(addresses(server) + " " + addresses(states));
            server.run(server.transports);
        } else {
            int half = (words.length + 1) / 2;
            for (int at = 1; at < words.length; at++) {
                if (at < half)
                    call(words[at]);
                else
                    TeaStates.call(words[at]);
            }
        }
        System.exit(0);
    }
}
