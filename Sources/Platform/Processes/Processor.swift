internal import CProcesses

/// The processor.
public enum Processor {
    /// x86-64 microarchitecture level that the processor and the kernel support, 1 to 4 (System V AMD64 psABI, section
    /// "Micro-Architecture Levels"); 0 for other processors.
    public static var level: Int { Int(rawmill_x86_64_level()) }
}
