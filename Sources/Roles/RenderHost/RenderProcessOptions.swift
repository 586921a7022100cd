internal import Digest
public import Jobs
public import Render

/// How a render process renders: what its worker tells it first.
public struct RenderProcessOptions: Sendable {
    /// Path by name; the library's folder is among them.
    public var roots: [String: String]
    public var render: RenderSettings
    /// Most memory it may have resident, in bytes.
    public var memoryLimitBytes: UInt64
    /// The look that its first job will probably ask for; it gets ready for that one, too.
    public var look: LookReference?

    public init(roots: [String: String], render: RenderSettings = RenderSettings(), memoryLimitBytes: UInt64) {
        self.roots = roots
        self.render = render
        self.memoryLimitBytes = memoryLimitBytes
    }

    /// As words with a NUL behind each, which no path has.
    public func encoded() -> [UInt8] {
        let numbers = [
            ("memory-bytes", "\(memoryLimitBytes)"), ("threads", "\(render.threads)"), ("pixels", "\(render.pixels)"),
            ("file-bytes", "\(render.fileBytes)"), ("sample-bytes", "\(render.sampleBytes)"),
            ("null", render.isNull ? "1" : "0"),
        ]
        let words =
            numbers.map { "\($0)=\($1)" } + roots.sorted { $0.key < $1.key }.map { "root=\($0.key)=\($0.value)" }
            + (look.map { ["look=\($0.name)=\($0.version)=\($0.digest)"] } ?? [])
        return words.flatMap { Array($0.utf8) + [0] }
    }

    /// Nil for anything but what `encoded` wrote.
    init?(encoded bytes: [UInt8]) {
        var numbers: [Substring: Int] = [:]
        var roots: [String: String] = [:]
        var look: LookReference?
        for word in bytes.split(separator: 0).map({ String(decoding: $0, as: UTF8.self) }) {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { return nil }
            switch parts[0] {
            case "root":
                guard let equals = parts[1].firstIndex(of: "=") else { return nil }
                roots[String(parts[1][..<equals])] = String(parts[1][equals...].dropFirst())
            case "look":
                look = LookReference(word: parts[1])
                if look == nil { return nil }
            default: numbers[parts[0]] = Int(parts[1])
            }
        }
        guard let memory = numbers["memory-bytes"], let threads = numbers["threads"], let pixels = numbers["pixels"],
            let file = numbers["file-bytes"], let samples = numbers["sample-bytes"], memory > 0
        else { return nil }
        self.init(
            roots: roots,
            render: RenderSettings(pixels: pixels, fileBytes: file, sampleBytes: samples, threads: threads),
            memoryLimitBytes: UInt64(memory))
        render.isNull = numbers["null"] == 1
        self.look = look
    }
}

extension LookReference {
    /// `NAME=VERSION=DIGEST`.
    fileprivate init?(word: Substring) {
        let parts = word.split(separator: "=")
        guard parts.count == 3, let version = UInt32(parts[1]), let digest = SHA256Value(hex: parts[2]) else {
            return nil
        }
        self.init(name: String(parts[0]), version: version, digest: digest)
    }
}
