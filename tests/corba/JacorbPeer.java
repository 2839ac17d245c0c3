// JacORB's side of every.idl. `serve` prints a reference and echoes what it is sent; `call REFERENCE [narrow|small|plain]` sends every type in all
// three ways (`plain`: those that the plain style has), as client.c does, and looks at what comes back. Java writes big-endian messages on every machine.
import Every.*;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.function.IntFunction;
import org.omg.CORBA.Any;
import org.omg.CORBA.CompletionStatus;
import org.omg.CORBA.ORB;
import org.omg.PortableServer.POA;
import org.omg.PortableServer.POAHelper;

public class JacorbPeer {
    static ORB orb;
    static int failures;

    public static void main(String[] arguments) throws Exception {
        orb = ORB.init(arguments, null);
        if (arguments[0].equals("serve"))
            serve();
        else
            call(EchoHelper.narrow(orb.string_to_object(arguments[1])), arguments.length > 2 ? arguments[2] : "");
        orb.destroy();
        System.exit(failures);
    }

    static String noted = "";
    static Point extent = new Point(3, 4);
    static int limit = 10;

    /** Whatever has three parameters is an echo; the rest is by name. */
    static Object answer(Method method, Object[] given) throws Exception {
        int count = given == null ? 0 : given.length;
        if (count == 3) {
            Field held = given[1].getClass().getField("value");
            held.set(given[2], held.get(given[1]));
            held.set(given[1], given[0]);
            return given[0];
        }
        switch (method.getName()) {
            case "fails":
                switch ((Integer) given[0]) {
                    case 1: throw new Refused("because", 42);
                    case 2: throw new Empty();
                    case 3: throw new org.omg.CORBA.NO_PERMISSION(0, CompletionStatus.COMPLETED_NO);
                    default: return null;
                }
            case "remember": noted = (String) given[0]; return null;
            case "remembered": return noted;
            case "title": return "every construct";
            case "extent": if (count == 1) extent = (Point) given[0]; return extent;
            case "limit": if (count == 1) limit = (Integer) given[0]; return limit;
            case "shut_down": new Thread(() -> orb.shutdown(true)).start(); return null;
            default: throw new org.omg.CORBA.NO_IMPLEMENT();
        }
    }

    static void serve() throws Exception {
        EchoOperations echo = (EchoOperations) Proxy.newProxyInstance(JacorbPeer.class.getClassLoader(),
            new Class<?>[] {EchoOperations.class}, (proxy, method, given) -> {
                Object result = answer(method, given);
                return method.getReturnType() == void.class ? null : result;
            });
        POA root = POAHelper.narrow(orb.resolve_initial_references("RootPOA"));
        root.the_POAManager().activate();
        System.out.println(orb.object_to_string(root.servant_to_reference(new EchoPOATie(echo, root))));
        System.out.flush();
        orb.run();
    }

    static Echo echo;

    /** Calls `operation` with `first`, `second` and nothing, and looks at all three. */
    static void check(String operation, Object first, Object second) throws Exception {
        for (Method method : EchoOperations.class.getMethods()) {
            if (!method.getName().equals(operation))
                continue;
            Class<?> holder = method.getParameterTypes()[1];
            Object b = holder.getConstructor().newInstance(), c = holder.getConstructor().newInstance();
            Field held = holder.getField("value");
            held.set(b, second);
            try {
                Object result = method.invoke(echo, first, b, c);
                expect(same(result, first) && same(held.get(b), first) && same(held.get(c), second), operation);
            } catch (InvocationTargetException problem) {
                expect(false, operation + ": " + problem.getCause());
            }
            return;
        }
        expect(false, operation + ", which is not there,");
    }

    static void expect(boolean holds, String what) {
        if (!holds) {
            System.err.println(what + ": other values came back");
            failures = 1;
        }
    }

    /** Whether two values of IDL types are alike: what is in them, that is. */
    static boolean same(Object one, Object other) throws Exception {
        if (one == null || other == null)
            return one == other;
        if (one instanceof Any)
            return ((Any) one).type().equivalent(((Any) other).type()) && ((Any) one).equal((Any) other);
        if (one instanceof org.omg.CORBA.Object)
            return ((org.omg.CORBA.Object) one)._is_equivalent((org.omg.CORBA.Object) other);
        if (one instanceof BigDecimal)
            return ((BigDecimal) one).compareTo((BigDecimal) other) == 0;
        if (one.getClass().isArray()) {
            boolean alike = Array.getLength(one) == Array.getLength(other);
            for (int i = 0; alike && i < Array.getLength(one); i++)
                alike = same(Array.get(one, i), Array.get(other, i));
            return alike;
        }
        if (one.getClass().getPackage() != Point.class.getPackage())
            return one.equals(other);
        boolean alike = true;
        for (Field field : one.getClass().getDeclaredFields())
            if (!Modifier.isStatic(field.getModifiers())) {
                field.setAccessible(true);
                alike = alike && same(field.get(one), field.get(other));
            }
        return alike;
    }

    static Person person(boolean is_somebody) {
        byte[] picture = is_somebody ? new byte[] {0, 1, 2, 3, -1} : new byte[0];
        return new Person(is_somebody ? "Ada" : "", is_somebody ? Color.blue : Color.red, picture, is_somebody ? "w\u00efzard" : "");
    }

    static Tree tree(int depth) {
        return new Tree(depth, depth > 0 ? new Tree[] {tree(depth - 1), tree(0)} : new Tree[0]);
    }

    static <T> T[] filled(T[] items, IntFunction<T> item) {
        Arrays.setAll(items, item);
        return items;
    }

    static void call(Echo server, String mode) throws Exception {
        echo = server;
        boolean has_wide = mode.isEmpty();
        int many = mode.equals("small") ? 100 : 100000;
        boolean has_all = !mode.equals("plain");
        numbers(has_wide);
        records(has_wide, has_all);
        sequences(has_wide, many);
        arrays();
        if (has_all)
            anys();
        others();
        exceptions_and_attributes();
        echo.shut_down();
        System.out.println(failures == 0 ? "all of it came back" : "not all of it came back");
    }

    static void numbers(boolean has_wide) throws Exception {
        check("a_short", (short) -2, (short) 0x1234);
        check("a_long", -3, 0x12345678);
        check("a_long_long", -4L, 0x123456789abcdef0L);
        check("a_ushort", (short) 0xfffe, (short) 1);
        check("a_ulong", 0xfffffffe, 1);
        check("a_ulong_long", 0xfffffffffffffffeL, 1L);
        check("a_float", 1.5f, -0.25f);
        check("a_double", 2.5e-300, -1e300);
        check("a_char", 'x', ' ');
        if (has_wide)
            check("a_wchar", '\u20ac', 'w');
        check("a_boolean", true, false);
        check("an_octet", (byte) 255, (byte) 0);
        check("a_color", Color.blue, Color.green);
    }

    static void records(boolean has_wide, boolean has_all) throws Exception {
        check("a_point", new Point(1, -2), new Point(3, 4));
        check("a_mixed", new Mixed((byte) 1, 2.5, true, (short) -4, 5, 'c', 6.5f, 7),
            new Mixed((byte) 255, -1.0, false, (short) 4, -5, ' ', 0, 0));
        // JacORB leaves zeros out before them.
        if (has_all)
            check("a_price", new BigDecimal("12345.67"), new BigDecimal("-98765.43"));
        check("a_string", "a text", "before");
        check("a_short_text", "12345678", "a text");
        if (has_wide) {
            check("a_wstring", "w\u00efde", "");
            check("a_person", person(true), person(false));
        }
        check("a_tree", tree(4), tree(0));
        Shape at = new Shape(), text = new Shape();
        at.at(new Point(1, 2));
        text.text(Color.blue, "sky");
        check("a_shape", at, text);
        Wide who = new Wide(), other = new Wide();
        who.who(person(true));
        // JacORB has no other label than 0 for what no case names.
        other.any_other(0.5);
        if (has_wide)
            check("a_wide", who, other);
        Flag set = new Flag(), unset = new Flag();
        set.number(7);
        unset.__default();
        check("a_flag", set, unset);
        Key first = new Key(), second = new Key();
        first.first("one");
        second.second(new Rect(new Point(1, 2), new Point(3, 4)));
        check("a_key", first, second);
    }

    static void sequences(boolean has_wide, int many) throws Exception {
        int[] longs = new int[many];
        Arrays.setAll(longs, i -> i * (int) 2654435761L);
        check("some_longs", longs, new int[0]);
        double[] doubles = new double[many / 80];
        Arrays.setAll(doubles, i -> i / 3.0);
        check("some_doubles", doubles, new double[0]);
        short[] shorts = new short[many / 80];
        for (int i = 0; i < shorts.length; i++)
            shorts[i] = (short) (i * 77);
        check("some_shorts", shorts, new short[] {1, 1, 1});
        byte[] octets = new byte[many - 1];
        for (int i = 0; i < octets.length; i++)
            octets[i] = (byte) i;
        check("some_octets", octets, new byte[] {9});
        check("some_flags", new boolean[] {true, false, false, true, true}, new boolean[0]);
        check("some_texts", new String[] {"item", "", "item"}, new String[0]);
        check("some_rects", filled(new Rect[many / 80], i -> new Rect(new Point(i, 1), new Point(2, 3))), new Rect[0]);
        if (has_wide)
            check("some_people", filled(new Person[50], i -> person(i % 2 == 1)), new Person[] {person(true)});
        check("some_lists", new int[][] {{1, 2}, {}, {3}}, new int[0][]);
        check("some_colors", filled(new Color[9], i -> Color.from_int(i % 3)), new Color[0]);
    }

    static void arrays() throws Exception {
        check("a_grid", new int[][] {{1, 2, 3}, {4, 5, 6}}, new int[2][3]);
        check("some_words", new String[] {"left", "right"}, new String[] {"none", "none"});
        check("a_key16", "0123456789abcdef".getBytes("US-ASCII"), new byte[16]);
        check("some_corners", filled(new Point[4], i -> new Point(2 * i + 1, 2 * i + 2)), filled(new Point[4], i -> new Point(0, 0)));
    }

    static void anys() throws Exception {
        Any of_tree = orb.create_any(), of_nothing = orb.create_any(), of_wide = orb.create_any(), of_color = orb.create_any();
        TreeHelper.insert(of_tree, tree(2));
        Wide small = new Wide();
        small.small((byte) 5);
        WideHelper.insert(of_wide, small);
        ColorHelper.insert(of_color, Color.green);
        check("an_any", of_tree, of_nothing);
        check("an_any", of_wide, of_color);
        check("some_anys", filled(new Any[4], i -> {
            Any text = orb.create_any();
            text.insert_string("text");
            return text;
        }), new Any[0]);
    }

    static void others() throws Exception {
        check("an_echo", echo, null);
        check("an_object", null, echo);
        expect(echo._is_a("IDL:example.org/Every/Sized:1.0"), "is_a");
        expect(!echo._is_a("IDL:example.org/Every/Other:1.0"), "is_a of another");
        expect(!echo._non_existent(), "non_existent");
        expect(echo.title().equals("every construct"), "title");
    }

    static void exceptions_and_attributes() throws Exception {
        String raised = "";
        for (int how = 0; how < 4; how++) {
            try {
                echo.fails(how);
                raised += "nothing ";
            } catch (Refused refused) {
                raised += refused.why + " " + refused.code + " ";
            } catch (Empty empty) {
                raised += "empty ";
            } catch (org.omg.CORBA.NO_PERMISSION none) {
                raised += none.completed == CompletionStatus.COMPLETED_NO ? "no permission" : "after all";
            }
        }
        expect(raised.equals("nothing because 42 empty no permission"), "fails: " + raised);
        echo.extent(new Point(30, 40));
        expect(echo.extent().x == 30 && echo.extent().y == 40, "extent");
        echo.limit(11);
        expect(echo.limit() == 11, "limit");
        echo.remember("this");
        // Nobody promises that what was sent one way has arrived before what is sent next.
        for (int tries = 0; tries < 100 && echo.remembered().isEmpty(); tries++)
            Thread.sleep(10);
        expect(echo.remembered().equals("this"), "a one-way");
    }
}
