internal import Glibc
internal import Processes

/// Which program the render processes are started from.
///
/// Kernels run up to several times faster with the wide registers of newer processors, and Swift picks instructions
/// for a whole program, not for one function. So the render program is installed once for each level of the x86-64
/// architecture, and the best one that this machine can run is started. All of them give the same bytes.
public struct RenderProgram: Hashable, Sendable {
    public let path: String
    /// `x86-64-v3`, say; nil for the program that runs, which is built for any processor.
    public let level: String?

    public init(path: String, level: String? = nil) {
        self.path = path
        self.level = level
    }

    /// Set to 1…4, it holds the level down: for tests, and to find out whether a level is at fault.
    public static let levelVariable = "RAWMILL_CPU_LEVEL"

    /// The best one that is installed beside the program that runs; that program itself where there is none.
    public static var best: RenderProgram {
        let wished = getenv(levelVariable).flatMap { Int(String(cString: $0)) } ?? .max
        return best(level: min(wished, Processor.level), folder: installed) { access($0, X_OK) == 0 }
    }

    /// - Parameters:
    ///   - level: the highest that may run; 1 and less is any processor's.
    ///   - folder: holds one folder for each level; nil where it is not known.
    static func best(level: Int, folder: String?, isThere: (String) -> Bool) -> RenderProgram {
        if let folder, level > 1 {
            for number in stride(from: level, through: 2, by: -1) {
                let name = "x86-64-v\(number)"
                let path = "\(folder)/\(name)/rawmill-render"
                if isThere(path) { return RenderProgram(path: path, level: name) }
            }
        }
        return RenderProgram(path: "/proc/self/exe", level: nil)
    }

    /// `libexec/rawmill` beside the folder of the program that runs, as `Deploy/build` lays them out.
    private static var installed: String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        guard count > 0 else { return nil }
        let program = String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
        let folders = program.split(separator: "/", omittingEmptySubsequences: false).dropLast(2)
        return folders.joined(separator: "/") + "/libexec/rawmill"
    }
}
