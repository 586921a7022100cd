import Storage

/// Publishes and replaces files in the folder given until it is killed.
@main
struct StorageWriter {
    static func main() throws {
        let root = try Root(path: CommandLine.arguments[1])
        var turn: UInt64 = 0
        while true {
            let bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: turn), count: 200_000)
            let path = Array("\(turn % 7)/\(turn % 31).jpg".utf8)
            _ = try root.publish(bytes, at: path, existing: .replace)
            turn += 1
        }
    }
}
