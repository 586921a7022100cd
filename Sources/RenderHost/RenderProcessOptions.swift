public import Render

/// What a render process is started with: the same on both sides of its command line.
public struct RenderProcessOptions: Sendable {
    /// Path by name; the library's folder is among them.
    public var roots: [String: String]
    public var render: RenderSettings
    /// Most memory it may have resident, in bytes.
    public var memoryLimitBytes: UInt64

    public init(roots: [String: String], render: RenderSettings = RenderSettings(), memoryLimitBytes: UInt64) {
        self.roots = roots
        self.render = render
        self.memoryLimitBytes = memoryLimitBytes
    }

    /// Everything behind the program's name.
    ///
    /// - Parameter parent: the process to end with.
    public func arguments(parent: Int32) -> [String] {
        let numbers = [
            ("parent", "\(parent)"), ("memory-bytes", "\(memoryLimitBytes)"), ("threads", "\(render.threads)"),
            ("pixels", "\(render.pixels)"), ("file-bytes", "\(render.fileBytes)"),
            ("sample-bytes", "\(render.sampleBytes)"), ("null", render.isNull ? "1" : "0"),
        ]
        return [RenderProcess.command] + numbers.map { "\($0)=\($1)" }
            + roots.sorted { $0.key < $1.key }.map { "root=\($0.key)=\($0.value)" }
    }

    /// Reads the command line; nil for anything but what `arguments` wrote.
    static func read(_ arguments: [String]) -> (options: RenderProcessOptions, parent: Int32)? {
        var numbers: [Substring: Int] = [:]
        var roots: [String: String] = [:]
        for argument in arguments {
            let words = argument.split(separator: "=", maxSplits: 2, omittingEmptySubsequences: false)
            if words.count == 3, words[0] == "root" {
                roots[String(words[1])] = String(words[2])
            } else if words.count == 2, let number = Int(words[1]) {
                numbers[words[0]] = number
            } else {
                return nil
            }
        }
        guard let parent = numbers["parent"].flatMap({ Int32(exactly: $0) }), let memory = numbers["memory-bytes"],
            let threads = numbers["threads"], let pixels = numbers["pixels"], let file = numbers["file-bytes"],
            let samples = numbers["sample-bytes"], memory > 0
        else { return nil }
        var render = RenderSettings(pixels: pixels, fileBytes: file, sampleBytes: samples, threads: threads)
        render.isNull = numbers["null"] == 1
        return (
            RenderProcessOptions(
                roots: roots, render: render,
                memoryLimitBytes: UInt64(memory)), parent
        )
    }
}
