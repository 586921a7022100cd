internal import TIFF

/// Directory and valid values of a field in a rendition's EXIF (CIPA DC-008-2019, Exif 2.32).
struct ExifRule: Sendable {
    let directory: ExifDirectory
    let tag: TIFFTag
    let form: Form

    enum Form: Sendable {
        case text
        /// `YYYY:MM:DD HH:MM:SS`
        case date
        /// `YYYY:MM:DD`
        case day
        /// `±HH:MM`
        case offset
        /// One letter of these.
        case letter(String)
        /// A 16-bit number. Nil `allowed` means any but 0, which cameras write for "unknown".
        case short(allowed: [ClosedRange<Int64>]?)
        case long
        case byte(allowed: ClosedRange<Int64>)
        /// One byte of type UNDEFINED.
        case code(allowed: ClosedRange<Int64>)
        /// - Parameter isKnownZero: true if 0 is a value, false if it means "unknown".
        case rational(count: Int = 1, isSigned: Bool = false, isKnownZero: Bool = true)
        /// Four rationals, of which 0/0 means "unknown".
        case lens
        /// Eight bytes of character code, then text.
        case comment
        /// Like `comment`, with one of the four method names of GPSProcessingMethod.
        case gpsMethod
    }

    init(_ directory: ExifDirectory, _ tag: TIFFTag, _ form: Form) {
        self.directory = directory
        self.tag = tag
        self.form = form
    }

    /// The field as written to the rendition; nil if its value is empty, out of range or of the wrong type.
    func apply(_ field: ExifField) -> ExifField? {
        switch form {
        case .text: textField(field.text)
        case .date: textField(field.text.flatMap { ExifText.isDate($0) ? $0 : nil })
        case .day: textField(field.text.flatMap { ExifText.isDay($0) ? $0 : nil })
        case .offset: textField(field.text.flatMap { ExifText.isOffset($0) ? $0 : nil })
        case .letter(let letters):
            textField(field.text.flatMap { $0.utf8.count == 1 && letters.contains($0) ? $0 : nil })
        case .short(let allowed): short(field, allowed: allowed)
        case .long: integers(field, .long, 1...0xFFFF_FFFF)
        case .byte(let allowed): integers(field, .byte, allowed)
        case .code(let allowed): integers(field, .undefined, allowed)
        case .rational(let count, let isSigned, let isKnownZero):
            rational(field, count: count, isSigned: isSigned, isKnownZero: isKnownZero)
        case .lens: lens(field)
        case .comment: comment(field)
        case .gpsMethod: gpsMethod(field)
        }
    }

    func field(_ type: FieldType, _ value: [UInt8]) -> ExifField {
        ExifField(directory: directory, tag: tag, type: type, value: value)
    }

    private func textField(_ text: String?) -> ExifField? { text.map { .text(directory, tag, $0) } }
}
