import CLibRaw
import PictureFormat
import Pixels

/// LibRaw keeps black in three parts that add up: one for all, one a colour, one for each place of a block that
/// starts at the picture's corner.
struct LibRawBlack {
    let common: Int
    let byColour: [Int]
    let rows: Int
    let columns: Int
    let block: [Int]

    init(_ raw: borrowing LibRawHandle) {
        let facts = raw.facts
        let colour = facts.blackByColour
        common = Int(facts.black)
        byColour = [colour.0, colour.1, colour.2, colour.3].map { Int($0) }
        let fits = facts.blackRows > 0 && facts.blackColumns > 0 && facts.blackRows <= 64 && facts.blackColumns <= 64
        rows = fits ? Int(facts.blackRows) : 1
        columns = fits ? Int(facts.blackColumns) : 1
        var block: [Int] = []
        for index in 0..<rows * columns { block.append(fits ? Int(raw.blackOfBlock(index)) : 0) }
        self.block = block
    }

    /// Black at a place of the picture, `colour` being LibRaw's number for what lies there.
    func level(row: Int, column: Int, colour: Int) -> Float {
        Float(common + byColour[colour] + block[row % rows * columns + column % columns])
    }

    /// The levels of the whole plane: an even block, so that colours and places both repeat in it.
    func levels(marginLeft: Int, marginTop: Int, colour: (_ row: Int, _ column: Int) -> Int) -> BlackLevels? {
        let height = rows % 2 == 0 ? rows : rows * 2
        let width = columns % 2 == 0 ? columns : columns * 2
        var values: [Float] = []
        for row in 0..<height {
            for column in 0..<width {
                // Back from the plane's corner to the picture's, by a whole number of blocks.
                let y = row - marginTop + (marginTop / height + 1) * height
                let x = column - marginLeft + (marginLeft / width + 1) * width
                values.append(level(row: y, column: x, colour: colour(y, x)))
            }
        }
        return simplified(BlackLevels(repeatSize: PixelSize(width: width, height: height), values: values))
    }

    private func simplified(_ levels: BlackLevels?) -> BlackLevels? {
        guard let levels, let first = levels.values.first, levels.values.allSatisfy({ $0 == first }) else {
            return levels
        }
        return BlackLevels(repeatSize: PixelSize(width: 1, height: 1), values: [first])
    }
}
