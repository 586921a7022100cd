import Digest
import Jobs
import Manifests
import PictureFormat
import SeededRandom

extension SeededGenerator {
    /// Small numbers, large ones, and the ends of the range.
    mutating func integer<Number: FixedWidthInteger>(_ range: ClosedRange<Number>) -> Number {
        switch Int.random(in: 0..<4, using: &self) {
        case 0: range.lowerBound
        case 1: range.upperBound
        default: Number.random(in: range, using: &self)
        }
    }

    mutating func real(_ range: ClosedRange<Double>) -> Double {
        switch Int.random(in: 0..<4, using: &self) {
        case 0: range.lowerBound
        case 1: range.upperBound
        case 2: range.contains(0) ? -0.0 : range.lowerBound
        default: Double.random(in: range, using: &self)
        }
    }

    mutating func maybe<Value>(_ make: (inout SeededGenerator) -> Value) -> Value? {
        Bool.random(using: &self) ? make(&self) : nil
    }

    mutating func bytes(_ count: ClosedRange<Int>) -> [UInt8] {
        (0..<Int.random(in: count, using: &self)).map { _ in UInt8.random(in: 0...255, using: &self) }
    }

    mutating func text(_ count: ClosedRange<Int>) -> String {
        String((0..<Int.random(in: count, using: &self)).map { _ in "aZ0 -é€😀\n\"".randomElement(using: &self) ?? "x" })
    }

    mutating func digest() -> SHA256Value { SHA256Value(of: bytes(8...8)) }

    mutating func batch() -> BatchID { BatchID(bytes: bytes(16...16))! }

    mutating func name() -> [UInt8] {
        let name = bytes(1...40).map { $0 == 0 || $0 == UInt8(ascii: "/") ? 0x78 : $0 }
        return name.allSatisfy { $0 == UInt8(ascii: ".") } ? [0x78] : name
    }

    mutating func path() -> RelativePath {
        var path = RelativePath(bytes: name())!
        for _ in 0..<Int.random(in: 0..<4, using: &self) { path = path.appending(name())! }
        return path
    }

    mutating func stamp() -> FileStamp {
        FileStamp(
            file: FileReference(root: RootName("root-\(integer(0...9))")!, path: path()),
            sizeBytes: integer(0...UInt64.max), modifiedNanoseconds: integer(Int64.min...Int64.max))
    }

    mutating func source() -> Source {
        Source(raw: stamp(), sidecar: maybe { $0.stamp() }, companion: maybe { $0.stamp() }, photoBase: name())
    }

    mutating func recipe() -> Recipe {
        var recipe = anyJPEG()
        recipe.brightness = Recipe.Brightness.allCases.randomElement(using: &self)!
        if integer(0...2) == 0 {
            recipe.format = PhotoFormat.allCases.randomElement(using: &self)!
            (recipe.quality, recipe.subsampling, recipe.isProgressive) = (Recipe.usualQuality, .auto, false)
            recipe.hasGainMap = false
        }
        return recipe
    }

    private mutating func anyJPEG() -> Recipe {
        Recipe(
            look: LookReference(name: "look-\(integer(0...9))", version: integer(1...1_000_000_000), digest: digest())!,
            lookStrength: real(0...1), exposureStops: real(-10...10),
            whiteBalance: maybe { Recipe.WhiteBalance(kelvin: $0.real(1500...50_000), tint: $0.real(-150...150)) },
            longEdgePixels: maybe { $0.integer(16...65_500) }, quality: integer(1...100),
            subsampling: JPEGSubsampling.allCases.randomElement(using: &self)!, isProgressive: integer(0...1) == 0,
            hasGainMap: integer(0...1) == 0,
            colourSpace: ColourSpace.allCases.randomElement(using: &self)!,
            noiseReduction: [nil, 0, 0.1, 1].randomElement(using: &self)!,
            sharpening: [0.5, 0, 0.1, 1].randomElement(using: &self)!, keepsLens: integer(0...1) == 0,
            lensTable: maybe { $0.digest() }, stripped: Set(PrivateDetail.allCases.filter { _ in integer(0...1) == 0 }),
            cameraProfiles: maybe { $0.digest() })
    }

    mutating func originals() -> OriginalsPolicy { OriginalsPolicy.allCases.randomElement(using: &self)! }

    mutating func job() -> Job {
        Job(
            batch: batch(), round: integer(0...UInt32.max), source: source(), recipe: recipe(),
            lane: Lane.allCases.randomElement(using: &self)!, originals: originals(),
            engineNeeded: integer(0...UInt32.max), precedence: integer(Int64.min...Int64.max),
            rendersAnew: Bool.random(using: &self))
    }

    mutating func rootStatus() -> RootStatus {
        RootStatus(
            root: RootName("root-\(integer(0...9))")!, mark: maybe { $0.text(1...20) },
            entries: (0..<integer(0...20)).map { _ in
                RootStatus.Entry(path: path(), sizeBytes: maybe { $0.integer(0...UInt64.max) })
            })
    }
}
