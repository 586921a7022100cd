import Looks
import Pixels

/// Applies a look's file to colours.
enum LookColours {
    /// - Parameters:
    ///   - file: a `.cube` file, Hald picture or look.
    ///   - colours: a file of floats, three per colour.
    ///   - result: receives the resulting colours.
    static func run(_ file: String, colours: String, to result: String) throws {
        let stage = try Look(file: readFile(file), fileName: file).stage()
        var values = try readFile(colours).withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        let count = values.count / 3
        var planes = (0..<3).flatMap { channel in (0..<count).map { values[3 * $0 + channel] } }
        planes.withUnsafeMutableBufferPointer { planes in
            guard let red = planes.baseAddress else { return }
            stage.process(PixelRow(red: red, green: red + count, blue: red + 2 * count, count: count))
        }
        for i in values.indices { values[i] = planes[i % 3 * count + i / 3] }
        try values.withUnsafeBytes { try writeFile(result, $0) }
    }
}
