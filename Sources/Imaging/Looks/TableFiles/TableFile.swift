import PNG

/// Tables as files, for exchange with other programs.
public enum TableFile {
    /// Formats that can be written.
    public enum Format: String, Hashable, Sendable, CaseIterable {
        /// A text: Adobe's and IRIDAS's `.cube`.
        case cube
        /// A picture: a Hald CLUT as PNG.
        case hald

        /// File ending.
        public var ending: String { self == .cube ? ".cube" : ".png" }
        /// Valid sizes: points along an edge of a cube, or the level of a Hald picture.
        public var sizes: ClosedRange<Int> { self == .cube ? 2...129 : HaldPicture.levels }
        /// The most common size.
        public var usualSize: Int { self == .cube ? 33 : 8 }

        /// Points along an edge of a table.
        public func edge(ofSize size: Int) -> Int { self == .cube ? size : size * size }
    }

    /// The bytes of a file.
    ///
    /// - Parameters:
    ///   - values: red, green and blue, 0…1, of each point; the input's red runs fastest.
    ///   - size: one of the format's sizes.
    ///   - bits: 8 or 16, for a picture.
    ///   - title: one line for readers.
    ///   - comments: further lines for readers.
    /// - Throws: `LookError` if a picture cannot be made.
    public static func bytes(
        _ values: [Float], _ format: Format, size: Int, bits: Int = 16, title: String, comments: [String] = []
    ) throws(LookError) -> [UInt8] {
        guard values.count == 3 * cube(format.edge(ofSize: size)) else {
            throw LookError("the table has another size")
        }
        switch format {
        case .hald:
            do throws(PNGError) {
                return try HaldPicture.picture(level: size, values: values, bits: bits).encoded()
            } catch { throw LookError(error.description) }
        case .cube:
            var text: [UInt8] = []
            text.reserveCapacity(values.count * 9 + 400)
            for comment in comments { text += Array("# \(comment)\n".utf8) }
            let quoted = String(title.map { $0 == "\"" || $0.isNewline ? " " : $0 })
            text += Array("TITLE \"\(quoted)\"\nLUT_3D_SIZE \(size)\nDOMAIN_MIN 0 0 0\nDOMAIN_MAX 1 1 1\n".utf8)
            for (index, value) in values.enumerated() {
                append(value, to: &text)
                text.append(index % 3 == 2 ? 0x0A : 0x20)
            }
            return text
        }
    }

    private static func cube(_ edge: Int) -> Int { edge * edge * edge }

    /// Appends six digits after the dot, which is finer than 16 bits.
    private static func append(_ value: Float, to text: inout [UInt8]) {
        var millionths = Int(Double(min(max(value, 0), 1)) * 1e6 + 0.5)
        var digits: [UInt8] = []
        for place in 0..<8 {
            if place == 6 {
                digits.append(0x2E)
            } else {
                digits.append(0x30 + UInt8(millionths % 10))
                millionths /= 10
            }
        }
        text += digits.reversed()
    }

    /// The points of an identity table.
    public static func identity(edge: Int) -> [Float] {
        var values: [Float] = []
        values.reserveCapacity(3 * edge * edge * edge)
        let steps = (0..<edge).map { Float($0) / Float(max(edge - 1, 1)) }
        for blue in steps {
            for green in steps {
                for red in steps { values += [red, green, blue] }
            }
        }
        return values
    }
}
