import static java.lang.foreign.ValueLayout.*;

import java.lang.foreign.*;
import java.util.stream.Stream;

/** Checks the license of one product, starts its trial if there is none, and takes a session of a floating license. */
class Asc {
    static final Arena ARENA = Arena.ofAuto();
    static SymbolLookup library;

    /** Calls a function. A Long is a client, and any other argument a text or null. */
    static Object call(String name, MemoryLayout result, Object... arguments) throws Throwable {
        var layouts = Stream.of(arguments).map(one -> one instanceof Long ? JAVA_LONG : ADDRESS).toArray(MemoryLayout[]::new);
        var type = result == null ? FunctionDescriptor.ofVoid(layouts) : FunctionDescriptor.of(result, layouts);
        return Linker.nativeLinker().downcallHandle(library.find(name).orElseThrow(), type).invokeWithArguments(arguments);
    }

    /** Calls a function and returns its JSON answer. */
    static String ask(String name, Object... arguments) throws Throwable {
        var text = (MemorySegment) call(name, ADDRESS, arguments);
        try {
            return text.reinterpret(Long.MAX_VALUE).getString(0);
        } finally {
            call("asc_free", null, text);
        }
    }

    public static void main(String[] args) throws Throwable {
        library = SymbolLookup.libraryLookup(args[0], ARENA);
        var options = ARENA.allocateFrom("{\"api\": \"http://127.0.0.1:8787\", \"product_id\": 4, \"key\": \"lic_example\"}");
        var none = MemorySegment.NULL;
        var license = (Long) call("asc_open", JAVA_LONG, options, none, none, none);
        for (var name : new String[] {"asc_check", "asc_start_trial"}) System.out.println(ask(name, license));
        System.out.println(call("asc_may_run", JAVA_BOOLEAN, license));
        System.out.println(call("asc_has", JAVA_BOOLEAN, license, ARENA.allocateFrom("export")));
        System.out.println(ask("asc_lease", license, none, none, none));
        System.out.println(ask("asc_end_lease", license));
        call("asc_close", null, license);
    }
}
