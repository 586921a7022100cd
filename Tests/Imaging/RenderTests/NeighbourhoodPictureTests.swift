import Looks
import Pixels
import Testing

/// CIEdges and CIMotionBlur in whole pictures.
@Suite("Effects that use neighbours")
struct NeighbourhoodPictureTests {
    private func stage(_ text: String, strength: Double = 1) throws -> any RowStage {
        try Look(file: LookChain(text).definition { (_: String) throws(LookError) in [] }, fileName: "look")
            .stage(strength: strength)
    }

    /// Dark on the left, light on the right, with a lamp in the dark.
    private let picture = FilmPicture(light: 0, width: 320, height: 200) { x, y in
        (78...82).contains(x) && (98...102).contains(y) ? 2.5 : x < 160 ? 0.05 : 0.4
    }

    private func row(_ luma: [UInt8], _ y: Int) -> [Int] { (0..<320).map { Int(luma[y * 320 + $0]) } }

    @Test("At intensity 0 the picture is black; at 1 only edges are visible, and more makes them lighter")
    func edges() throws {
        func found(_ text: String) throws -> [UInt8] { try picture.lumas(stage(text), preview: 64).full }
        #expect(try found("CIEdges(intensity=0)").allSatisfy { $0 == 0 })
        let usual = row(try found("CIEdges"), 30)
        #expect(usual[159] > 60 && usual[160] > 60, "\(usual[155...165])")
        for x in [0, 40, 150, 170, 319] { #expect(usual[x] == 0) }
        #expect(row(try found("CIEdges(intensity=2)"), 30)[160] > usual[160] + 50)
    }

    @Test("A blurred lamp has the requested length, and its middle does not move")
    func blur() throws {
        let still = row(try picture.lumas(stage("neutral"), preview: 64).full, 100)
        let moved = row(try picture.lumas(stage("CIMotionBlur(radius=25)"), preview: 64).full, 100)
        let lit = moved.indices.filter { $0 < 120 && moved[$0] > still[20] + 3 }
        // 50 pixels of the line, and the lamp's five.
        #expect(lit.first.map { abs($0 - 53) <= 1 } == true && lit.last.map { abs($0 - 107) <= 1 } == true, "\(lit)")
        #expect(moved[20] == still[20])
        let upwards = try picture.lumas(stage("CIMotionBlur(radius=25,angle=1.5708)"), preview: 64).full
        #expect(upwards[80 * 320 + 80] > upwards[80 * 320 + 20] + 3 && upwards[100 * 320 + 60] == upwards[20])
        // The blur applies to a film's picture, with its grain and halation.
        #expect(throws: Never.self) { try picture.lumas(stage("nocturne+CIMotionBlur"), preview: 64) }
    }

    @Test("A radius of 0 blurs nothing: the picture is within a step of the original")
    func still() throws {
        let plain = try picture.lumas(stage("velvet(grain=0,halation=0)+sepia"), preview: 64)
        let same = try picture.lumas(stage("velvet(grain=0,halation=0)+sepia+CIMotionBlur(radius=0)"), preview: 64)
        #expect(zip(plain.full, same.full).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
        // The preview is made from the display's light, not the scene's; at edges the means differ.
        let preview = zip(plain.preview, same.preview).map { abs(Double($0) - Double($1)) }.reduce(0, +)
        #expect(preview / Double(plain.preview.count) < 0.5)
    }

    @Test("Steps are applied in their order")
    func order() throws {
        let (first, last) = (
            try picture.lumas(stage("CIColorInvert+CIEdges"), preview: 64).full,
            try picture.lumas(stage("CIEdges+CIColorInvert"), preview: 64).full
        )
        #expect(first[0] == 0 && last[0] == 255)
        let shaded = try picture.lumas(stage("CIEdges+CIColorInvert+CIVignette(intensity=1)"), preview: 64).full
        #expect(shaded[0] < 6 && shaded[100 * 320 + 150] > 240)
    }

    @Test("Half the strength of look or step is half-way to the picture without it")
    func strength() throws {
        let plain = try picture.lumas(stage("neutral"), preview: 64).full
        let edges = try picture.lumas(stage("CIEdges+CIColorInvert"), preview: 64).full
        let half = try picture.lumas(stage("CIEdges+CIColorInvert", strength: 0.5), preview: 64).full
        let step = try picture.lumas(stage("CIEdges(strength=0.5)"), preview: 64).full
        let whole = try picture.lumas(stage("CIEdges"), preview: 64).full
        for index in plain.indices {
            #expect(abs(Double(half[index]) - (Double(plain[index]) + Double(edges[index])) / 2) <= 1.5)
            #expect(abs(Double(step[index]) - (Double(plain[index]) + Double(whole[index])) / 2) <= 1.5)
        }
    }

    @Test(
        "A preview is the full size scaled down",
        arguments: ["CIMotionBlur(radius=12,angle=0.6)", "CIEdges(intensity=3)"])
    func preview(text: String) throws {
        let (full, small) = try picture.lumas(stage(text), preview: 80)
        var sum = 0.0
        for y in 0..<50 {
            for x in 0..<80 {
                var light = 0.0
                for i in 0..<16 { light += Self.light(full[(4 * y + i / 4) * 320 + 4 * x + i % 4]) / 16 }
                sum += abs(Self.light(small[y * 80 + x]) - light)
            }
        }
        #expect(sum / 4000 < 0.006, "\(sum / 4000)")
    }

    /// Approximately that of sRGB.
    private static func light(_ value: UInt8) -> Double {
        let x = Double(value) / 255
        return x * (x * (x * 0.305306011 + 0.682171111) + 0.012522878)
    }

    @Test("Any number of threads gives the same bytes, also with a film and colours")
    func threads() throws {
        let look = try stage("nocturne+CIMotionBlur(radius=9,angle=-0.4)+CISepiaTone(intensity=0.4)", strength: 0.8)
        let one = try picture.lumas(look, preview: 64, threads: 1)
        for threads in [2, 3] {
            let more = try picture.lumas(look, preview: 64, threads: threads)
            #expect(more.full == one.full && more.preview == one.preview)
        }
    }
}
