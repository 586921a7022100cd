public import Sandbox

/// What a render process gives up before it looks into the first file of unknown origin.
public enum RenderSandbox {
    /// Enters the sandbox of a render process, for good. For programs that try to break out of it.
    ///
    /// - Parameters:
    ///   - addressSpaceBytes: the most memory that the process can ask for.
    ///   - maxFileBytes: the largest file that it can write.
    ///   - features: those of the kernel that are used.
    /// - Throws: `SandboxError` if the kernel has a restriction and does not put it into force.
    public static func enter(
        addressSpaceBytes: UInt64, maxFileBytes: UInt64 = maxFileBytes, features: SandboxFeatures = .available
    ) throws(SandboxError) {
        try ProcessSandbox(addressSpaceBytes: addressSpaceBytes, maxFileBytes: maxFileBytes).enter(features)
    }

    /// A photo of 65,500 × 65,500 pixels, the most that a JPEG file has, has less.
    public static let maxFileBytes: UInt64 = 4 << 30
}
