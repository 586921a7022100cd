internal import Glibc
internal import Processes

/// The program that render processes run.
///
/// Kernels run up to several times faster with the wide registers of newer processors, and Swift chooses instructions
/// for a whole program, not for one function. So the render program is installed once for each x86-64 level, and the
/// best one that this machine can run is started. All of them give the same bytes.
public struct RenderProgram: Hashable, Sendable {
    /// Where it is installed.
    public let path: String
    /// Such as `x86-64-v3`; nil for the running program itself, which is built for any processor.
    public let level: String?

    /// A program at a path; nothing is checked.
    public init(path: String, level: String? = nil) {
        self.path = path
        self.level = level
    }

    /// The environment variable that caps the level, 1 to 4: to find out whether a level is at fault.
    public static let levelVariable = "RAWMILL_CPU_LEVEL"

    /// The best program installed beside the running one; if there is none, the running program itself.
    public static var best: RenderProgram {
        let cap = unsafe getenv(levelVariable).flatMap { unsafe Int(String(cString: $0)) } ?? .max
        return best(level: min(cap, Processor.level), folder: installationFolder) { unsafe access($0, X_OK) == 0 }
    }

    /// - Parameters:
    ///   - level: the highest that may run; 1 or less means the program for any processor.
    ///   - folder: holds one folder per level; nil if it is not known.
    ///   - isInstalled: whether there is a program at a path.
    static func best(level: Int, folder: String?, isInstalled: (String) -> Bool) -> RenderProgram {
        if let folder, level > 1 {
            for number in stride(from: level, through: 2, by: -1) {
                let name = "x86-64-v\(number)"
                let path = "\(folder)/\(name)/rawmill-render"
                if isInstalled(path) { return RenderProgram(path: path, level: name) }
            }
        }
        return RenderProgram(path: "/proc/self/exe", level: nil)
    }

    /// `libexec/rawmill` beside the folder of the running program, as `Deploy/build` lays them out.
    private static var installationFolder: String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count - 1)
        guard count > 0 else { return nil }
        let program = String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
        let parts = program.split(separator: "/", omittingEmptySubsequences: false).dropLast(2)
        return parts.joined(separator: "/") + "/libexec/rawmill"
    }
}
