internal import Glibc
internal import Processes

/// The program that render processes run.
///
/// Kernels run up to several times faster with the wide registers of newer processors, and Swift chooses instructions
/// for a whole program, not for one function. So the render program is installed for any processor in `libexec/rawmill`, and
/// for each x86-64 level in a folder of it, as `Deploy/build` lays them out, and the best one that this machine can run is
/// started. All of them give the same bytes.
public struct RenderProgram: Hashable, Sendable {
    /// Where it is installed.
    public let path: String
    /// Such as `x86-64-v3`; nil for the one that is built for any processor.
    public let level: String?

    /// A program at a path; nothing is checked.
    public init(path: String, level: String? = nil) {
        self.path = path
        self.level = level
    }

    /// The environment variable that caps the level, 1 to 4: to find out whether a level is at fault.
    public static let levelVariable = "RAWMILL_CPU_LEVEL"

    /// The best program that is installed with the running one.
    public static var best: RenderProgram {
        let cap = unsafe getenv(levelVariable).flatMap { unsafe Int(String(cString: $0)) } ?? .max
        return best(level: min(cap, Processor.level), program: runningProgram) { unsafe access($0, X_OK) == 0 }
    }

    /// - Parameters:
    ///   - level: the highest that may run; 1 or less means the program for any processor.
    ///   - program: path of the running program.
    ///   - isInstalled: whether there is a program at a path.
    /// - Returns: where it is built, beside the running one, if none is installed.
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

    /// Its path, also where another one took its name since.
    private static var runningProgram: String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count - 1)
        return String(decoding: buffer[..<max(0, count)].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
