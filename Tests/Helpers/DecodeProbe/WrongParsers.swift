import WrongParserChecked
import WrongParserUnchecked

private struct UnknownMistake: Error {}

/// The result of a faulty parser for a record that triggers its fault, if it returns.
///
/// - Parameters:
///   - settings: `checked` or `unchecked`.
///   - mistake: `index` for a read beyond the end, `overflow` for a product that is too large.
func wrongResult(settings: String, mistake: String) throws -> Int {
    // Two bytes that claim to be 40.
    let short: [UInt8] = [40, 1]
    // 65,535 × 65,535 pixels.
    let huge: [UInt8] = [255, 255, 255, 255]
    return switch (settings, mistake) {
    case ("checked", "index"): WrongParserChecked.WrongParser.sum(short)
    case ("checked", "overflow"): Int(WrongParserChecked.WrongParser.pixelCount(huge))
    case ("unchecked", "index"): WrongParserUnchecked.WrongParser.sum(short)
    case ("unchecked", "overflow"): Int(WrongParserUnchecked.WrongParser.pixelCount(huge))
    default: throw UnknownMistake()
    }
}
