internal import Glibc

/// The process that holds a lock.
public struct LockHolder: Hashable, Sendable, CustomStringConvertible {
    /// The pid on its machine.
    public let process: Int32
    /// Host name; nil if an older version took the lock.
    public let host: String?

    /// For example "process 12 on nas-1".
    public var description: String { "process \(process)" + (host.map { " on \($0)" } ?? "") }

    var fileText: String { "\(process)" + (host.map { " \($0)" } ?? "") }

    init?(fileText: String) {
        let words = fileText.split(separator: " ", maxSplits: 1).map(String.init)
        guard let process = words.first.flatMap({ Int32($0) }) else { return nil }
        self.process = process
        host = words.count > 1 ? words[1] : nil
    }

    private init(process: Int32, host: String?) {
        self.process = process
        self.host = host
    }

    static var current: LockHolder {
        var name = [CChar](repeating: 0, count: 256)
        let isNamed = unsafe gethostname(&name, name.count - 1) == 0
        let host = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return LockHolder(process: getpid(), host: isNamed && !host.isEmpty ? host : nil)
    }
}
