/// Numbers for people, without a locale: a point before the decimals.
public enum Numeral {
    /// Rounded to so many places (0…9); `–` for what is no number.
    public static func text(_ number: Double, places: Int) -> String {
        guard number.isFinite, abs(number) < 1e15, (0...9).contains(places) else { return "–" }
        let scale = (0..<places).reduce(1) { product, _ in product * 10 }
        let scaled = Int64((abs(number) * Double(scale)).rounded())
        let sign = number < 0 && scaled > 0 ? "-" : ""
        guard places > 0 else { return "\(sign)\(scaled)" }
        let fraction = (scaled % Int64(scale)).description
        return "\(sign)\(scaled / Int64(scale)).\(String(repeating: "0", count: places - fraction.count))\(fraction)"
    }

    /// `512 bytes`, `4.1 MB`: powers of 1000.
    public static func bytes(_ count: UInt64) -> String {
        var number = Double(count)
        guard number >= 1000 else { return "\(count) bytes" }
        for unit in ["kB", "MB", "GB", "TB"] {
            number /= 1000
            if number < 999.95 { return "\(text(number, places: 1)) \(unit)" }
        }
        return "\(text(number / 1000, places: 1)) PB"
    }
}
