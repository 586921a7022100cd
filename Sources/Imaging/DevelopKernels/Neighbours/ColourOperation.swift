package import PixelKernels
package import Pixels

/// A step of an effect that does one thing to every pixel, or to every place.
package enum ColourOperation: Sendable {
    /// From display-encoded values to display-encoded values.
    case table(TetrahedralInterpolator)
    case shade(Shade)
    /// What no table holds. It may leave 0…1.
    case stage(any RowStage)

    /// Replaces the values of a row by values of 0…1.
    package func apply(_ row: PixelRow) {
        switch self {
        case .table(let table): table.apply(row.red, row.green, row.blue, count: row.count)
        case .shade(let shade):
            shade.process(row)
            row.clip()
        case .stage(let stage):
            stage.process(row)
            row.clip()
        }
    }
}

/// An effect in steps, none of which looks at neighbours.
package struct SteppedEffect: RowStage {
    package let position = StagePosition.display
    private let operations: [ColourOperation]
    private let share: Float

    /// - Parameter share: how much of the effect counts, 0…1.
    package init(_ operations: [ColourOperation], share: Float) {
        self.operations = operations
        self.share = share
    }

    package func process(_ row: PixelRow) {
        row.mix(share) { row in for operation in operations { operation.apply(row) } }
    }
}
