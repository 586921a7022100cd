internal import Glibc

enum SecretFile {
    /// The problem with a file's permissions and its remedy; nil if only its owner and group can read it.
    ///
    /// Not an error: secrets mounted by Kubernetes are readable for every user of the container, which has only one.
    static func exposure(of path: String) -> String? {
        var facts = stat()
        guard unsafe stat(path, &facts) == 0, facts.st_mode & S_IROTH != 0 else { return nil }
        return "Every user of this machine can read \(path), which holds a secret. Run `chmod o-r` on it."
    }
}

extension Secret {
    private static let maxBytes = 64 * 1024

    /// Reads a secret from a file, without the line ending that editors add.
    init(contentsOf path: String, of property: String) throws(KafkaSettingsError) {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw KafkaSettingsError(
                unsafe "\(property) should come from \(path), which cannot be read: \(String(cString: strerror(errno)))"
            )
        }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = unsafe read(descriptor, &chunk, chunk.count)
            guard count >= 0, bytes.count + count <= Self.maxBytes else {
                throw KafkaSettingsError("\(property) should come from \(path), which is not a text of at most 64 KiB")
            }
            if count == 0 { break }
            bytes += chunk[..<count]
        }
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        guard let text = String(validating: bytes, as: UTF8.self), !text.isEmpty, !bytes.contains(0) else {
            throw KafkaSettingsError("\(property) should come from \(path), which is empty or not UTF-8 text")
        }
        self.init(text)
    }
}
