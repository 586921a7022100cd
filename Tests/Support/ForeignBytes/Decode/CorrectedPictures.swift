#if DEBUG
    @testable import Decode
    import Develop
    import PictureFormat
    import Pixels
    import Synchronization

    /// Opcode lists, and developing with their factors and warps: unchecked kernels rely on earlier checks of these.
    struct CorrectedPictures: ForeignReader {
        let name = "corrections"
        /// Its tables are reused, as in a render process.
        private static let context = Mutex(DevelopContext())
        private static let layouts: [SensorLayout] = [
            .bayer([.red, .green, .green, .blue]), .xTrans(XTransPattern.colours), .monochrome, .linearRGB,
        ]

        func read(_ bytes: [UInt8]) throws {
            let list = try withExactMemory(bytes) { try OpcodeList($0) }
            let layout = Self.layouts[Int(bytes.last ?? 0) % Self.layouts.count]
            let size = PixelSize(width: 44, height: 30)
            let plane = Plane<UInt16>(width: size.width * layout.samplesPerPixel, height: size.height)
            for y in 0..<size.height {
                for x in 0..<plane.width { plane.row(y)[x] = UInt16(500 + (x * 29 + y * 53) % 3000) }
            }
            var facts = SensorFacts(
                layout: layout, crop: PixelRect(x: 4, y: 3, size: PixelSize(width: 37, height: 25)), black: .zero,
                white: [4095, 4095, 4095], whiteBalance: nil, matrices: [])
            var run = OpcodeRun()
            for isInterpolated in [false, true] {
                run.run(list, OpcodeStage(facts, bounds: facts.crop, isInterpolated: isInterpolated), plane)
            }
            facts.corrections = SensorCorrections(
                gains: run.gains, warps: run.warps, area: PixelRect(x: 0, y: 0, size: size), complaint: run.complaint)
            let image = SensorImage(plane: plane, facts: facts)
            let settings = DevelopSettings(brightness: .asExposed)
            try Self.context.withLock { context in
                _ = try context.develop(image, settings: settings)
            }
        }
    }
#endif
