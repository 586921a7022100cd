/// Names in an archive that every system can unpack: unique regardless of case, without characters that a system
/// forbids.
package struct ArchiveNames {
    private var taken: Set<String> = []

    /// The name, if necessary with a number before its extension: `a.jpg`, `a-2.jpg`.
    package mutating func unique(_ name: String) -> String {
        let safe = Self.safe(name)
        let dot = safe.dropFirst().lastIndex(of: ".") ?? safe.endIndex
        var candidate = safe
        var number = 1
        while !taken.insert(candidate.lowercased()).inserted {
            number += 1
            candidate = "\(safe[..<dot])-\(number)\(safe[dot...])"
        }
        return candidate
    }

    /// The name without slashes, control characters and characters that Windows reserves.
    package static func safe(_ name: String) -> String {
        let scalars = name.unicodeScalars.map { scalar -> Character in
            let isPlain = scalar.value >= 0x20 && !(0x7F..<0xA0).contains(scalar.value)
            return isPlain && !"\\/:*?\"<>|".unicodeScalars.contains(scalar) ? Character(scalar) : "-"
        }
        let safe = String(scalars)
        return safe.allSatisfy({ $0 == "." }) ? "-" : safe
    }
}
