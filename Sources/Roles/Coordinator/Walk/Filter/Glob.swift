/// A file name pattern, as in shells: `*` matches any bytes, `?` one byte, `[a-z]` and `[!a-z]` are sets, and a
/// backslash takes the next byte literally.
///
/// A pattern without a slash is compared with names, any other with paths below the source, where `*` also matches
/// slashes. A pattern that ends in a slash only matches folders.
public struct Glob: Hashable, Sendable {
    private enum Part: Hashable {
        case byte(UInt8)
        case any
        case anyRun
        case set([ClosedRange<UInt8>], isInverted: Bool)
    }

    private let parts: [Part]
    private let isPath: Bool
    private let isForFolders: Bool

    /// Nil for an empty pattern, and for an unclosed set.
    public init?(_ pattern: [UInt8]) {
        var bytes = pattern[...]
        isForFolders = bytes.count > 1 && bytes.last == .slash
        if isForFolders { bytes.removeLast() }
        if bytes.first == .slash { bytes.removeFirst() }
        guard !bytes.isEmpty else { return nil }
        isPath = pattern.dropLast(isForFolders ? 1 : 0).contains(.slash)
        var parts: [Part] = []
        while let byte = bytes.popFirst() {
            switch byte {
            case UInt8(ascii: "*"): if parts.last != .anyRun { parts.append(.anyRun) }
            case UInt8(ascii: "?"): parts.append(.any)
            case UInt8(ascii: "["):
                guard let set = Self.set(&bytes) else { return nil }
                parts.append(set)
            case UInt8(ascii: "\\"): parts.append(.byte(bytes.popFirst() ?? byte))
            default: parts.append(.byte(byte))
            }
        }
        self.parts = parts
    }

    private static func set(_ bytes: inout ArraySlice<UInt8>) -> Part? {
        let isInverted = bytes.first == UInt8(ascii: "!") || bytes.first == UInt8(ascii: "^")
        if isInverted { bytes.removeFirst() }
        var ranges: [ClosedRange<UInt8>] = []
        while let low = bytes.popFirst() {
            if low == UInt8(ascii: "]"), !ranges.isEmpty { return .set(ranges, isInverted: isInverted) }
            var high = low
            if bytes.first == UInt8(ascii: "-"), let end = bytes.dropFirst().first, end != UInt8(ascii: "]") {
                bytes.removeFirst(2)
                high = end
            }
            if low <= high { ranges.append(low...high) }
        }
        return nil
    }

    /// - Parameter path: below the source; the name alone for a source that is a file.
    func matches(_ path: [UInt8], isFolder: Bool) -> Bool {
        if isForFolders, !isFolder { return false }
        return isPath ? matches(path[...]) : matches(path.parent?.name[...] ?? path[...])
    }

    /// Compares from the left. After a mismatch the last `*` takes one more byte, so the time is bounded by the product
    /// of both lengths.
    private func matches(_ text: ArraySlice<UInt8>) -> Bool {
        var (part, position) = (0, text.startIndex)
        var retry: (part: Int, position: Int)?
        while position < text.endIndex {
            if part < parts.count, parts[part] == .anyRun {
                retry = (part, position)
                part += 1
            } else if part < parts.count, Self.accepts(parts[part], text[position]) {
                part += 1
                position += 1
            } else if let last = retry {
                retry = (last.part, last.position + 1)
                (part, position) = (last.part + 1, last.position + 1)
            } else {
                return false
            }
        }
        return parts[part...].allSatisfy { $0 == .anyRun }
    }

    private static func accepts(_ part: Part, _ byte: UInt8) -> Bool {
        switch part {
        case .byte(let own): own == byte
        case .any, .anyRun: true
        case .set(let ranges, let isInverted): ranges.contains { $0.contains(byte) } != isInverted
        }
    }
}
