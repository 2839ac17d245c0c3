/* The values of samples.h, in Java: whoever has the seed knows what must be there. */
final class TeaWalk {
    private long state;
    private final int scale;
    private int depth;

    TeaWalk(int seed) {
        state = seed;
        scale = seed % 2 == 0 ? 1 : 12;
    }

    private long next() {
        state = state * 6364136223846793005L + 1442695040888963407L;
        return state >>> 32 ^ state << 32;
    }

    private long below(long end) {
        return Long.remainderUnsigned(next(), end);
    }

    private int some(int most) {
        return below(4) == 0 ? 0 : (int) below(most + 1L);
    }

    private boolean maybe(int oneIn) {
        return below(oneIn) != 0;
    }

    int anInt() { return (int) next(); }
    long aHyper() { return next(); }
    short aShort() { return (short) next(); }
    byte anOctet() { return (byte) next(); }
    float aFloat() { return (short) next() / 8.0f; }
    double aDouble() { return (int) next() / 1024.0; }
    boolean aTruth() { return below(2) != 0; }
    int aColor() { return below(3) == 0 ? color.RED : below(2) != 0 ? color.GREEN : color.BLUE; }
    counter aCounter() { return new counter(new count(anInt())); }

    private byte[] octets(int count) {
        byte[] all = new byte[count];
        for (int i = 0; i < count; i++)
            all[i] = anOctet();
        return all;
    }

    private int[] numbers(int count) {
        int[] all = new int[count];
        for (int i = 0; i < count; i++)
            all[i] = anInt();
        return all;
    }

    private long[] wides(int count) {
        long[] all = new long[count];
        for (int i = 0; i < count; i++)
            all[i] = aHyper();
        return all;
    }

    private double[] weights(int count) {
        double[] all = new double[count];
        for (int i = 0; i < count; i++)
            all[i] = aDouble();
        return all;
    }

    private int[] likes(int count) {
        int[] all = new int[count];
        for (int i = 0; i < count; i++)
            all[i] = aColor();
        return all;
    }

    private boolean[] truths(int count) {
        boolean[] all = new boolean[count];
        for (int i = 0; i < count; i++)
            all[i] = aTruth();
        return all;
    }

    private short[] smalls(int count) {
        short[] all = new short[count];
        for (int i = 0; i < count; i++)
            all[i] = aShort();
        return all;
    }

    private interface Maker<T> { T make(); }

    private <T> T[] all(T[] items, Maker<T> maker) {
        for (int i = 0; i < items.length; i++)
            items[i] = maker.make();
        return items;
    }

    private String text(int most) {
        StringBuilder text = new StringBuilder();
        int count = some(most);
        for (int i = 0; i < count; i++)
            text.append((char) ('a' + below(26)));
        return text.toString();
    }

    name aName() { return new name(text(12)); }
    words theWords() { return new words(text(300)); }
    blob aBlob() { return new blob(octets(some(1000 * scale))); }
    small_blob aSmallBlob() { return new small_blob(octets(some(7))); }
    ints theInts() { return new ints(numbers(some(150 * scale))); }
    shorts theShorts() { return new shorts(smalls(some(50))); }
    hypers theHypers() { return new hypers(wides(some(50))); }
    doubles theDoubles() { return new doubles(weights(some(50))); }
    colors theColors() { return new colors(likes(some(50))); }
    flags theFlags() { return new flags(truths(some(50))); }
    names theNames() { return new names(all(new name[some(every.LIMIT)], this::aName)); }
    lists theLists() { return new lists(all(new ints[some(6)], this::theInts)); }
    rects theRects() { return new rects(all(new rect[some(60 * scale)], this::aRect)); }
    mixeds theMixeds() { return new mixeds(all(new mixed[some(every.LIMIT)], this::aMixed)); }

    point aPoint() {
        point made = new point();
        made.x = anInt();
        made.y = anInt();
        return made;
    }

    rect aRect() {
        rect made = new rect();
        made.least = aPoint();
        made.most = aPoint();
        return made;
    }

    mixed aMixed() {
        mixed made = new mixed();
        made.c = (byte) below(128);
        made.uc = anOctet();
        made.s = aShort();
        made.us = aShort();
        made.i = anInt();
        made.ui = anInt();
        made.h = aHyper();
        made.uh = aHyper();
        made.f = aFloat();
        made.d = aDouble();
        made.b = aTruth();
        made.like = aColor();
        made.n = aCounter();
        return made;
    }

    fixed aFixed() {
        fixed made = new fixed();
        made.k = new key(octets(6));
        made.odd = octets(3);
        made.grid = numbers(4);
        made.corners = all(new point[2], this::aPoint);
        made.weights = weights(3);
        made.called = all(new name[2], this::aName);
        made.rows = all(new ints[2], this::theInts);
        return made;
    }

    holder aHolder() {
        holder made = new holder();
        made.raw = octets(some(9));
        made.text = text(40);
        made.numbers = numbers(some(4));
        made.points = all(new point[some(20)], this::aPoint);
        made.likes = likes(some(20));
        made.truths = truths(some(20));
        made.wides = wides(some(20));
        made.data = aBlob();
        made.few = aSmallBlob();
        made.called = aName();
        made.said = theWords();
        made.all = theNames();
        made.nested = theLists();
        return made;
    }

    shape aShape() {
        shape made = new shape();
        made.kind = aColor();
        if (made.kind == color.RED)
            made.at = aPoint();
        if (made.kind == color.GREEN)
            made.text = text(30);
        return made;
    }

    answer anAnswer() {
        answer made = new answer();
        made.status = some(4);
        if (made.status == 0)
            made.list = theRects();
        if (made.status == 1 || made.status == 2)
            made.both = aMixed();
        return made;
    }

    flag aFlag() {
        flag made = new flag();
        made.set = aTruth();
        if (made.set)
            made.number = anInt();
        return made;
    }

    pick aPick() {
        pick made = new pick();
        made.which = some(4);
        if (made.which == 1)
            made.big = aHyper();
        else if (made.which == 3)
            made.bytes = octets(some(50));
        else
            made.other = aPoint();
        return made;
    }

    /* jrpcgen takes an optional number for a number: here it is the union that it is on the wire. */
    optional anOptional() {
        optional made = new optional();
        made.where = maybe(2) ? aPoint() : null;
        made.number = aFlag();
        made.around = maybe(2) ? aRect() : null;
        return made;
    }

    list aList() {
        list made = new list();
        made.value = anInt();
        made.label = aName();
        made.next = maybe(8) ? aList() : null;
        return made;
    }

    chain aChain() { return new chain(maybe(3) ? aList() : null); }

    tree aTree() {
        tree made = new tree();
        made.value = anInt();
        if (++depth < 8) {
            made.left = maybe(3) ? aTree() : null;
            made.right = maybe(3) ? aTree() : null;
        }
        depth--;
        return made;
    }

    forest aForest() {
        forest made = new forest();
        made.trees = all(new tree[some(3)], this::aTree);
        made.shapes = all(new shape[some(5)], this::aShape);
        made.answers = all(new answer[some(3)], this::anAnswer);
        made.optionals = all(new optional[some(5)], this::anOptional);
        made.chains = all(new chain[some(4)], this::aChain);
        return made;
    }
}
