import Storage

/// Publishes and replaces files in the given folder until it is killed.
@main
struct StorageWriter {
    static func main() throws {
        let root = try Root(path: CommandLine.arguments[1])
        var round: UInt64 = 0
        while true {
            let bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: round), count: 200_000)
            let path = Array("\(round % 7)/\(round % 31).jpg".utf8)
            _ = try root.publish(bytes, at: path, existing: .replace)
            round += 1
        }
    }
}
