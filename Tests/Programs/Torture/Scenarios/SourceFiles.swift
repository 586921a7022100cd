import Glibc
import PictureFormat
import Samples
import Storage
import Telemetry

/// The files that a tortured cluster converts, in a folder for each order.
struct SourceFiles {
    struct Part: Hashable {
        var jobs = 0
        /// Photos beyond one per file, from bursts. Negative if files are identical.
        var furtherPhotos = 0
    }

    private let archive: String
    private let plan: Plan
    /// Size of each picture; nil for files that are RAWs only by name.
    private let megapixels: Double?
    /// The files that can never become photos, by name. The value is nil for a file that is not a photo.
    private(set) var poison: [String: Poison?] = [:]
    private(set) var parts = [Part](repeating: Part(), count: Self.parts)
    /// RAWs with a frame that cannot be rendered, by path below the archive: `move` leaves them.
    private(set) var cutRaws: Set<String> = []

    /// Number of orders that the files are divided among.
    static let parts = 10
    /// Drawing 6 megapixels takes a third of a second: beyond this number, pictures are reused in other files.
    private static let pictures = 16

    init(_ archive: String, _ plan: Plan, megapixels: Double?) {
        self.archive = archive
        self.plan = plan
        self.megapixels = megapixels
    }

    private var isReal: Bool { megapixels != nil }

    /// Photos beyond one per file, of all parts.
    var furtherPhotos: Int { parts.reduce(0) { $0 + $1.furtherPhotos } }

    /// The files, for users.
    var description: String {
        guard let megapixels else { return "\(plan.jobs) files that only their names make RAWs" }
        return "\(plan.jobs) RAWs of \(NumberText.decimal(megapixels, places: 1)) megapixels"
    }

    /// Makes all files, picture by picture, so that only one is in memory.
    mutating func make() throws {
        for picture in 0..<min(plan.jobs, Self.pictures) {
            let bytes = megapixels.map { Self.picture(picture, megapixels: $0) } ?? []
            for number in 0..<plan.jobs where place(number).content % Self.pictures == picture {
                try make(number, from: bytes, frames: Self.isBurst(picture) && isReal ? 2 : 1)
            }
        }
        // Otherwise the disk would still be busy when the first worker starts, and slow it down.
        if isReal { sync() }
    }

    // MARK: - Places

    /// The place of a file.
    private struct Place {
        /// Its order.
        let part: Int
        /// Below the order's folder, with a final slash; empty for that folder itself.
        var folder = ""
        /// Without extension.
        let base: String
        /// Number of the file whose bytes it has: its own, or an earlier one.
        let content: Int
    }

    /// In the scenario `duplicates` each RAW is in three places: in its folder, under the same name in a subfolder, and
    /// under another name in another order's folder.
    private func place(_ number: Int) -> Place {
        let part = number * Self.parts / plan.jobs
        guard plan.scenario == .duplicates else { return Place(part: part, base: base(number), content: number) }
        let content = number - number % 3
        switch number % 3 {
        case 0: return Place(part: part, base: base(number), content: number)
        case 1: return Place(part: part, folder: "best/", base: base(content), content: content)
        default: return Place(part: (part + 5) % Self.parts, base: "\(base(content)) copy", content: content)
        }
    }

    private func base(_ number: Int) -> String { isReal ? String(Sample.name(number).dropLast(4)) : "IMG_\(number)" }

    private var fileExtension: String { isReal ? "dng" : "CR2" }

    /// The name of a file's photo below the library's folder.
    func photoName(_ number: Int) -> String {
        let place = place(number)
        return "photos/archive/part-\(place.part)/\(place.folder)\(place.base).neutral.jpg"
    }

    // MARK: - Pictures

    /// As from cameras: in any orientation, either byte order, with or without margins, with a valid, damaged or
    /// missing preview; and bursts, one of which is truncated.
    private static func picture(_ index: Int, megapixels: Double) -> [UInt8] {
        let size = Sample.size(megapixels: megapixels)
        if isBurst(index) || index == cutBurst {
            return Sample.burst(index: index, size: size, isCut: index == cutBurst)
        }
        let orientations = Orientation.allCases, previews = SamplePreview.allCases
        return Sample.dng(
            index: index, size: size,
            orientation: orientations[index / previews.count % orientations.count],
            preview: previews[index % previews.count], isBigEndian: index % 3 == 1, hasMargins: index % 5 < 2)
    }

    private static func isBurst(_ picture: Int) -> Bool { picture % 8 == 5 }
    private static let cutBurst = 9

    /// Nothing in a DNG refers to bytes after its last picture. A mark there makes another file of the same photo.
    ///
    /// - Parameter frames: number of its photos.
    private mutating func make(_ number: Int, from picture: [UInt8], frames: Int) throws {
        let place = place(number)
        let name = "\(place.base).\(fileExtension)"
        let mark = Array("source \(place.content)".utf8)
        parts[place.part].jobs += 1
        guard let index = poisonIndex(number) else {
            parts[place.part].furtherPhotos += place.content == number ? frames - 1 : -1
            if isReal, place.content % Self.pictures == Self.cutBurst { cutRaws.insert(path(name, place)) }
            try publish(picture + mark, name, place)
            if plan.scenario == .duplicates { try publishCompanions(of: name, place, number) }
            return
        }
        let kinds = (isReal ? [nil] : []) + Poison.allCases
        let kind = kinds[index % kinds.count]
        let poisoned = kind?.fileName(name) ?? "IMG_\(number).CR2"
        poison[poisoned] = kind
        try publish(mark, poisoned, place)
    }

    /// The companions of a RAW: a sidecar, the camera's JPEG, sound, and another program's settings. Those at different
    /// paths of one RAW have the same name and different contents.
    private func publishCompanions(of raw: String, _ place: Place, _ number: Int) throws {
        let names =
            switch place.content / 3 % 4 {
            case 0: [String]()
            case 1: ["\(raw).pp3", "\(place.base).xmp"]
            case 2: ["\(place.base).JPG", "\(place.base).WAV"]
            default: ["\(raw).pp3"]
            }
        for name in names { try publish(Array("\(name) of file \(number)".utf8), name, place) }
    }

    /// Its index among the poisoned files; nil for any other. The scenario `poison` has none in the first half.
    private func poisonIndex(_ number: Int) -> Int? {
        let offset = number - (plan.scenario == .poison ? plan.jobs / 2 : 0)
        guard let interval = plan.poisonInterval, offset >= 0, offset % interval == interval / 2 else { return nil }
        return offset / interval
    }

    private func path(_ name: String, _ place: Place) -> String { "part-\(place.part)/\(place.folder)\(name)" }

    private func publish(_ bytes: [UInt8], _ name: String, _ place: Place) throws {
        let root = try Root(path: archive, creating: true)
        _ = try root.publish(bytes, at: Array(path(name, place).utf8), isDurable: false)
    }
}
