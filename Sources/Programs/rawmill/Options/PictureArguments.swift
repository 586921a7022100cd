import Arguments
import Jobs

/// The longest side of a photo in pixels, or `full`.
struct LongEdgeArgument: ArgumentValue, Hashable {
    /// Nil for full size.
    let pixels: UInt32?

    init(pixels: UInt32?) { self.pixels = pixels }

    init(argument: [UInt8]) throws(InvalidArgument) {
        let text = String(decoding: argument, as: UTF8.self)
        guard text != "full" else {
            pixels = nil
            return
        }
        guard let number = UInt32(text), (16...65_500).contains(number) else {
            throw InvalidArgument("full, or a whole number from 16 to 65500")
        }
        pixels = number
    }

    var argumentText: String { pixels.map { "\($0)" } ?? "full" }
}

/// The quality of a JPEG.
struct QualityArgument: ArgumentValue, Hashable {
    let value: UInt32

    init(value: UInt32) { self.value = value }

    init(argument: [UInt8]) throws(InvalidArgument) {
        guard let number = UInt32(String(decoding: argument, as: UTF8.self)), (1...100).contains(number) else {
            throw InvalidArgument("a whole number from 1 to 100")
        }
        value = number
    }

    var argumentText: String { "\(value)" }
}

/// A colour temperature with an optional tint: `5200`, `5200,+10`.
struct WhiteBalanceArgument: ArgumentValue, Hashable {
    let kelvin: Double
    let tint: Double

    init(argument: [UInt8]) throws(InvalidArgument) {
        let parts = String(decoding: argument, as: UTF8.self).split(separator: ",", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let kelvin = Double(parts[0]), (1500...50_000).contains(kelvin),
            let tint = parts.count == 2 ? Double(parts[1]) : 0, (-150...150).contains(tint)
        else {
            throw InvalidArgument(
                "KELVIN or KELVIN,TINT: 1500 to 50000, and -150 (green) to 150 (magenta)")
        }
        self.kelvin = kelvin
        self.tint = tint
    }

    var argumentText: String { "\(kelvin.argumentText),\(tint.argumentText)" }
}

/// What photos do not tell: `location,paths`, or `all`.
struct StripArgument: ArgumentValue, Hashable {
    let details: Set<PrivateDetail>

    init(argument: [UInt8]) throws(InvalidArgument) {
        let text = String(decoding: argument, as: UTF8.self)
        guard text != "all" else {
            details = Set(PrivateDetail.allCases)
            return
        }
        var details: Set<PrivateDetail> = []
        for name in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let detail = PrivateDetail(rawValue: String(name)) else {
                throw InvalidArgument(
                    "all, or some of \(PrivateDetail.allCases.map(\.rawValue).joined(separator: ",")) with commas")
            }
            details.insert(detail)
        }
        self.details = details
    }

    var argumentText: String { details.map(\.rawValue).sorted().joined(separator: ",") }
}

/// The values of an option that can be given many times, each once. The source that comes first decides: a setting in a
/// file is overridden by the command line, not added to it.
func distinctValues<Value: ArgumentValue & Hashable>(
    _ given: [CollectedValue<Value>], else usual: Value
) -> [Value] {
    guard let last = given.last else { return [usual] }
    var seen: Set<Value> = []
    return given.filter { $0.origin == last.origin }.map(\.value).filter { seen.insert($0).inserted }
}

/// `auto`, or how much of the noise is removed, 0…1.
struct NoiseArgument: ArgumentValue, Hashable {
    /// Nil goes by the ISO speed.
    let amount: Double?

    init(amount: Double?) { self.amount = amount }

    init(argument: [UInt8]) throws(InvalidArgument) {
        let text = String(decoding: argument, as: UTF8.self)
        guard text != "auto" else {
            amount = nil
            return
        }
        guard let number = Double(text), (0...1).contains(number) else {
            throw InvalidArgument("auto or a number from 0 to 1")
        }
        amount = number + 0
    }

    var argumentText: String { amount.map { "\($0)" } ?? "auto" }
}

/// Whether faults of the lens are corrected: `auto`, or `off`.
struct LensArgument: ArgumentValue, Hashable {
    let isCorrected: Bool

    init(isCorrected: Bool) { self.isCorrected = isCorrected }

    init(argument: [UInt8]) throws(InvalidArgument) {
        switch String(decoding: argument, as: UTF8.self) {
        case "auto": isCorrected = true
        case "off": isCorrected = false
        default: throw InvalidArgument("auto or off")
        }
    }

    var argumentText: String { isCorrected ? "auto" : "off" }
}
