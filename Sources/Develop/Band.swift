import Pixels

/// One thread's share of a picture: the rows it develops and the pictures it writes them to.
final class Band {
    private let source: any RowSource
    private let scene: SceneRows
    private let matrix: ColourMatrix
    private let sinks: [(inputs: Range<Int>, sink: any RowSink)]

    init(
        source: any RowSource, width: Int, matrix: ColourMatrix, sinks: [(inputs: Range<Int>, sink: any RowSink)]
    ) {
        self.source = source
        self.matrix = matrix
        scene = SceneRows(width: width)
        self.sinks = sinks.filter { !$0.inputs.isEmpty }
    }

    func run() {
        guard let first = sinks.map(\.inputs.lowerBound).min(), let end = sinks.map(\.inputs.upperBound).max() else {
            return
        }
        source.begin(at: first)
        for y in first..<end {
            source.produce(y, into: scene)
            if source.holdsRoots { matrix.applyToRoots(scene.row(y)) } else { matrix.apply(scene.row(y)) }
            for (inputs, sink) in sinks where inputs.contains(y) { sink.take(y, from: scene) }
        }
        for (_, sink) in sinks { sink.finish() }
    }
}
