import ExternalTools
import Foundation
import Pixels
import Testing

/// A DNG of numbers written by `Tests/References/numbers.py`, with these numbers.
struct NumberDNG: CustomTestStringConvertible, Sendable {
    private static let writer = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../References/numbers.py").standardizedFileURL

    let arguments: [String]

    init(_ arguments: String) { self.arguments = arguments.split(separator: " ").map(String.init) }

    var testDescription: String { arguments.joined(separator: " ") }

    func written() throws -> (bytes: [UInt8], rows: [[Double]]) {
        let file = FileManager.default.temporaryDirectory.appending(path: "rawmill-numbers-\(UUID()).dng")
        defer { try? FileManager.default.removeItem(at: file) }
        let printed = try ExternalTool.run("python3", [Self.writer.path, file.path] + arguments)
        let rows = printed.split(separator: "\n").map { $0.split(separator: " ").compactMap { Double($0) } }
        return (Array(try Data(contentsOf: file)), rows)
    }

    /// Every number format, predictor, byte order and chunking, each in several combinations.
    static let numbers: [NumberDNG] = {
        var found: [NumberDNG] = []
        for bits in [16, 24, 32] {
            for predictor in [1, 3, 34894, 34895] {
                for order in ["II", "MM"] {
                    for division in ["--tile 32x16", "--tile 48x32 --width 65 --height 49 --rgb", "--rows 7 --rgb", ""]
                    {
                        found.append(
                            NumberDNG("--float --bits \(bits) --predictor \(predictor) --order \(order) \(division)"))
                    }
                }
            }
            found.append(NumberDNG("--float --bits \(bits) --compression 1 --order MM --tile 32x16"))
            found.append(NumberDNG("--float --bits \(bits) --compression 1 --rgb --rows 9"))
            // Rows that do not end at a word boundary.
            for predictor in [3, 34894, 34895] {
                found.append(NumberDNG("--float --bits \(bits) --predictor \(predictor) --width 65 --height 31"))
            }
        }
        for predictor in [1, 2, 34892, 34893] {
            found.append(NumberDNG("--bits 32 --predictor \(predictor) --tile 32x16"))
            found.append(NumberDNG("--bits 32 --predictor \(predictor) --rgb --order MM"))
        }
        return found
    }()

    static let wholeNumbers: [NumberDNG] = {
        var found = [10, 12, 14].map { NumberDNG("--bits \($0) --rows 5 --width 63 --predictor 1") }
        for bits in [8, 16] {
            for predictor in [1, 2, 34892, 34893] {
                found.append(NumberDNG("--bits \(bits) --predictor \(predictor) --width 65 --height 31"))
                for division in ["--tile 32x16", "--tile 48x32 --width 65 --rgb --order MM", "--rows 7 --order MM"] {
                    found.append(NumberDNG("--bits \(bits) --predictor \(predictor) \(division)"))
                }
            }
        }
        return found
    }()

    /// Lossless JPEG XL: integers and floating-point numbers, one colour and three, with interleaved rows and columns.
    static let jpegXL: [NumberDNG] = {
        var found: [NumberDNG] = []
        for form in ["--bits 8", "--bits 16", "--bits 32 --float"] {
            for division in [
                "--tile 32x32", "--rgb --width 65 --tile 48x32 --order MM", "--width 33 --height 31 --rows 16",
            ] {
                found.append(NumberDNG("--compression 52546 \(form) \(division)"))
            }
            found.append(NumberDNG("--compression 52546 \(form) --interleave 2x2 --tile 32x32"))
            found.append(NumberDNG("--compression 52546 \(form) --interleave 2x2 --width 65 --height 49"))
            found.append(NumberDNG("--compression 52546 \(form) --interleave 3x1 --rgb --width 31 --height 47"))
        }
        return found
    }()

    /// Lossy; compared with djxl.
    static let lossyJPEGXL = [
        NumberDNG("--compression 52546 --bits 16 --distance 0.5 --tile 48x48"),
        NumberDNG("--compression 52546 --bits 16 --distance 1 --tile 48x48 --interleave 2x2"),
        NumberDNG("--compression 52546 --bits 16 --distance 1 --tile 48x48 --rgb"),
        NumberDNG("--compression 52546 --bits 16 --distance 3 --rgb --rows 24 --order MM"),
    ]

    /// Lossy JPEG that LibRaw does not read, or reads incorrectly.
    static let jpeg = [
        NumberDNG("--compression 34892 --bits 8 --tile 32x32"),
        NumberDNG("--compression 34892 --bits 8 --table --tile 48x32 --width 65 --height 49 --order MM"),
        NumberDNG("--compression 34892 --bits 8 --table --rows 9 --interleave 2x2"),
        NumberDNG("--compression 34892 --bits 8 --table --rgb --tile 32x32"),
        NumberDNG("--compression 34892 --bits 8 --table --rgb --rows 9"),
        NumberDNG("--compression 34892 --bits 8 --table --negative --tile 32x32"),
        NumberDNG("--compression 34892 --bits 8 --table --negative --rgb --rows 9"),
    ]
}

/// The largest distance of a sample from its number.
func worst(_ plane: borrowing Plane<UInt16>, _ rows: [[Double]], _ factor: Double) -> Double {
    var worst = 0.0
    for (y, row) in rows.enumerated() {
        for (x, number) in row.enumerated() {
            worst = max(worst, abs(Double(plane.row(y)[x]) - min(max(number * factor, 0), 65_535)))
        }
    }
    return worst
}
