/// The part of the environment that sandboxed processes inherit. They read files of unknown origin, and a worker's
/// environment may hold secrets, such as Kafka's password or a storage's keys.
public enum RenderProcessEnvironment {
    private static let names: Set = ["PATH", "HOME", "LANG", "TZ", "TMPDIR", "GLIBC_TUNABLES", guardVariable]
    /// For libraries in unusual places, and for builds with sanitizers and coverage.
    private static let prefixes = ["LC_", "LD_", "MALLOC_", "ASAN_", "LSAN_", "TSAN_", "UBSAN_", "LLVM_"]
    /// Marks the processes of a rawmill-torture cluster.
    private static let guardVariable = "RAWMILL_TORTURE"

    /// Whether the process inherits the variable of that name.
    public static func passes(_ name: String) -> Bool {
        names.contains(name) || prefixes.contains { name.hasPrefix($0) }
    }
}
