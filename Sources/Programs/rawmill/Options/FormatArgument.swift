import Arguments
import PictureFormat

/// The kind of file that a photo is.
struct FormatArgument: ArgumentValue, Hashable {
    let format: PhotoFormat

    init(format: PhotoFormat) { self.format = format }

    init(argument: [UInt8]) throws(InvalidArgument) {
        guard let format = PhotoFormat(rawValue: String(decoding: argument, as: UTF8.self)) else {
            throw InvalidArgument("one of " + Self.choices.joined(separator: ", "))
        }
        self.format = format
    }

    static var choices: [String] { PhotoFormat.allCases.map(\.rawValue) }
    var argumentText: String { format.rawValue }
}
