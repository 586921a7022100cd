import CLibRaw
import Glibc
import Metadata

/// Formats that are older than EXIF (CRW, KDC, …) keep its facts elsewhere: what LibRaw read from there becomes tags.
func addMissingTags(to metadata: inout SourceMetadata, from raw: borrowing LibRawHandle) {
    let facts = raw.facts
    var tags = MissingTags(present: metadata.exif)
    tags.add(.image, 0x010f, ascii: raw.text(CLibRawMake))
    tags.add(.image, 0x0110, ascii: raw.text(CLibRawModel))
    tags.add(.image, 0x010e, ascii: raw.text(CLibRawDescription))
    tags.add(.image, 0x013b, ascii: raw.text(CLibRawArtist))
    tags.add(.photo, 0xa431, ascii: raw.text(CLibRawBodySerial))
    tags.add(.photo, 0xa434, ascii: raw.text(CLibRawLens))
    tags.add(.photo, 0x829a, exposure: facts.shutterSeconds)
    tags.add(.photo, 0x829d, hundredths: facts.aperture)
    tags.add(.photo, 0x920a, hundredths: facts.focalLength)
    tags.addSensitivity(facts.iso)
    if captureTime(of: metadata.exif) == nil {
        tags.addDate(facts.timestamp, asUTC: raw.text(CLibRawDecoderName) == "canon_load_raw()")
    }
    metadata.exif = tags.all
}

struct MissingTags {
    private(set) var all: [ExifTag]

    init(present: [ExifTag]) { all = present }

    private func has(_ directory: ExifDirectory, _ number: UInt16) -> Bool {
        all.contains { $0.directory == directory && $0.number == number }
    }

    private mutating func add(_ directory: ExifDirectory, _ number: UInt16, _ type: ExifType, _ value: [UInt8]) {
        guard !has(directory, number) else { return }
        all.append(ExifTag(directory: directory, number: number, type: type, value: value))
    }

    mutating func add(_ directory: ExifDirectory, _ number: UInt16, ascii text: String) {
        let plain = text.utf8.filter { $0 >= 32 && $0 < 127 }
        guard !plain.isEmpty else { return }
        add(directory, number, .ascii, plain + [0])
    }

    /// Fast exposures are written as people write them, one over a whole number.
    mutating func add(_ directory: ExifDirectory, _ number: UInt16, exposure seconds: Float) {
        guard seconds.isFinite, seconds > 0, seconds < 100_000 else { return }
        if seconds < 0.3, let divisor = UInt32(exactly: (1 / seconds).rounded()) {
            add(directory, number, .rational, littleEndian(1) + littleEndian(divisor))
        } else {
            add(directory, number, hundredths: seconds)
        }
    }

    mutating func add(_ directory: ExifDirectory, _ number: UInt16, hundredths value: Float) {
        guard value.isFinite, value > 0, value < 1_000_000, let whole = UInt32(exactly: (value * 100).rounded()),
            whole > 0
        else { return }
        add(directory, number, .rational, littleEndian(whole) + littleEndian(100))
    }

    mutating func addSensitivity(_ iso: Float) {
        guard iso.isFinite, iso >= 1, iso < 65_535, let whole = UInt16(exactly: iso.rounded()) else { return }
        add(.photo, 0x8827, .short, [UInt8(truncatingIfNeeded: whole), UInt8(truncatingIfNeeded: whole >> 8)])
    }

    /// LibRaw reads a camera's written date as if in this machine's time zone, and CRW's count of seconds as it
    /// stands; reading back the same way gives the face of the camera's clock, on every machine.
    mutating func addDate(_ timestamp: Int64, asUTC: Bool) {
        var seconds = time_t(timestamp)
        var clock = tm()
        guard timestamp > 86_400, (asUTC ? gmtime_r(&seconds, &clock) : localtime_r(&seconds, &clock)) != nil,
            clock.tm_year < 8100
        else { return }
        let fields = [clock.tm_year + 1900, clock.tm_mon + 1, clock.tm_mday, clock.tm_hour, clock.tm_min, clock.tm_sec]
        let text = fields.map { String($0) }.map { $0.utf8.count < 2 ? "0" + $0 : $0 }
        let date = text[0...2].joined(separator: ":") + " " + text[3...5].joined(separator: ":")
        all.removeAll { $0.directory == .photo && $0.number == 0x9003 }
        add(.photo, 0x9003, ascii: date)
    }
}

func littleEndian(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) }
}
