/// What a process in the sandbox gets of the environment of the one that starts it. It reads files of unknown origin, and a
/// worker's environment may hold secrets: Kafka's password, a storage's keys. So it gets only what a program needs to run.
public enum RenderProcessEnvironment {
    private static let names: Set = ["PATH", "HOME", "LANG", "TZ", "TMPDIR", "GLIBC_TUNABLES", guardVariable]
    /// For libraries in unusual places, and for builds with sanitizers and coverage.
    private static let prefixes = ["LC_", "LD_", "MALLOC_", "ASAN_", "LSAN_", "TSAN_", "UBSAN_", "LLVM_"]
    /// By which rawmill-torture knows all processes of its cluster.
    private static let guardVariable = "RAWMILL_TORTURE"

    /// Whether it gets the variable of that name.
    public static func passes(_ name: String) -> Bool {
        names.contains(name) || prefixes.contains { name.hasPrefix($0) }
    }
}
