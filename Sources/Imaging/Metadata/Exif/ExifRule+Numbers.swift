internal import TIFF

extension ExifRule {
    /// One 16-bit number. EXIF requires 65535 for sensitivities beyond ISO 65535.
    func short(_ field: ExifField, allowed: [ClosedRange<Int64>]?) -> ExifField? {
        guard let first = field.integers?.first else { return nil }
        if let allowed {
            guard (0...0xFFFF).contains(first), allowed.contains(where: { $0.contains(first) }) else { return nil }
        } else if first <= 0 {
            return nil
        }
        return self.field(.short, ExifField.littleEndian(UInt16(min(first, 0xFFFF))))
    }

    /// One number of the type, within the range.
    func integers(_ field: ExifField, _ type: FieldType, _ allowed: ClosedRange<Int64>) -> ExifField? {
        guard let first = field.integers?.first, allowed.contains(first) else { return nil }
        return self.field(type, Array(ExifField.littleEndian(first).prefix(type.byteCount)))
    }

    func rational(_ field: ExifField, count: Int, isSigned: Bool, isKnownZero: Bool) -> ExifField? {
        guard let fractions = field.fractions, fractions.count >= count else { return nil }
        let used = fractions.prefix(count)
        guard used.allSatisfy({ $0.1 != 0 && (isKnownZero || $0.0 != 0) }) else { return nil }
        return encode(used, isSigned: isSigned)
    }

    func lens(_ field: ExifField) -> ExifField? {
        guard let fractions = field.fractions, fractions.count >= 4 else { return nil }
        let used = fractions.prefix(4).map { $0.1 == 0 ? (0, 0) : $0 }
        // Without a focal length the field is useless.
        guard used[0].0 != 0, used[1].0 != 0 else { return nil }
        return encode(used[...], isSigned: false)
    }

    /// Cameras confuse the signed and unsigned types, so only the value is checked.
    private func encode(_ fractions: ArraySlice<(Int64, Int64)>, isSigned: Bool) -> ExifField? {
        let range: ClosedRange<Int64> = isSigned ? Int64(Int32.min)...Int64(Int32.max) : 0...Int64(UInt32.max)
        var value: [UInt8] = []
        for (numerator, denominator) in fractions {
            guard range.contains(numerator), range.contains(denominator) else { return nil }
            value += ExifField.littleEndian(UInt32(truncatingIfNeeded: numerator))
            value += ExifField.littleEndian(UInt32(truncatingIfNeeded: denominator))
        }
        return self.field(isSigned ? .signedRational : .rational, value)
    }
}

/// Text preceded by a character code (UserComment, GPSAreaInformation, GPSProcessingMethod).
extension ExifRule {
    static let asciiCode = Array("ASCII\0\0\0".utf8)

    func comment(_ field: ExifField) -> ExifField? {
        let codes = [Self.asciiCode, Array("UNICODE\0".utf8), Array("JIS\0\0\0\0\0".utf8)]
        let text = field.value.dropFirst(8)
        guard codes.contains(Array(field.value.prefix(8))), text.contains(where: { $0 > 0x20 }) else { return nil }
        return self.field(.undefined, field.value)
    }

    func gpsMethod(_ field: ExifField) -> ExifField? {
        guard field.value.starts(with: Self.asciiCode),
            let method = ExifText.clean(Array(field.value.dropFirst(8))),
            ["GPS", "CELLID", "WLAN", "MANUAL"].contains(method)
        else { return nil }
        return self.field(.undefined, Self.asciiCode + Array(method.utf8))
    }
}
