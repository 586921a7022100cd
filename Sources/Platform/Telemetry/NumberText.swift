/// Formats numbers for display, with a decimal point in any locale.
public enum NumberText {
    /// Rounds to decimal places; `–` if the number is too large or not finite.
    ///
    /// - Parameter places: 0…9.
    public static func decimal(_ number: Double, places: Int) -> String {
        guard number.isFinite, abs(number) < 1e15, (0...9).contains(places) else { return "–" }
        let scale = (0..<places).reduce(1) { product, _ in product * 10 }
        let scaled = Int64((abs(number) * Double(scale)).rounded())
        let sign = number < 0 && scaled > 0 ? "-" : ""
        guard places > 0 else { return "\(sign)\(scaled)" }
        let fraction = (scaled % Int64(scale)).description
        return "\(sign)\(scaled / Int64(scale)).\(String(repeating: "0", count: places - fraction.count))\(fraction)"
    }

    /// Formats a size: `1 byte`, `512 bytes`, `4.1 MB`, in powers of 1000.
    public static func bytes(_ count: UInt64) -> String {
        var number = Double(count)
        guard number >= 1000 else { return count == 1 ? "1 byte" : "\(count) bytes" }
        for unit in ["kB", "MB", "GB", "TB"] {
            number /= 1000
            if number < 999.95 { return "\(decimal(number, places: 1)) \(unit)" }
        }
        return "\(decimal(number / 1000, places: 1)) PB"
    }
}
