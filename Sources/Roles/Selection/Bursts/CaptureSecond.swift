/// Seconds since the beginning of 1970, from EXIF times: `2015:06:01 10:00:00`. Cameras' clocks have no time zone and
/// no leap seconds.
struct CaptureSecond: Hashable, Comparable, Sendable {
    let number: Int64

    init(number: Int64) { self.number = number }

    /// Nil unless the text is a valid date and time of the years 1 to 9999.
    init?(_ exif: String) {
        let bytes = Array(exif.utf8)
        guard bytes.count == 19 else { return nil }
        func value(_ start: Int, _ count: Int) -> Int64? {
            var value: Int64 = 0
            for byte in bytes[start..<start + count] {
                guard (0x30...0x39).contains(byte) else { return nil }
                value = value * 10 + Int64(byte - 0x30)
            }
            return value
        }
        guard let year = value(0, 4), let month = value(5, 2), let day = value(8, 2), let hour = value(11, 2),
            let minute = value(14, 2), let second = value(17, 2),
            (1...9999).contains(year), (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60,
            second < 60
        else { return nil }
        number = Self.days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second
        // Refuses other separators, and days that the month lacks.
        guard text == exif else { return nil }
    }

    var text: String {
        let days = number >= 0 ? number / 86_400 : (number - 86_399) / 86_400
        let rest = number - days * 86_400
        let (year, month, day) = Self.date(days)
        let date = "\(Self.digits(year, 4)):\(Self.digits(month, 2)):\(Self.digits(day, 2))"
        return "\(date) \(Self.digits(rest / 3600, 2)):\(Self.digits(rest / 60 % 60, 2)):\(Self.digits(rest % 60, 2))"
    }

    private static func digits(_ number: Int64, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }

    static func < (a: Self, b: Self) -> Bool { a.number < b.number }

    // MARK: Calendar

    // Howard Hinnant, chrono-Compatible Low-Level Date Algorithms (2013): years begin in March, so that the leap day is
    // their last, and 400 of them have 146,097 days. Years are not negative here.

    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let era = year / 400
        let ofEra = year - era * 400
        let ofYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468
    }

    private static func date(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let days = max(0, days + 719_468)
        let era = days / 146_097
        let ofEra = days - era * 146_097
        let year = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * year + year / 4 - year / 100)
        let month = (5 * ofYear + 2) / 153
        let isNext = month >= 10
        return (
            year + era * 400 + (isNext ? 1 : 0), isNext ? month - 9 : month + 3, ofYear - (153 * month + 2) / 5 + 1
        )
    }
}
