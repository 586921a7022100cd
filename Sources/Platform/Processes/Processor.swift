internal import CProcesses

public enum Processor {
    /// The best x86-64 level of this machine, 1 to 4 (x86-64 psABI, "micro-architecture levels"); 0 for another kind of
    /// processor.
    public static var level: Int { Int(rawmill_x86_64_level()) }
}
