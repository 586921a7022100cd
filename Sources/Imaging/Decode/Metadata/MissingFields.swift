import Glibc
import Metadata
import TIFF

/// Adds fields that LibRaw read from structures other than EXIF, as in older formats (CRW, KDC, …).
struct MissingFields {
    private(set) var all: [ExifField]

    init(present: [ExifField]) { all = present }

    mutating func add(from raw: LibRawFile, isDateMissing: Bool) {
        let facts = raw.facts
        add(.image, .make, text: raw.text(.make))
        add(.image, .model, text: raw.text(.model))
        add(.image, .imageDescription, text: raw.text(.description))
        add(.image, .artist, text: raw.text(.artist))
        add(.photo, .bodySerialNumber, text: raw.text(.bodySerial))
        add(.photo, .lensModel, text: raw.text(.lens))
        if !has(.image, .lensInfo) { add(lens: facts.lens) }
        add(.photo, .exposureTime, exposure: facts.shutterSeconds)
        add(.photo, .fNumber, hundredths: facts.aperture)
        add(.photo, .focalLength, hundredths: facts.focalLength)
        add(sensitivity: facts.iso)
        if isDateMissing { add(timestamp: facts.timestamp, isUTC: raw.text(.decoderName) == "canon_load_raw()") }
    }

    private func has(_ directory: ExifDirectory, _ tag: TIFFTag) -> Bool {
        all.contains { $0.directory == directory && $0.tag == tag }
    }

    private mutating func add(_ field: ExifField) {
        if !has(field.directory, field.tag) { all.append(field) }
    }

    private mutating func add(_ directory: ExifDirectory, _ tag: TIFFTag, text: String) {
        let plain = text.utf8.filter { $0 >= 32 && $0 < 127 }
        guard !plain.isEmpty else { return }
        add(ExifField(directory: directory, tag: tag, type: .ascii, value: plain + [0]))
    }

    /// Writes short exposures as 1 over an integer.
    private mutating func add(_ directory: ExifDirectory, _ tag: TIFFTag, exposure seconds: Float) {
        guard seconds.isFinite, seconds > 0, seconds < 100_000 else { return }
        if seconds < 0.3, let divisor = UInt32(exactly: (1 / seconds).rounded()) {
            add(.rational(directory, tag, 1, divisor))
        } else {
            add(directory, tag, hundredths: seconds)
        }
    }

    private mutating func add(_ directory: ExifDirectory, _ tag: TIFFTag, hundredths value: Float) {
        guard value.isFinite, value > 0, value < 1_000_000, let whole = UInt32(exactly: (value * 100).rounded()),
            whole > 0
        else { return }
        add(.rational(directory, tag, whole, 100))
    }

    /// Adds EXIF's LensSpecification, in hundredths, if all four numbers are known.
    private mutating func add(lens: SIMD4<Float>) {
        let wholes = (0..<4).compactMap { UInt32(exactly: (lens[$0] * 100).rounded()) }
        guard wholes.count == 4, wholes.allSatisfy({ (1..<10_000_000).contains($0) }) else { return }
        let value = wholes.flatMap { ExifField.rational(.photo, .lensSpecification, $0, 100).value }
        add(ExifField(directory: .photo, tag: .lensSpecification, type: .rational, value: value))
    }

    private mutating func add(sensitivity iso: Float) {
        guard iso.isFinite, iso >= 1, iso < 65_535, let whole = UInt16(exactly: iso.rounded()) else { return }
        add(.short(.photo, .photographicSensitivity, whole))
    }

    /// LibRaw interprets a camera's date in the local time zone, but CRW's seconds as UTC. Reversing this gives the
    /// camera's clock on every machine.
    private mutating func add(timestamp: Int64, isUTC: Bool) {
        var seconds = time_t(timestamp)
        var clock = unsafe tm()
        guard timestamp > 86_400, unsafe (isUTC ? gmtime_r(&seconds, &clock) : localtime_r(&seconds, &clock)) != nil,
            unsafe clock.tm_year < 8100
        else { return }
        let parts = unsafe [
            clock.tm_year + 1900, clock.tm_mon + 1, clock.tm_mday, clock.tm_hour, clock.tm_min, clock.tm_sec,
        ]
        let text = parts.map { String($0) }.map { $0.utf8.count < 2 ? "0" + $0 : $0 }
        let date = text[0...2].joined(separator: ":") + " " + text[3...5].joined(separator: ":")
        all.removeAll { $0.directory == .photo && $0.tag == .dateTimeOriginal }
        add(.photo, .dateTimeOriginal, text: date)
    }
}
