import Glibc
import Samples
import Storage
import Telemetry

/// The files that a tortured cluster converts: as many as its plan says, in a folder for each order.
struct TortureSources {
    let place: TorturePlace
    let plan: TortureRun.Plan
    /// Those that can never become photos, by name.
    private(set) var poison: [String: TorturePoison?] = [:]

    /// Orders they are for.
    static let parts = 10
    /// To draw 6 megapixels takes a third of a second: beyond so many pictures they come again, in other files.
    private static let pictures = 16

    init(_ place: TorturePlace, _ plan: TortureRun.Plan) { (self.place, self.plan) = (place, plan) }

    /// What is made, for people.
    var text: String {
        guard let megapixels = place.megapixels else { return "\(plan.jobs) files that only their names make RAWs" }
        return "\(plan.jobs) RAWs of \(Numeral.text(megapixels, places: 1)) megapixels"
    }

    /// Makes them all, picture by picture: one is in memory at a time.
    mutating func make() throws {
        for picture in 0..<min(plan.jobs, Self.pictures) {
            let bytes = place.megapixels.map { Sample.dng(index: picture, size: Sample.size(megapixels: $0)) } ?? []
            for number in stride(from: picture, to: plan.jobs, by: Self.pictures) { try make(number, of: bytes) }
        }
        // What the disk is still busy with would slow whoever works first.
        if place.isReal { sync() }
    }

    /// Nothing in a DNG points behind its last picture: what stands there makes another file of it, and the same photo.
    private mutating func make(_ number: Int, of picture: [UInt8]) throws {
        let (name, mark) = (place.isReal ? Sample.name(number) : "IMG_\(number).CR2", Array("source \(number)".utf8))
        guard let turn = turn(number) else { return try publish(picture + mark, name, number) }
        let kinds = (place.isReal ? [nil] : []) + TorturePoison.allCases
        let kind = kinds[turn % kinds.count]
        let poisoned = kind?.name(name) ?? "IMG_\(number).CR2"
        poison[poisoned] = kind
        try publish(mark, poisoned, number)
    }

    /// Which of the poisoned ones it is; nil for any other. Where poison is all there is, the first half is without.
    private func turn(_ number: Int) -> Int? {
        let behind = number - (plan.scenario == .poison ? plan.jobs / 2 : 0)
        guard let every = plan.poisonEvery, behind >= 0, behind % every == every / 2 else { return nil }
        return behind / every
    }

    private func publish(_ bytes: [UInt8], _ name: String, _ number: Int) throws {
        let root = try Root(path: "\(place.archive)/part-\(number * Self.parts / plan.jobs)", creating: true)
        _ = try root.publish(bytes, at: Array(name.utf8), isDurable: false)
    }
}
