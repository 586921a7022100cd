package import PixelKernels
package import Pixels

/// A step of an effect that depends on a pixel's colour or position.
package enum ColourOperation: Sendable {
    /// Maps display-encoded values.
    case table(TetrahedralInterpolator)
    case shade(Shade)
    /// An operation that no table can hold. It may exceed 0…1.
    case stage(any RowStage)

    /// Replaces a row's values with values of 0…1.
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

/// An effect in steps without neighbours.
package struct SteppedEffect: RowStage {
    package let position = StagePosition.display
    private let operations: [ColourOperation]
    private let share: Float

    /// The share is the weight of the effect, 0…1.
    package init(_ operations: [ColourOperation], share: Float) {
        self.operations = operations
        self.share = share
    }

    package func process(_ row: PixelRow) {
        row.mix(share) { row in for operation in operations { operation.apply(row) } }
    }
}
