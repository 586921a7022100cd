import Memory

/// Result of a search for a shot's lens.
public enum LensFinding: Hashable, Sendable {
    case found(LensProfile)
    /// Reason why there are none, as a clause for users: "the table has no camera …".
    case unknown(String)
}

/// A camera and its lens, measured with sensors of different sizes; or the reason why there is none.
enum LensMatch {
    case lens(CameraRecord, [LensRecord])
    case unknown(String)

    func finding(_ shot: LensShot) -> LensFinding {
        switch self {
        case .unknown(let reason): return .unknown(reason)
        case .lens(let camera, let records):
            guard shot.focalLength > 0 else { return .unknown("the photo does not state its focal length") }
            let profile = LensProfile(shot, camera, records)
            return profile.isEmpty ? .unknown("\(profile.name) was not measured near its settings") : .found(profile)
        }
    }
}

/// A table that caches results, because the photos of a folder use few lenses.
public final class LensFinder {
    private let table: LensTable
    private var known = BoundedCache<LensShot, LensMatch>(maxCount: 64)

    /// Creates a finder for a table.
    public init(_ table: LensTable) { self.table = table }

    /// Like `LensTable.find`.
    public func find(_ shot: LensShot) -> LensFinding {
        known.value(of: shot.withoutSettings) { table.match(shot) }.finding(shot)
    }
}

extension LensTable {
    /// Finds camera and lens of a shot, and the measurements near its settings.
    ///
    /// Lensfun returns the most similar name. This search returns none if the names contradict each other or two lenses
    /// are equally likely, because a wrong lens's corrections are worse than none.
    public func find(_ shot: LensShot) -> LensFinding { match(shot).finding(shot) }

    /// The first step of `find`, which does not depend on the settings.
    func match(_ shot: LensShot) -> LensMatch {
        guard let camera = camera(shot) else {
            return .unknown("the lens table has no camera \(Self.plain("\(shot.make) \(shot.model)"))")
        }
        let fitting = lenses.filter { fits($0, camera) && $0.sensor.cropFactor <= camera.cropFactor * 1.04 }
        let name: String
        let found: [LensRecord]
        if camera.hasFixedLens {
            name = "the lens of \(camera.models.first ?? "")"
            found = fixedLens(fitting)
        } else if !shot.lens.isEmpty, case let lenses = named(shot.lens, fitting, camera), !lenses.isEmpty {
            name = shot.lens
            found = lenses
        } else {
            name = shot.lens.isEmpty ? "a lens without a name" : shot.lens
            found = specified(shot, fitting, camera)
        }
        return found.isEmpty ? .unknown("the lens table does not know \(Self.plain(name))") : .lens(camera, found)
    }

    private static func plain(_ text: String) -> String {
        let plain = text.unicodeScalars.prefix(80).filter { $0.value >= 32 && $0.value != 127 }
        return String(String.UnicodeScalarView(plain))
    }

    // MARK: The camera

    private func camera(_ shot: LensShot) -> CameraRecord? {
        let (make, model) = (Self.words(shot.make), Self.words(shot.model))
        guard let maker = make.first, !model.isEmpty else { return nil }
        let found = cameras.filter { camera in
            guard camera.makers.contains(where: { Self.words($0).first == maker }) else { return false }
            return camera.models.contains {
                let words = Self.words($0)
                // Some models begin with the maker's name.
                return words == model || [maker] + words == model || words == [maker] + model
            }
        }
        return found.first { $0.variant.isEmpty } ?? found.first
    }

    private static func words(_ text: String) -> [Substring] {
        text.lowercased().split { $0 == " " || $0 == "\0" || $0 == "," }
    }

    // MARK: The lens

    private func fits(_ lens: LensRecord, _ camera: CameraRecord) -> Bool {
        let mounts = [camera.mount] + (camera.hasFixedLens ? [] : compatibleMounts[camera.mount] ?? [])
        return lens.mounts.contains { mounts.contains($0) }
    }

    /// Fixed-lens cameras may also have converters in the table.
    private func fixedLens(_ lenses: [LensRecord]) -> [LensRecord] {
        let names = Set(lenses.map(\.title))
        if names.count == 1 { return lenses }
        let usual = lenses.filter { lens in
            lens.names.contains { $0.lowercased().contains("standard") || $0.lowercased().contains("fixed lens") }
        }
        // A converter's name follows the camera's.
        let shortest = usual.map(\.title.utf8.count).min()
        return usual.filter { $0.title.utf8.count == shortest }
    }

    private func named(_ text: String, _ lenses: [LensRecord], _ camera: CameraRecord) -> [LensRecord] {
        let name = LensName(text)
        let makers = Dictionary(grouping: lenses) { $0.makers.first ?? "" }.mapValues { Self.makerWords($0[0]) }
        let known = makers.values.reduce(into: Set<String>()) { $0.formUnion($1) }
        let named = name.words.intersection(known)
        let plain = name.without(known)
        func best(_ lenses: [LensRecord]) -> (likeness: Float, lenses: [LensRecord]) {
            var (highest, found) = (Float(0), [LensRecord]())
            for lens in lenses {
                let likeness = lens.names.compactMap { plain.likeness(to: LensName($0).without(known)) }.max() ?? 0
                if likeness > highest { (highest, found) = (likeness, []) }
                if likeness == highest, likeness > 0 { found.append(lens) }
            }
            return (highest, found)
        }
        func isOne(_ lenses: [LensRecord]) -> Bool { Set(lenses.map(\.title)).count == 1 }
        // A named maker is decisive; otherwise the camera's maker takes precedence.
        let (own, others) = (
            lenses.filter { !named.isEmpty && !Self.makerWords($0).isDisjoint(with: named) },
            lenses.filter {
                !Self.makerWords($0).isDisjoint(with: Set(camera.makers.flatMap { Self.words($0).map(String.init) }))
            }
        )
        if !own.isEmpty {
            let found = best(own)
            if !found.lenses.isEmpty { return isOne(found.lenses) ? found.lenses : [] }
        }
        let found = best(lenses)
        if isOne(found.lenses) { return found.lenses }
        let preferred = best(others)
        return preferred.likeness == found.likeness && isOne(preferred.lenses) ? preferred.lenses : []
    }

    private static func makerWords(_ lens: LensRecord) -> Set<String> {
        Set(lens.makers.flatMap { words($0).map(String.init) })
    }

    /// The only lens of the camera's maker with the recorded focal lengths and apertures.
    private func specified(_ shot: LensShot, _ lenses: [LensRecord], _ camera: CameraRecord) -> [LensRecord] {
        let name = LensName(shot.lens)
        var (focals, apertures) = (name.focalLengths, name.apertures)
        // A name with more than numbers must not match another lens.
        guard name.words.isEmpty || shot.specification[0] > 0 && shot.lens.isEmpty else { return [] }
        if focals.isEmpty, shot.specification[0] > 0 {
            focals = [shot.specification[0], shot.specification[1]]
            apertures = [shot.specification[2], shot.specification[3]].filter { $0 > 0 }
        }
        guard let shortest = focals.first, let longest = focals.last, let aperture = apertures.first else { return [] }
        func isNear(_ a: Float, _ b: Float) -> Bool { (a - b).magnitude <= 0.01 * b }
        let makers = Set(camera.makers.flatMap { Self.words($0).map(String.init) })
        let found = lenses.filter { lens in
            isNear(lens.focalLengths[0], shortest) && isNear(max(lens.focalLengths[1], lens.focalLengths[0]), longest)
                && isNear(lens.minAperture, aperture) && !Self.makerWords(lens).isDisjoint(with: makers)
        }
        return Set(found.map(\.title)).count == 1 ? found : []
    }
}
