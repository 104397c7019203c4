import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BOOLEAN;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

/** Checks the license of one product, and says whether the application may run. */
class Asc {
    static final Arena ARENA = Arena.ofAuto();
    static SymbolLookup library;

    static Object call(String name, FunctionDescriptor type, Object... arguments) throws Throwable {
        var function = library.find(name).orElseThrow();
        return Linker.nativeLinker().downcallHandle(function, type).invokeWithArguments(arguments);
    }

    /** Calls a function and returns its JSON answer. */
    static String ask(String name, long client) throws Throwable {
        var text = (MemorySegment) call(name, FunctionDescriptor.of(ADDRESS, JAVA_LONG), client);
        try {
            return text.reinterpret(Long.MAX_VALUE).getString(0);
        } finally {
            call("asc_free", FunctionDescriptor.ofVoid(ADDRESS), text);
        }
    }

    public static void main(String[] args) throws Throwable {
        library = SymbolLookup.libraryLookup(args[0], ARENA);
        var options = ARENA.allocateFrom("{\"api\": \"http://127.0.0.1:8787\", \"product_id\": 4, \"key\": \"lic_example\"}");
        var opened = FunctionDescriptor.of(JAVA_LONG, ADDRESS, ADDRESS, ADDRESS, ADDRESS);
        var none = MemorySegment.NULL;
        long license = (long) call("asc_open", opened, options, none, none, none);
        System.out.println(ask("asc_check", license));
        System.out.println(call("asc_may_run", FunctionDescriptor.of(JAVA_BOOLEAN, JAVA_LONG), license));
        call("asc_close", FunctionDescriptor.ofVoid(JAVA_LONG), license);
    }
}
