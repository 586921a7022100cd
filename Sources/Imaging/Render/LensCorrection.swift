internal import Develop
internal import Jobs
internal import Lenses
internal import Metadata
internal import TIFF
internal import Pixels

/// Corrections of a frame's lens from the lens table, and the note about them in the photo.
struct LensCorrection {
    /// Corrections for faults that the file itself does not correct.
    let corrections: SensorCorrections
    private let finding: LensFinding?
    private let facts: SensorFacts
    private let isWanted: Bool

    init(_ task: FrameTask, _ metadata: SourceMetadata, _ facts: SensorFacts) {
        self.facts = facts
        isWanted = !task.job.recipe.keepsLens
        let found = task.lenses?.find(LensShot(metadata))
        finding = found
        guard case .found(let profile) = found else {
            corrections = .none
            return
        }
        corrections = profile.corrections(facts.crop)
    }

    /// The performed lens corrections, or the reason for none, as a clause for users. Nil if none were requested.
    func note(_ developed: DevelopFacts) -> String? {
        guard isWanted else { return nil }
        let (moves, dims) = (!facts.corrections.warps.isEmpty, facts.corrections.gains.contains(where: \.isLens))
        var own: [String] = []
        if moves, developed.isWarped { own.append("distortion") }
        if dims { own.append("vignetting") }
        let byFile = own.isEmpty ? nil : "\(own.joined(separator: ", ")), as the file asks for"
        guard case .found(let profile) = finding else {
            if let byFile { return byFile }
            if case .unknown(let reason) = finding { return "not corrected: \(reason)" }
            return "not corrected: the recipe names no lens table"
        }
        var others: [String] = []
        if !moves, developed.isWarped {
            if profile.distortion != nil { others.append("distortion") }
            if profile.lateralColour != nil { others.append("lateral colour") }
        }
        if !dims, profile.vignetting != nil { others.append("vignetting") }
        let byTable = others.isEmpty ? nil : "\(others.joined(separator: ", ")), as known of \(profile.name)"
        let parts = [byFile, byTable].compactMap(\.self)
        return parts.isEmpty
            ? "not corrected: what is known of \(profile.name) makes no picture" : parts.joined(separator: "; ")
    }
}

extension LensShot {
    /// Creates a shot from EXIF.
    init(_ metadata: SourceMetadata) {
        func text(_ directory: ExifDirectory, _ tag: TIFFTag) -> String? {
            let field = metadata.exif.first { $0.directory == directory && $0.tag == tag }
            guard let field, field.type == .ascii else { return nil }
            let text = String(decoding: field.value.prefix { $0 != 0 }, as: UTF8.self)
            let words = text.split(separator: " ").joined(separator: " ")
            return words.isEmpty ? nil : words
        }
        /// The values of a field of fractions.
        func numbers(_ directory: ExifDirectory, _ tag: TIFFTag) -> [Float] {
            let field = metadata.exif.first { $0.directory == directory && $0.tag == tag }
            return (field?.quotients ?? []).map { Float($0) }
        }
        func number(_ tag: TIFFTag) -> Float {
            // Infinite and implausible values count as unknown.
            numbers(.photo, tag).first.map { $0 > 0 && $0 < 100_000 ? $0 : 0 } ?? 0
        }
        var specification = numbers(.photo, .lensSpecification)
        if specification.count != 4 { specification = numbers(.image, .lensInfo) }
        self.init(
            make: text(.image, .make) ?? metadata.make, model: text(.image, .model) ?? metadata.model,
            lens: text(.photo, .lensModel) ?? "",
            specification: specification.count == 4
                ? SIMD4(specification[0], specification[1], specification[2], specification[3]) : .zero,
            focalLength: number(.focalLength), aperture: number(.fNumber), distance: number(.subjectDistance))
    }
}
