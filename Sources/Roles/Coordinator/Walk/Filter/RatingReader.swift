internal import Storage

/// Finds a photo's rating in its sidecar, else in the RAW itself, where cameras and programs write it.
///
/// The coordinator must not be harmed by the foreign files it reads here. So it does not parse them: it searches a
/// bounded part for the one property, with checked indices.
struct RatingReader {
    let folder: OpenFolder

    /// Sidecars with long histories have some hundred kilobytes.
    private static let maxPacketBytes = 4 << 20
    /// Containers other than TIFF have their packet before the pictures.
    private static let headBytes = 256 << 10

    /// The number of stars, −1 (rejected) to 5; 0 without a rating.
    func rating(of raw: [UInt8], sidecar: [UInt8]?) -> Int {
        if let sidecar, let packet = try? folder.bytes(of: sidecar, at: 0, count: Self.maxPacketBytes),
            let rating = RatingText.rating(in: packet)
        {
            return rating
        }
        return embedded(raw) ?? 0
    }

    private func embedded(_ raw: [UInt8]) -> Int? {
        let read = { (offset: UInt64, count: Int) in
            (try? folder.bytes(of: raw, at: offset, count: min(count, Self.maxPacketBytes))) ?? []
        }
        guard let tags = TIFFRatingTags(read) else { return RatingText.rating(in: read(0, Self.headBytes)) }
        return tags.packet.flatMap { RatingText.rating(in: read($0.offset, $0.count)) } ?? tags.rating
    }
}

/// Tags of a TIFF's first folder that may hold a rating: Rating (0x4746), RatingPercent (0x4749) and an XMP packet
/// (700).
private struct TIFFRatingTags {
    private(set) var rating: Int?
    private(set) var packet: (offset: UInt64, count: Int)?

    init?(_ read: (_ offset: UInt64, _ count: Int) -> [UInt8]) {
        let header = read(0, 8)
        guard header.count == 8 else { return nil }
        let isLittle = header.starts(with: "II".utf8)
        guard isLittle || header.starts(with: "MM".utf8) else { return nil }
        func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
            (isLittle ? Array(bytes.reversed()) : Array(bytes)).reduce(0) { $0 << 8 | UInt64($1) }
        }
        var percent = 0
        let start = number(header[4..<8])
        let count = Int(number(read(start, 2)[...]))
        let entries = read(start + 2, 12 * min(count, 1000))
        for entry in stride(from: 0, to: entries.count - 11, by: 12) {
            let value = entries[entry..<(entry + 12)]
            switch number(value.prefix(2)) {
            case 0x4746: rating = Int(number(value[(entry + 8)..<(entry + 10)]))
            case 0x4749: percent = Int(number(value[(entry + 8)..<(entry + 10)]))
            case 700:
                packet = (number(value[(entry + 8)..<(entry + 12)]), Int(number(value[(entry + 4)..<(entry + 8)])))
            default: break
            }
        }
        if let found = rating, !(1...5).contains(found) { rating = nil }
        if rating == nil, (1...100).contains(percent) { rating = (percent + 12) / 25 + 1 }
    }
}

/// Finds `xmp:Rating` in a packet, as an attribute or as an element.
enum RatingText {
    private static let names = ["xmp:Rating", "xap:Rating"].map { Array($0.utf8) }

    static func rating(in packet: [UInt8]) -> Int? {
        for name in names {
            var start = packet.startIndex
            while let colon = packet[start...].firstIndex(of: UInt8(ascii: ":")) {
                start = colon + 1
                let begin = colon - 3
                guard begin >= 0, packet[begin...].starts(with: name) else { continue }
                if let rating = value(packet[(begin + name.count)...]) { return rating }
            }
        }
        return nil
    }

    /// The number after `="` or `>`.
    private static func value(_ rest: ArraySlice<UInt8>) -> Int? {
        let marks = Set("=\"'> \n\r\t".utf8)
        let text = rest.prefix(64)
        guard text.first.map(marks.contains) ?? false else { return nil }
        let digits = text.drop(while: marks.contains).prefix { $0 == 0x2D || $0 == 0x2E || (0x30...0x39).contains($0) }
        guard let number = Double(String(decoding: digits, as: UTF8.self)), (-1...5).contains(number) else {
            return nil
        }
        return Int(number.rounded())
    }
}
