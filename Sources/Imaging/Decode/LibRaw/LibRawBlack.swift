import CLibRaw
import PictureFormat
import Pixels

/// LibRaw's black level: the sum of a common level, one per colour, and one per position of a repeating block that
/// begins at the picture's corner.
struct LibRawBlack {
    let common: Int
    let byColour: [Int]
    let rows: Int
    let columns: Int
    let block: [Int]

    init(_ facts: CLibRawFacts, blockLevel: (Int) -> UInt32) {
        let colour = facts.blackByColour
        common = Int(facts.black)
        byColour = [colour.0, colour.1, colour.2, colour.3].map { Int($0) }
        let edges: ClosedRange<UInt32> = 1...64
        let fits = edges.contains(facts.blackRows) && edges.contains(facts.blackColumns)
        rows = fits ? Int(facts.blackRows) : 1
        columns = fits ? Int(facts.blackColumns) : 1
        block = (0..<rows * columns).map { fits ? Int(blockLevel($0)) : 0 }
    }

    /// Black at a position of the picture, for LibRaw's colour number 0…3.
    func level(row: Int, column: Int, colour: Int) -> Float {
        Float(common + byColour[colour] + block[row % rows * columns + column % columns])
    }

    /// Levels of the whole plane, as a block of even size in which colours and positions repeat. The margins are the
    /// picture's first column and row; `colour` returns LibRaw's colour number at a position.
    func levels(marginLeft: Int, marginTop: Int, colour: (_ row: Int, _ column: Int) -> Int) -> BlackLevels? {
        let height = rows % 2 == 0 ? rows : rows * 2
        let width = columns % 2 == 0 ? columns : columns * 2
        var values: [Float] = []
        for row in 0..<height {
            for column in 0..<width {
                // Shifts from the plane's corner to the picture's by whole blocks.
                let y = row - marginTop + (marginTop / height + 1) * height
                let x = column - marginLeft + (marginLeft / width + 1) * width
                values.append(level(row: y, column: x, colour: colour(y, x)))
            }
        }
        if let first = values.first, values.allSatisfy({ $0 == first }) {
            return BlackLevels(repeatSize: PixelSize(width: 1, height: 1), values: [first])
        }
        return BlackLevels(repeatSize: PixelSize(width: width, height: height), values: values)
    }
}
