/// Numbers: brought to the type the field must have, where the value fits.
extension ExifRule {
    /// One 16-bit number. The sensitivity of a camera beyond ISO 65535 is written as 65535, as EXIF has it.
    func short(_ tag: ExifTag, allowed: [ClosedRange<Int64>]?) -> ExifTag? {
        guard let first = tag.integers?.first else { return nil }
        if let allowed {
            guard (0...0xFFFF).contains(first), allowed.contains(where: { $0.contains(first) }) else { return nil }
        } else if first <= 0 {
            return nil
        }
        return made(.short, ExifTag.littleEndian(UInt16(min(first, 0xFFFF))))
    }

    /// One number of the type, within the range.
    func integers(_ tag: ExifTag, _ type: ExifType, _ allowed: ClosedRange<Int64>) -> ExifTag? {
        guard let first = tag.integers?.first, allowed.contains(first) else { return nil }
        return made(type, Array(ExifTag.littleEndian(first).prefix(type.byteCount)))
    }

    func rational(_ tag: ExifTag, count: Int, isSigned: Bool, isKnownZero: Bool) -> ExifTag? {
        guard let fractions = tag.fractions, fractions.count >= count else { return nil }
        let used = fractions.prefix(count)
        guard used.allSatisfy({ $0.1 != 0 && (isKnownZero || $0.0 != 0) }) else { return nil }
        return encode(used, isSigned: isSigned)
    }

    func lens(_ tag: ExifTag) -> ExifTag? {
        guard let fractions = tag.fractions, fractions.count >= 4 else { return nil }
        let used = fractions.prefix(4).map { $0.1 == 0 ? (0, 0) : $0 }
        // A lens with no known focal length at all says nothing.
        guard used[0].0 != 0, used[1].0 != 0 else { return nil }
        return encode(used[...], isSigned: false)
    }

    /// Cameras mix up the signed and the unsigned type; the value decides whether it fits.
    private func encode(_ fractions: ArraySlice<(Int64, Int64)>, isSigned: Bool) -> ExifTag? {
        let range: ClosedRange<Int64> = isSigned ? Int64(Int32.min)...Int64(Int32.max) : 0...Int64(UInt32.max)
        var value: [UInt8] = []
        for (numerator, denominator) in fractions {
            guard range.contains(numerator), range.contains(denominator) else { return nil }
            value += ExifTag.littleEndian(UInt32(truncatingIfNeeded: numerator))
            value += ExifTag.littleEndian(UInt32(truncatingIfNeeded: denominator))
        }
        return made(isSigned ? .signedRational : .rational, value)
    }
}

/// Text with a character code in front (UserComment, GPSAreaInformation, GPSProcessingMethod).
extension ExifRule {
    static let asciiCode = Array("ASCII\0\0\0".utf8)

    func comment(_ tag: ExifTag) -> ExifTag? {
        let codes = [Self.asciiCode, Array("UNICODE\0".utf8), Array("JIS\0\0\0\0\0".utf8)]
        let text = tag.value.dropFirst(8)
        guard codes.contains(Array(tag.value.prefix(8))), text.contains(where: { $0 > 0x20 }) else { return nil }
        return made(.undefined, tag.value)
    }

    func gpsMethod(_ tag: ExifTag) -> ExifTag? {
        guard tag.value.starts(with: Self.asciiCode),
            let word = ExifText.clean(Array(tag.value.dropFirst(8))),
            ["GPS", "CELLID", "WLAN", "MANUAL"].contains(word)
        else { return nil }
        return made(.undefined, Self.asciiCode + Array(word.utf8))
    }
}
