import Glibc
import PictureFormat
import Samples
import Storage
import Telemetry

/// The files that a tortured cluster converts: as many as the plan says, in a folder for each order.
struct SourceFiles {
    let layout: ClusterLayout
    let plan: Plan
    /// The files that can never become photos, by name. The value is nil for one that is no photo at all.
    private(set) var poison: [String: Poison?] = [:]

    /// Photos beyond one for each file: of bursts.
    private(set) var furtherPhotos = 0

    /// The number of orders they are divided among.
    static let parts = 10
    /// Drawing 6 megapixels takes a third of a second: beyond this number the same pictures come again, in other files.
    private static let pictures = 16

    init(_ layout: ClusterLayout, _ plan: Plan) { (self.layout, self.plan) = (layout, plan) }

    /// What is made, for people.
    var description: String {
        guard let megapixels = layout.megapixels else { return "\(plan.jobs) files that only their names make RAWs" }
        return "\(plan.jobs) RAWs of \(NumberText.decimal(megapixels, places: 1)) megapixels"
    }

    /// Makes all of them, picture by picture, so that one is in memory at a time.
    mutating func make() throws {
        for picture in 0..<min(plan.jobs, Self.pictures) {
            let bytes = layout.megapixels.map { Self.picture(picture, megapixels: $0) } ?? []
            for number in stride(from: picture, to: plan.jobs, by: Self.pictures) {
                try make(number, from: bytes, frames: Self.isBurst(picture) && layout.isReal ? 2 : 1)
            }
        }
        // Otherwise the disk would still be busy when the first worker starts, and slow it down.
        if layout.isReal { sync() }
    }

    /// As cameras make them: held in any way, with a preview that is good or damaged, or none; and bursts, one of which is
    /// cut.
    private static func picture(_ index: Int, megapixels: Double) -> [UInt8] {
        let size = Sample.size(megapixels: megapixels)
        if isBurst(index) || index == cutBurst {
            return Sample.burst(index: index, size: size, isCut: index == cutBurst)
        }
        let orientations = Orientation.allCases, previews = SamplePreview.allCases
        return Sample.dng(
            index: index, size: size,
            orientation: orientations[index / previews.count % orientations.count],
            preview: previews[index % previews.count])
    }

    private static func isBurst(_ picture: Int) -> Bool { picture % 8 == 5 }
    private static let cutBurst = 9

    /// A DNG points at nothing behind its last picture. A mark there makes another file of the same photo.
    ///
    /// - Parameter frames: photos that it becomes.
    private mutating func make(_ number: Int, from picture: [UInt8], frames: Int) throws {
        let name = layout.isReal ? Sample.name(number) : "IMG_\(number).CR2"
        let mark = Array("source \(number)".utf8)
        guard let index = poisonIndex(number) else {
            furtherPhotos += frames - 1
            return try publish(picture + mark, name, number)
        }
        let kinds = (layout.isReal ? [nil] : []) + Poison.allCases
        let kind = kinds[index % kinds.count]
        let poisoned = kind?.fileName(name) ?? "IMG_\(number).CR2"
        poison[poisoned] = kind
        try publish(mark, poisoned, number)
    }

    /// Its index among the poisoned files; nil for any other. The scenario `poison` has none in the first half.
    private func poisonIndex(_ number: Int) -> Int? {
        let offset = number - (plan.scenario == .poison ? plan.jobs / 2 : 0)
        guard let interval = plan.poisonInterval, offset >= 0, offset % interval == interval / 2 else { return nil }
        return offset / interval
    }

    private func publish(_ bytes: [UInt8], _ name: String, _ number: Int) throws {
        let root = try Root(path: "\(layout.archive)/part-\(number * Self.parts / plan.jobs)", creating: true)
        _ = try root.publish(bytes, at: Array(name.utf8), isDurable: false)
    }
}
