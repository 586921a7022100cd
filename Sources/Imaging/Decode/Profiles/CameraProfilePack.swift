internal import PictureFormat

/// Camera profiles that a recipe identifies by one digest: one file for every photo, or a folder with a profile per
/// camera.
///
/// The bytes are a text header, an empty line, and the concatenated files. They do not depend on the files' names and
/// order. The pack includes the cameras' other names, so that nodes with different versions of LibRaw find the same
/// profile.
public struct CameraProfilePack: Sendable {
    /// The whole pack.
    public let bytes: [UInt8]
    /// Byte ranges of files, by all plain names of their cameras; "" for every camera.
    private let places: [String: Range<Int>]

    private static let head = "rawmill camera profiles 1"
    /// Limit in bytes for the pack and for each file.
    public static let maxBytes = DecodeLimits.cameraProfileBytes

    /// Creates a pack with one profile for every photo, regardless of the camera it states.
    ///
    /// - Throws: `CameraProfileError` if the file is not a valid profile.
    public init(_ file: [UInt8]) throws(CameraProfileError) {
        _ = try CameraProfileFile(file)
        bytes = Array("\(Self.head)\n\(file.count) \n\n".utf8) + file
        places = ["": bytes.count - file.count..<bytes.count]
    }

    /// Creates a pack with one profile per camera.
    ///
    /// - Parameter files: names, for messages, and contents.
    /// - Throws: `CameraProfileError` if a file is not a valid profile or states no camera, if two are for one camera,
    ///   or if there are none or they exceed the limit.
    public init(folder files: [(name: String, bytes: [UInt8])]) throws(CameraProfileError) {
        var named: [String: (name: String, bytes: [UInt8])] = [:]
        var size = 0
        for file in files {
            let profile: CameraProfileFile
            do throws(CameraProfileError) { profile = try CameraProfileFile(file.bytes) } catch {
                throw CameraProfileError("\(file.name): \(error)")
            }
            guard let camera = profile.camera.map({ CameraAliases.plain($0) }), !camera.isEmpty else {
                throw CameraProfileError("\(file.name) does not state its camera; pass this file instead of its folder")
            }
            if let other = named[camera] {
                if other.bytes == file.bytes { continue }
                throw CameraProfileError(
                    "\(other.name) and \(file.name) are for the same camera; remove one of them from the folder")
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

    /// All names of the cameras, each camera's own first. A camera with a profile keeps its name; an ambiguous name
    /// belongs to the first camera.
    private static func names(of cameras: [String]) -> [[String]] {
        var taken = Set(cameras)
        return cameras.map { camera in
            [camera] + CameraAliases.known.others(of: camera).filter { taken.insert($0).inserted }
        }
    }

    /// Camera names never contain it.
    private static let separator = "\t"

    /// Reads the ``bytes`` of another pack.
    ///
    /// - Throws: `CameraProfileError` if they are damaged.
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

    /// The profile for a photo; nil if there is none for its camera.
    ///
    /// - Parameter cameras: names of the photo's camera, most exact first.
    /// - Throws: `CameraProfileError` if the profile is damaged.
    public func profile(for cameras: [String]) throws(CameraProfileError) -> CameraProfileFile? {
        for camera in cameras.map({ CameraAliases.plain($0) }) + [""] {
            if let place = places[camera] { return try CameraProfileFile(Array(bytes[place])) }
        }
        return nil
    }
}
