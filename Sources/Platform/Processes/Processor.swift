internal import CProcesses

/// The processor this program runs on.
public enum Processor {
    /// Its x86-64 micro-architecture level, 1 to 4 (System V AMD64 psABI, section "Micro-Architecture Levels"), as far
    /// as the kernel supports it; 0 for another kind of processor.
    public static var level: Int { Int(rawmill_x86_64_level()) }
}
