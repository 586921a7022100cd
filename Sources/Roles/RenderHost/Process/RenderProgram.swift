internal import Glibc
internal import Processes

/// The program that render processes run.
///
/// Kernels run up to several times faster with newer processors' wide registers, but Swift chooses instructions per
/// program, not per function. The render program is therefore installed for any processor in `libexec/rawmill`, and for
/// each x86-64 level in a subfolder, as laid out by `Deploy/build`. The best one for this machine is started. All give
/// the same bytes.
public struct RenderProgram: Hashable, Sendable {
    /// Where it is installed.
    public let path: String
    /// Such as `x86-64-v3`; nil for the one built for any processor.
    public let level: String?

    /// A program at an unchecked path.
    public init(path: String, level: String? = nil) {
        self.path = path
        self.level = level
    }

    /// Environment variable that caps the level, 1 to 4, to find out whether a level is at fault.
    public static let levelVariable = "RAWMILL_CPU_LEVEL"

    /// The best program installed with the running one.
    public static var best: RenderProgram {
        let cap = unsafe getenv(levelVariable).flatMap { unsafe Int(String(cString: $0)) } ?? .max
        return best(level: min(cap, Processor.level), program: runningProgram) { unsafe access($0, X_OK) == 0 }
    }

    /// The best installed program of at most this level, where 1 or less selects the one for any processor; the build
    /// location beside the running program if none is installed.
    static func best(level: Int, program: String, isInstalled: (String) -> Bool) -> RenderProgram {
        let folder = program.split(separator: "/", omittingEmptySubsequences: false).dropLast()
        let installed = folder.dropLast().joined(separator: "/") + "/libexec/rawmill"
        for number in stride(from: level, through: 2, by: -1) {
            let name = "x86-64-v\(number)"
            let path = "\(installed)/\(name)/\(fileName)"
            if isInstalled(path) { return RenderProgram(path: path, level: name) }
        }
        let general = "\(installed)/\(fileName)"
        return RenderProgram(path: isInstalled(general) ? general : folder.joined(separator: "/") + "/\(fileName)")
    }

    private static let fileName = "rawmill-render"

    /// Correct even if another program has since taken the name.
    private static var runningProgram: String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count - 1)
        return String(decoding: buffer[..<max(0, count)].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
