import ColourScience
import PictureFormat

/// Input colours of a table: primaries and transfer function. Files cannot state them, so the user does when importing
/// a table.
///
/// Tables for display colours return colours of the same space. Tables for logarithmic scene light are the whole
/// rendering, like a film, and return colours for a Rec. 709 display (BT.1886 with a black of 0, which is a power of
/// 2.4).
public enum TableSpace: String, Hashable, Sendable, CaseIterable {
    /// sRGB as on screens.
    case sRGB = "srgb"
    /// Rec. 709 as on video monitors: a power of 2.4.
    case rec709 = "rec709"
    case displayP3 = "display-p3"
    case adobeRGB = "adobe-rgb"
    /// Linear light of an sRGB screen, 0…1.
    case linear
    /// ARRI LogC3 at EI 800, in ARRI Wide Gamut 3.
    case logC3 = "logc3"
    /// ARRI LogC4, in ARRI Wide Gamut 4.
    case logC4 = "logc4"
    /// Sony S-Log3 in S-Gamut3.Cine.
    case sLog3 = "slog3"
    /// Panasonic V-Log in V-Gamut.
    case vLog = "vlog"
    /// Canon Log 2 in Cinema Gamut.
    case canonLog2 = "canon-log2"
    /// Canon Log 3 in Cinema Gamut.
    case canonLog3 = "canon-log3"
    /// A film scan's printing density, 10-bit Cineon from 95 to 685.
    case cineon
    case acesCCT = "acescct"
    /// The Academy's ACEScg, which is linear.
    case acesCG = "acescg"
    /// DaVinci Intermediate, in DaVinci Wide Gamut.
    case daVinciIntermediate = "davinci-intermediate"

    /// List for messages.
    public static let list = allCases.map(\.rawValue).joined(separator: ", ")

    /// Whether the input is scene light, which the table renders.
    public var isScene: Bool { log != nil }

    /// A clause for messages.
    public var explanation: String {
        switch self {
        case .sRGB: "colours of an sRGB screen"
        case .rec709: "colours of a Rec. 709 monitor (gamma 2.4)"
        case .displayP3: "colours of a Display P3 screen"
        case .adobeRGB: "Adobe RGB"
        case .linear: "linear light of an sRGB screen"
        case .logC3: "scene light as ARRI LogC3 (EI 800), ARRI Wide Gamut 3"
        case .logC4: "scene light as ARRI LogC4, ARRI Wide Gamut 4"
        case .sLog3: "scene light as Sony S-Log3, S-Gamut3.Cine"
        case .vLog: "scene light as Panasonic V-Log, V-Gamut"
        case .canonLog2: "scene light as Canon Log 2, Cinema Gamut"
        case .canonLog3: "scene light as Canon Log 3, Cinema Gamut"
        case .cineon: "scene light as Cineon printing density"
        case .acesCCT: "scene light as ACEScct"
        case .acesCG: "scene light as ACEScg"
        case .daVinciIntermediate: "scene light as DaVinci Intermediate, DaVinci Wide Gamut"
        }
    }

    var log: LogEncoding? {
        switch self {
        case .logC3: .logC3
        case .logC4: .logC4
        case .sLog3: .sLog3
        case .vLog: .vLog
        case .canonLog2: .canonLog2
        case .canonLog3: .canonLog3
        case .cineon: .cineon
        case .acesCCT: .acesCCT
        case .acesCG: .acesCG
        case .daVinciIntermediate: .daVinciIntermediate
        default: nil
        }
    }

    /// Primaries of display colours.
    var primaries: RGBPrimaries {
        switch self {
        case .displayP3: .displayP3
        case .adobeRGB: .adobeRGB
        default: .rec709
        }
    }

    typealias Vector = DeterministicMath.Vector

    /// Code values of display light, 0…1.
    func encode(_ light: Vector) -> Vector {
        switch self {
        case .sRGB, .displayP3: TransferFunction.encode(light, .sRGB)
        case .adobeRGB: TransferFunction.encode(light, .adobeRGB)
        case .linear: light
        default: DeterministicMath.pow(light, 1 / 2.4)
        }
    }

    /// Display light of code values, 0…1.
    func decode(_ code: Vector) -> Vector {
        switch self {
        case .sRGB, .displayP3: TransferFunction.decode(code, .sRGB)
        case .adobeRGB: TransferFunction.decode(code, .adobeRGB)
        case .linear: code
        default: DeterministicMath.pow(code, 2.4)
        }
    }

    /// The space that a name or title mentions; nil for none. `space` is nil for an unsupported one.
    static func hinted(by text: String) -> (word: String, space: TableSpace?)? {
        let words: [(String, TableSpace?)] = [
            ("logc4", .logC4), ("logc", .logC3), ("slog3", .sLog3), ("slog2", nil), ("slog", nil), ("vlog", .vLog),
            ("clog2", .canonLog2), ("clog3", .canonLog3), ("clog", nil), ("canonlog2", .canonLog2),
            ("canonlog3", .canonLog3), ("canonlog", nil), ("nlog", nil), ("flog", nil), ("cineon", .cineon),
            ("acescct", .acesCCT), ("acescg", .acesCG), ("log3g10", nil),
            ("davinciintermediate", .daVinciIntermediate), ("dlog", nil), ("rec709", .rec709), ("bt1886", .rec709),
            ("rec2020", nil), ("displayp3", .displayP3), ("adobergb", .adobeRGB), ("prophoto", nil),
            ("linear", .linear),
        ]
        let letters = String(text.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) })
        // "LogC to Rec709" names its input first.
        let found = words.compactMap { word in letters.range(of: word.0).map { ($0, word) } }
        return found.min { $0.0 < $1.0 }.map { (word: $0.1.0, space: $0.1.1) }
    }
}

extension String {
    /// Range of a text in this one; nil if missing.
    fileprivate func range(of text: String) -> Int? {
        let (own, other) = (Array(utf8), Array(text.utf8))
        guard own.count >= other.count else { return nil }
        return (0...own.count - other.count).first { own[$0...].starts(with: other) }
    }
}
