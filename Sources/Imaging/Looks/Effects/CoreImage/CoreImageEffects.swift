import ColourScience
import Pixels

extension CoreImageEffect {
    private typealias F = ColourFunction

    static let all: [CoreImageEffect] = photoEffects + adjustments

    /// Black and white with adjusted contrast: an S-curve around the middle of luma.
    private static func mono(_ contrast: Double, lift: Double = 0) -> @Sendable ([String: [Double]]) -> any LookEffect {
        { _ in F { SIMD3(repeating: lift + (1 - 1.5 * lift) * F.curved(F.luma($0), contrast)) } }
    }

    /// Nostalgic films: saturation, contrast, and a tint of shadows and highlights.
    private static func photo(
        saturation: Double, contrast: Double, shadows: SIMD3<Double>, lights: SIMD3<Double>
    ) -> @Sendable ([String: [Double]]) -> any LookEffect {
        { _ in
            F { colour in
                let plain = F.curved(F.saturated(colour, saturation), contrast)
                let light = F.luma(colour)
                return plain + shadows * (1 - light) * (1 - light) + lights * light * (1.6 - light)
            }
        }
    }

    private static let photoEffects: [CoreImageEffect] = [
        .init("CIPhotoEffectMono", "Black-and-white film with low contrast.", make: mono(-0.35, lift: 0.05)),
        .init("CIPhotoEffectTonal", "Black-and-white film, contrast hardly altered.", make: mono(0.05)),
        .init("CIPhotoEffectNoir", "Black-and-white film with exaggerated contrast.", make: mono(1.1)),
        .init(
            "CIPhotoEffectFade", "Vintage colour film with diminished colour.",
            make: photo(
                saturation: 0.6, contrast: -0.2, shadows: SIMD3(0.06, 0.055, 0.065), lights: SIMD3(-0.01, -0.01, -0.02))
        ),
        .init(
            "CIPhotoEffectChrome", "Vintage colour film with exaggerated colour.",
            make: photo(saturation: 1.35, contrast: 0.35, shadows: .zero, lights: SIMD3(0.01, 0.005, -0.005))),
        .init(
            "CIPhotoEffectProcess", "Vintage colour film with emphasised cool colours.",
            make: photo(
                saturation: 0.95, contrast: 0.2, shadows: SIMD3(-0.02, 0.015, 0.05), lights: SIMD3(-0.05, 0.005, 0.05))),
        .init(
            "CIPhotoEffectTransfer", "Vintage colour film with emphasised warm colours.",
            make: photo(
                saturation: 0.9, contrast: -0.05, shadows: SIMD3(0.05, 0.02, 0), lights: SIMD3(0.06, 0.02, -0.07))),
        .init(
            "CIPhotoEffectInstant", "Vintage colour film with distorted colours.",
            make: photo(
                saturation: 0.7, contrast: -0.1, shadows: SIMD3(0.03, 0.05, 0.08), lights: SIMD3(0.05, 0.02, -0.06))),
    ]

    private static let intensity = Parameter(name: "intensity", usual: [1], range: 0...1)

    private static let adjustments: [CoreImageEffect] = [
        .init("CISepiaTone", "Monochrome in brown; 0 leaves the picture as it is.", [intensity]) { values in
            let intensity = values["intensity"]?[0] ?? 1
            let tint = SIMD3<Double>(SIMD3<Float>(Toning.sepia.tint))
            return F { colour in
                let luma = F.luma(colour)
                let brown = SIMD3(repeating: luma) + tint * (4 * luma * (1 - luma))
                return colour + (brown - colour) * intensity
            }
        },
        .init(
            "CIVignette", "Darker towards the corners; lighter for an intensity below 0.",
            [
                Parameter(name: "intensity", usual: [0], range: -1...1),
                Parameter(name: "radius", usual: [1], range: 0...2),
            ]
        ) { values in
            Vignette(intensity: values["intensity"]?[0] ?? 0, radius: values["radius"]?[0] ?? 1)
        },
        .init(
            "CIEdges", "Edges in their colours on black, at 0 nothing but black.",
            [Parameter(name: "intensity", usual: [1], range: 0...10)]
        ) { values in
            NeighbourEffect(.edges(intensity: values["intensity"]?[0] ?? 1))
        },
        .init(
            "CIMotionBlur", "Blurred along a line, as by a camera that moved.",
            [
                Parameter(name: "radius", usual: [20], range: 0...100),
                Parameter(name: "angle", usual: [0], range: -Double.pi...Double.pi),
            ]
        ) { values in
            NeighbourEffect(.motionBlur(radius: values["radius"]?[0] ?? 20, angle: values["angle"]?[0] ?? 0))
        },
        .init("CIColorInvert", "The negative: white minus every value.") { _ in F { .one - $0 } },
        .init(
            "CIColorControls", "Saturation, brightness and contrast.",
            [
                Parameter(name: "saturation", usual: [1], range: 0...2),
                Parameter(name: "brightness", usual: [0], range: -1...1),
                Parameter(name: "contrast", usual: [1], range: 0.25...4),
            ]
        ) { values in
            let (saturation, brightness) = (values["saturation"]?[0] ?? 1, values["brightness"]?[0] ?? 0)
            let contrast = values["contrast"]?[0] ?? 1
            return F { (F.saturated($0, saturation) - 0.5) * contrast + (0.5 + brightness) }
        },
        .init(
            "CIExposureAdjust", "Brighter or darker by stops of the display's light.",
            [Parameter(name: "EV", usual: [0], range: -10...10)]
        ) { values in
            let gain = DeterministicMath.exp2(values["EV"]?[0] ?? 0)
            return F { F.encoded(F.light($0) * gain) }
        },
        .init(
            "CIColorMatrix", "Each of red, green and blue as a sum of all three, in light.",
            [
                Parameter(name: "R", usual: [1, 0, 0], range: -100...100),
                Parameter(name: "G", usual: [0, 1, 0], range: -100...100),
                Parameter(name: "B", usual: [0, 0, 1], range: -100...100),
                Parameter(name: "bias", usual: [0, 0, 0], range: -100...100),
            ]
        ) { values in
            func vector(_ name: String) -> SIMD3<Double> {
                let numbers = values[name] ?? [0, 0, 0]
                return SIMD3(numbers[0], numbers[1], numbers[2])
            }
            let (r, g, b, bias) = (vector("R"), vector("G"), vector("B"), vector("bias"))
            return F { colour in
                let light = F.light(colour)
                func sum(_ v: SIMD3<Double>) -> Double { v.x * light.x + v.y * light.y + v.z * light.z }
                return F.encoded(SIMD3(sum(r), sum(g), sum(b)) + bias)
            }
        },
        .init(
            "CIColorMonochrome", "Monochrome in a colour.",
            [Parameter(name: "color", usual: [0.6, 0.45, 0.3], range: 0...1), intensity]
        ) { values in
            let color = values["color"] ?? [0.6, 0.45, 0.3]
            let (tint, intensity) = (SIMD3(color[0], color[1], color[2]), values["intensity"]?[0] ?? 1)
            return F { colour in
                let luma = F.luma(colour)
                // Dark is black, the colour lies half-way, and light is white.
                let mono =
                    luma < 0.5 ? tint * (2 * luma) : tint + (SIMD3(repeating: 1) - tint) * (2 * luma - 1)
                return colour + (mono - colour) * intensity
            }
        },
    ]
}
