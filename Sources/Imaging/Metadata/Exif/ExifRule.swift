/// Where a tag belongs in a JPEG's EXIF and what its value must look like (CIPA DC-008-2019, Exif 2.32).
struct ExifRule: Sendable {
    let directory: ExifDirectory
    let number: UInt16
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
        /// 16-bit numbers; nil `allowed` means any but a lone 0, which cameras write for "not known".
        case short(allowed: [ClosedRange<Int64>]?)
        case long
        case byte(allowed: ClosedRange<Int64>)
        /// One byte of type UNDEFINED.
        case code(allowed: ClosedRange<Int64>)
        /// - Parameter isKnownZero: 0 is a value and not the sign for "not known".
        case rational(count: Int = 1, isSigned: Bool = false, isKnownZero: Bool = true)
        /// Four rationals of which 0/0 is "not known".
        case lens
        /// Eight bytes naming the character code, then text.
        case comment
        /// The same, one of the four words GPSProcessingMethod allows.
        case gpsMethod
    }

    init(_ directory: ExifDirectory, _ number: UInt16, _ form: Form) {
        self.directory = directory
        self.number = number
        self.form = form
    }

    /// The tag as it may stand in the rendition; nil where its value is empty, out of range or of a type that cannot
    /// be the field's.
    func apply(_ tag: ExifTag) -> ExifTag? {
        switch form {
        case .text: written(tag.text)
        case .date: written(tag.text.flatMap { ExifText.isDate($0) ? $0 : nil })
        case .day: written(tag.text.flatMap { ExifText.isDay($0) ? $0 : nil })
        case .offset: written(tag.text.flatMap { ExifText.isOffset($0) ? $0 : nil })
        case .letter(let letters): written(tag.text.flatMap { $0.utf8.count == 1 && letters.contains($0) ? $0 : nil })
        case .short(let allowed): short(tag, allowed: allowed)
        case .long: integers(tag, .long, 1...0xFFFF_FFFF)
        case .byte(let allowed): integers(tag, .byte, allowed)
        case .code(let allowed): integers(tag, .undefined, allowed)
        case .rational(let count, let isSigned, let isKnownZero):
            rational(tag, count: count, isSigned: isSigned, isKnownZero: isKnownZero)
        case .lens: lens(tag)
        case .comment: comment(tag)
        case .gpsMethod: gpsMethod(tag)
        }
    }

    func made(_ type: ExifType, _ value: [UInt8]) -> ExifTag {
        ExifTag(directory: directory, number: number, type: type, value: value)
    }

    private func written(_ text: String?) -> ExifTag? { text.map { .text(directory, number, $0) } }
}
