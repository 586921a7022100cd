internal import PictureFormat

/// Camera profiles that a recipe names by one digest: a file that counts for every photo, or a folder's, of which each photo
/// takes its camera's.
///
/// The bytes are a head of lines, an empty line, and the files one after the other. The same files give the same bytes,
/// whatever they are called and in which order they come. A camera's other names are looked up when the files are packed, so
/// that every node finds the same profile, whichever LibRaw it has.
public struct CameraProfilePack: Sendable {
    /// All of it.
    public let bytes: [UInt8]
    /// Where the files are, by all names of their cameras in plain form; "" for every camera.
    private let places: [String: Range<Int>]

    private static let head = "rawmill camera profiles 1"
    /// Of the files, and of each of them.
    public static let maxBytes = DecodeLimits.cameraProfileBytes

    /// A profile for every photo, whichever camera it says it is for.
    ///
    /// - Throws: `CameraProfileError` where the file is no profile.
    public init(_ file: [UInt8]) throws(CameraProfileError) {
        _ = try CameraProfileFile(file)
        bytes = Array("\(Self.head)\n\(file.count) \n\n".utf8) + file
        places = ["": bytes.count - file.count..<bytes.count]
    }

    /// Profiles of which each photo takes the one for its camera.
    ///
    /// - Parameter files: their names for messages, and their bytes.
    /// - Throws: `CameraProfileError` where one is no profile or does not say for which camera it is, where two are for one
    ///   camera, and where there are none or they are too large.
    public init(folder files: [(name: String, bytes: [UInt8])]) throws(CameraProfileError) {
        var named: [String: (name: String, bytes: [UInt8])] = [:]
        var size = 0
        for file in files {
            let profile: CameraProfileFile
            do throws(CameraProfileError) { profile = try CameraProfileFile(file.bytes) } catch {
                throw CameraProfileError("\(file.name): \(error)")
            }
            guard let camera = profile.camera.map({ CameraAliases.plain($0) }), !camera.isEmpty else {
                throw CameraProfileError("\(file.name) does not say for which camera it is; give it as a file")
            }
            if let other = named[camera] {
                if other.bytes == file.bytes { continue }
                throw CameraProfileError(
                    "\(other.name) and \(file.name) are for the same camera; give one of them, or move one away")
            }
            named[camera] = file
            size += file.bytes.count
            guard size <= Self.maxBytes else {
                throw CameraProfileError("the profiles are larger than \(Self.maxBytes >> 20) MB; give those you need")
            }
        }
        guard !named.isEmpty else { throw CameraProfileError("there are no .dcp files") }
        let sorted = named.sorted { $0.key < $1.key }
        let names = Self.names(of: sorted.map(\.key))
        let lines = zip(sorted, names).map { "\($0.value.bytes.count) \($1.joined(separator: Self.separator))\n" }
        var bytes = Array("\(Self.head)\n\(lines.joined())\n".utf8)
        var places: [String: Range<Int>] = [:]
        for (file, names) in zip(sorted, names) {
            for name in names { places[name] = bytes.count..<bytes.count + file.value.bytes.count }
            bytes += file.value.bytes
        }
        self.bytes = bytes
        self.places = places
    }

    /// All names of the cameras, each camera's own one first. One that has a profile of its own is not another's, and a
    /// name that two could have is the first one's.
    private static func names(of cameras: [String]) -> [[String]] {
        var taken = Set(cameras)
        return cameras.map { camera in
            [camera] + CameraAliases.known.others(of: camera).filter { taken.insert($0).inserted }
        }
    }

    /// Between the names of a camera, which have no such blank.
    private static let separator = "\t"

    /// - Parameter packed: ``bytes`` of another one.
    /// - Throws: `CameraProfileError` where they are not.
    public init(packed: [UInt8]) throws(CameraProfileError) {
        var places: [String: Range<Int>] = [:]
        var sizes: [(cameras: [String], bytes: Int)] = []
        var rest = packed[...]
        func line() -> String? {
            guard let end = rest.prefix(Self.maxLine).firstIndex(of: UInt8(ascii: "\n")) else { return nil }
            defer { rest = rest[(end + 1)...] }
            return String(decoding: rest[..<end], as: UTF8.self)
        }
        guard packed.count <= Self.maxBytes + Self.maxHead, line() == Self.head else { throw Self.damaged }
        while let next = line(), !next.isEmpty {
            let parts = next.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let count = Int(parts[0]), (1...Self.maxBytes).contains(count) else {
                throw Self.damaged
            }
            sizes.append((parts[1].split(separator: "\t", omittingEmptySubsequences: false).map(String.init), count))
        }
        var start = rest.startIndex
        for (cameras, count) in sizes {
            guard count <= packed.count - start, cameras.allSatisfy({ places[$0] == nil }) else { throw Self.damaged }
            for camera in cameras { places[camera] = start..<start + count }
            start += count
        }
        guard start == packed.count, !places.isEmpty else { throw Self.damaged }
        bytes = packed
        self.places = places
    }

    private static let maxLine = 4096
    private static let maxHead = 16 << 20
    private static let damaged = CameraProfileError("the camera profiles are damaged")

    /// The profile for a photo; nil where there is none for its camera.
    ///
    /// - Parameter cameras: the names of its camera, the most exact first.
    /// - Throws: `CameraProfileError` where the profile is damaged.
    public func profile(for cameras: [String]) throws(CameraProfileError) -> CameraProfileFile? {
        for camera in cameras.map({ CameraAliases.plain($0) }) + [""] {
            if let place = places[camera] { return try CameraProfileFile(Array(bytes[place])) }
        }
        return nil
    }
}
