import Pixels

/// A step with neighbours, the preceding operations on rows, and the rows that it reads.
struct NeighbourhoodPass {
    enum Operation {
        case colours(ColourOperation)
        /// From light to display-encoded values, or back.
        case map(any LightMapping)

        func apply(_ row: PixelRow) {
            switch self {
            case .colours(let operation): operation.apply(row)
            case .map(let mapping): mapping.map(row)
            }
        }
    }

    private enum Kernel {
        case blur(LineBlur)
        case edges(Edges)
    }

    let operations: [Operation]
    private let kernel: Kernel
    private let share: Float
    /// Rows read above, and below.
    let reach: Int
    let ring: RowRing
    private let width: Int
    var outputs = 0..<0

    private init(_ operations: [Operation], _ kernel: Kernel, _ share: Float, width: Int) {
        self.operations = operations
        self.kernel = kernel
        self.share = share
        self.width = width
        let columns: Int
        switch kernel {
        case .blur(let blur): (columns, reach) = (blur.columns, blur.rows)
        case .edges: (columns, reach) = (1, 1)
        }
        // The rows that a row reads, and one more, because rows arrive in pairs.
        ring = RowRing(depth: 2 * reach + 2, width: width, margin: columns)
    }

    /// An effect's passes, and the operations after the last: to light if the whole effect counts, else to
    /// display-encoded values.
    static func passes(_ effect: PictureEffect, width: Int) -> (passes: [NeighbourhoodPass], last: [Operation]) {
        var passes: [NeighbourhoodPass] = []
        var operations: [Operation] = []
        var isLight = false
        func needs(light: Bool) {
            if isLight != light { operations.append(.map(light ? effect.decode : effect.encode)) }
            isLight = light
        }
        for step in effect.steps {
            switch step {
            case .colours(let operation):
                needs(light: false)
                operations.append(.colours(operation))
            case .blur(let blur, let share):
                needs(light: true)
                passes.append(NeighbourhoodPass(operations, .blur(blur), share, width: width))
                operations = []
            case .edges(let edges, let share):
                needs(light: false)
                passes.append(NeighbourhoodPass(operations, .edges(edges), share, width: width))
                operations = []
            }
        }
        needs(light: effect.share == 1)
        return (passes, operations)
    }

    /// Makes row `y`, whose neighbours are in the ring. The picture is constant beyond its edges.
    func make(_ y: Int, height: Int, into result: PlanarRow) {
        func row(_ offset: Int) -> PlanarRow { ring.row(min(max(y + offset, 0), height - 1)) }
        for channel in 0..<3 {
            let values = result[channel]
            switch kernel {
            case .blur(let blur): blur.apply(into: values, count: width) { row($0)[channel] }
            case .edges(let edges):
                edges.apply(
                    into: values, count: width, above: row(-1)[channel], own: row(0)[channel], below: row(1)[channel])
            }
            guard share < 1 else { continue }
            let before = row(0)[channel]
            for x in 0..<width { values[x] = before[x] + (values[x] - before[x]) * share }
        }
    }
}
