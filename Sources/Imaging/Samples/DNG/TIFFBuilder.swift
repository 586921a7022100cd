public import TIFF

/// The value of a TIFF field.
public enum TIFFValue: Hashable, Sendable {
    case bytes([UInt8])
    case undefined([UInt8])
    case ascii(String)
    case shorts([UInt16])
    case signedShorts([Int16])
    case longs([UInt32])
    case rationals([Rational])
    case signedRationals([Rational])
    /// Offsets of other directories, written after this one.
    case directories([ImageFileDirectory])
    /// Offsets of `count` chunks of image data, from index `first` on.
    case chunkOffsets(first: Int, count: Int)
}

/// A fraction.
public struct Rational: Hashable, Sendable {
    /// Above the line.
    public let numerator: Int64
    /// Below the line.
    public let denominator: Int64

    /// - Parameters:
    /// - numerator: above the line.
    /// - denominator: below the line.
    public init(_ numerator: Int64, _ denominator: Int64) {
        self.numerator = numerator
        self.denominator = denominator
    }

    /// - Parameters:
    /// - value: is rounded.
    /// - denominator: below the line.
    public init(_ value: Float, per denominator: Int64 = 10_000) {
        self.init(Int64((value * Float(denominator)).rounded()), denominator)
    }
}

/// One directory (IFD) of a TIFF file.
public struct ImageFileDirectory: Hashable, Sendable {
    /// Values by tag.
    public var fields: [TIFFTag: TIFFValue]

    /// - Parameter fields: values by tag.
    public init(_ fields: [TIFFTag: TIFFValue] = [:]) { self.fields = fields }

    /// The value of a tag; nil if absent.
    public subscript(tag: TIFFTag) -> TIFFValue? {
        get { fields[tag] }
        set { fields[tag] = newValue }
    }
}

/// Lays out a TIFF file (TIFF Revision 6.0, Adobe 1992): header, directories, image data.
struct TIFFBuilder {
    let littleEndian: Bool
    let chunks: [[UInt8]]

    func file(_ directory: ImageFileDirectory) -> [UInt8] {
        let headerBytes = 8
        let metadataBytes = serialised(directory, at: headerBytes, chunkOffsets: chunks.map { _ in 0 }).count
        let start = (headerBytes + metadataBytes + 15) / 16 * 16
        var offsets: [UInt32] = []
        var end = start
        for chunk in chunks {
            offsets.append(UInt32(truncatingIfNeeded: end))
            end += (chunk.count + 1) / 2 * 2
        }
        var file: [UInt8] = []
        file.reserveCapacity(end)
        file += littleEndian ? [0x49, 0x49, 42, 0, 8, 0, 0, 0] : [0x4d, 0x4d, 0, 42, 0, 0, 0, 8]
        file += serialised(directory, at: headerBytes, chunkOffsets: offsets)
        file += [UInt8](repeating: 0, count: start - file.count)
        for chunk in chunks {
            file += chunk
            if chunk.count % 2 == 1 { file.append(0) }
        }
        return file
    }

    private func serialised(_ directory: ImageFileDirectory, at offset: Int, chunkOffsets: [UInt32]) -> [UInt8] {
        let fields = directory.fields.sorted { $0.key < $1.key }
        var table = number(UInt64(fields.count), bytes: 2)
        var extra: [UInt8] = []
        let extraOffset = offset + 2 + fields.count * 12 + 4
        for (tag, value) in fields {
            let field = encoded(value, at: extraOffset + extra.count, chunkOffsets: chunkOffsets)
            extra += field.following
            table +=
                number(UInt64(tag.rawValue), bytes: 2) + number(field.type, bytes: 2) + number(field.count, bytes: 4)
            if field.value.count <= 4 {
                table += field.value + [UInt8](repeating: 0, count: 4 - field.value.count)
            } else {
                table += number(UInt64(extraOffset + extra.count), bytes: 4)
                extra += field.value
                if extra.count % 2 == 1 { extra.append(0) }
            }
        }
        return table + [0, 0, 0, 0] + extra
    }

    private struct Field {
        var type: UInt64
        var count: UInt64
        var value: [UInt8]
        /// The directories that this field refers to.
        var following: [UInt8] = []
    }

    private func encoded(_ value: TIFFValue, at offset: Int, chunkOffsets: [UInt32]) -> Field {
        switch value {
        case .bytes(let bytes): Field(type: 1, count: UInt64(bytes.count), value: bytes)
        case .undefined(let bytes): Field(type: 7, count: UInt64(bytes.count), value: bytes)
        case .ascii(let text):
            Field(type: 2, count: UInt64(text.utf8.count + 1), value: Array(text.utf8) + [0])
        case .shorts(let values): field(3, values.map { UInt64($0) }, bytes: 2)
        case .signedShorts(let values): field(8, values.map { UInt64(UInt16(bitPattern: $0)) }, bytes: 2)
        case .longs(let values): field(4, values.map { UInt64($0) }, bytes: 4)
        case .rationals(let values): field(5, parts(values), bytes: 4, perValue: 2)
        case .signedRationals(let values): field(10, parts(values), bytes: 4, perValue: 2)
        case .chunkOffsets(let first, let count):
            field(4, chunkOffsets[first..<first + count].map { UInt64($0) }, bytes: 4)
        case .directories(let directories): pointing(to: directories, at: offset, chunkOffsets: chunkOffsets)
        }
    }

    private func pointing(to directories: [ImageFileDirectory], at offset: Int, chunkOffsets: [UInt32]) -> Field {
        var following: [UInt8] = []
        var offsets: [UInt64] = []
        for directory in directories {
            offsets.append(UInt64(offset + following.count))
            following += serialised(directory, at: offset + following.count, chunkOffsets: chunkOffsets)
            if following.count % 2 == 1 { following.append(0) }
        }
        var result = field(4, offsets, bytes: 4)
        result.following = following
        return result
    }

    private func parts(_ values: [Rational]) -> [UInt64] {
        values.flatMap {
            [UInt64(truncatingIfNeeded: $0.numerator), UInt64(truncatingIfNeeded: $0.denominator)]
        }
    }

    private func field(_ type: UInt64, _ values: [UInt64], bytes: Int, perValue: Int = 1) -> Field {
        Field(type: type, count: UInt64(values.count / perValue), value: values.flatMap { number($0, bytes: bytes) })
    }

    private func number(_ value: UInt64, bytes: Int) -> [UInt8] {
        let little = (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
        return littleEndian ? little : little.reversed()
    }
}
