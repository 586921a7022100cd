public import Sandbox

/// The restrictions that a render process accepts before it reads the first file of unknown origin.
public enum RenderSandbox {
    /// Enters the sandbox of a render process permanently. Public for programs that try to break out of it.
    ///
    /// - Throws: `SandboxError` if the kernel has a restriction but does not enforce it.
    public static func enter(
        addressSpaceBytes: UInt64, maxFileBytes: UInt64 = maxFileBytes, features: SandboxFeatures = .available
    ) throws(SandboxError) {
        try ProcessSandbox(addressSpaceBytes: addressSpaceBytes, maxFileBytes: maxFileBytes).enter(features)
    }

    /// Larger than a photo of 65,500 × 65,500 pixels, the JPEG maximum.
    public static let maxFileBytes: UInt64 = 4 << 30
}
