import Digest
import Jobs
import PictureFormat
import Testing

@Suite("Recipes") struct RecipeTests {
    static let digest = SHA256Value(of: [1, 2, 3])

    static func look(_ name: String = "velvet") throws -> LookReference {
        try #require(LookReference(name: name, version: 2, digest: digest))
    }

    @Test("A recipe with any values is parsed from its canonical text", arguments: 0..<200)
    func roundTrip(seed: UInt64) throws {
        var random = SplitMix64(state: seed)
        var recipe = Recipe(look: try Self.look())
        recipe.lookStrength = Double.random(in: 0...1, using: &random)
        recipe.exposureStops = Double.random(in: -10...10, using: &random)
        recipe.whiteBalance =
            Bool.random(using: &random)
            ? .init(kelvin: .random(in: 1500...50_000, using: &random), tint: .random(in: -150...150, using: &random))
            : nil
        recipe.longEdgePixels = Bool.random(using: &random) ? .random(in: 16...65_500, using: &random) : nil
        recipe.quality = .random(in: 1...100, using: &random)
        recipe.colourSpace = ColourSpace.allCases.randomElement(using: &random) ?? .sRGB
        recipe.noiseReduction = [nil, 0, 0.3, 1].randomElement(using: &random)!
        recipe.sharpening = [0.5, 0, 0.1, 1].randomElement(using: &random)!
        recipe.subsampling = JPEGSubsampling.allCases.randomElement(using: &random) ?? .auto
        recipe.isProgressive = Bool.random(using: &random)
        recipe.hasGainMap = Bool.random(using: &random)
        recipe.keepsLens = Bool.random(using: &random)
        recipe.lensTable = [nil, Self.digest].randomElement(using: &random)!
        recipe.cameraProfiles = Bool.random(using: &random) ? SHA256Value(of: [7]) : nil
        recipe.stripped = Set(PrivateDetail.allCases.filter { _ in Bool.random(using: &random) })
        recipe.brightness = Recipe.Brightness.allCases.randomElement(using: &random) ?? .camera
        if Bool.random(using: &random) {
            recipe.format = PhotoFormat.allCases.randomElement(using: &random) ?? .jpeg
            (recipe.quality, recipe.subsampling, recipe.isProgressive) = (Recipe.usualQuality, .auto, false)
            recipe.hasGainMap = false
        }
        let read = try #require(Recipe(canonicalText: recipe.canonicalText), "seed \(seed)")
        #expect(read == recipe)
        #expect(read.id == recipe.id)
        #expect(recipe.problem == nil)
    }

    @Test("The encoding of the default recipe never changes")
    func golden() throws {
        let recipe = Recipe(look: try Self.look("neutral"))
        #expect(
            recipe.canonicalText == """
                look=neutral@2
                look-sha256=039058c6f2c0cb492c533b0a4d14ef77cc0f78abccced5287d84a1a2011cfb81
                look-strength=1.0
                exposure=0.0
                white-balance=as-shot
                long-edge=full
                quality=92
                colour-space=srgb
                format=jpeg

                """)
        #expect(recipe.id.description == SHA256Value(of: Array(recipe.canonicalText.utf8)).description)
    }

    @Test("Recipes that differ in one setting have different ids")
    func everySettingCounts() throws {
        let base = Recipe(look: try Self.look())
        let changes: [(inout Recipe) -> Void] = [
            { $0.lookStrength = 0.5 }, { $0.exposureStops = 1 }, { $0.whiteBalance = .init(kelvin: 5000) },
            { $0.longEdgePixels = 2048 }, { $0.quality = 90 }, { $0.colourSpace = .displayP3 },
            { $0.noiseReduction = 0 }, { $0.noiseReduction = 0.5 }, { $0.sharpening = 0 }, { $0.sharpening = 0.7 },
            { $0.subsampling = .full }, { $0.subsampling = .quarter },
            { $0.format = .tiff }, { $0.format = .png }, { $0.format = .avif }, { $0.format = .jxl },
            { $0.isProgressive = true }, { $0.hasGainMap = true },
            { $0.stripped = [.location] },
            { $0.keepsLens = true }, { $0.lensTable = Self.digest },
            { $0.cameraProfiles = SHA256Value(of: [1]) }, { $0.cameraProfiles = SHA256Value(of: [2]) },
            { $0.stripped = [.location, .serial] },
            { $0.brightness = .metered }, { $0.brightness = .exposed },
        ]
        var ids: Set = [base.id]
        for change in changes {
            var other = base
            change(&other)
            ids.insert(other.id)
        }
        #expect(ids.count == changes.count + 1)
    }

    @Test("An invalid setting is named", arguments: [Double.nan, -1, 1.1, .infinity])
    func problem(strength: Double) throws {
        var recipe = Recipe(look: try Self.look())
        recipe.lookStrength = strength
        #expect(recipe.problem?.contains("strength") == true)
    }

    @Test("Text that is not exactly canonical is refused", arguments: ["", "look=a@1", "look", "==\n=="])
    func refusesOtherText(text: String) throws {
        #expect(Recipe(canonicalText: text) == nil)
        #expect(Recipe(canonicalText: Recipe(look: try Self.look()).canonicalText + "extra=1\n") == nil)
    }
}

/// Sebastiano Vigna's SplitMix64 (2015): small, seeded, and the same on all machines.
struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
