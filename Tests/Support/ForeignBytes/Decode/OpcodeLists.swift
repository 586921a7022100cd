#if DEBUG
    @testable import Decode
    import PictureFormat
    import Pixels

    /// Opcode lists, and their effect on the samples of small sensors.
    struct OpcodeLists: ForeignReader {
        let name = "opcodes"

        func read(_ bytes: [UInt8]) throws {
            let list = try withExactMemory(bytes) { try OpcodeList($0) }
            let bayer = SensorLayout.bayer([.red, .green, .green, .blue])
            for layout in [bayer, .xTrans(XTransPattern.colours), .monochrome, .linearRGB] { run(list, layout) }
        }

        private func run(_ list: OpcodeList, _ layout: SensorLayout) {
            let size = PixelSize(width: 20, height: 14)
            let plane = Plane<UInt16>(width: size.width * layout.samplesPerPixel, height: size.height)
            plane.samples.update(repeating: 1000)
            let facts = SensorFacts(
                layout: layout, crop: PixelRect(x: 2, y: 1, size: PixelSize(width: 17, height: 12)), black: .zero,
                white: [4095, 4095, 4095], whiteBalance: nil, matrices: [])
            var run = OpcodeRun()
            run.run(list, OpcodeStage(stored: size, layout), plane, keepsGains: false)
            for isInterpolated in [false, true] {
                run.run(list, OpcodeStage(facts, bounds: facts.crop, isInterpolated: isInterpolated), plane)
            }
            _ = (run.complaint, run.bounds)
            for gain in run.gains { _ = gain.factor(x: 7, y: 5, channel: 1) }
        }
    }
#endif
