public import PictureFormat
public import Pixels

extension SampleCamera {
    /// Photographs a scene through a colour filter array.
    ///
    /// - Parameters:
    ///   - scene: fills the whole plane.
    ///   - size: of the plane, in pixels.
    ///   - layout: any; `linearRGB` gives three samples per pixel.
    /// - Returns: samples in sensor counts.
    public func expose(_ scene: SampleScene, size: PixelSize, layout: SensorLayout) -> Plane<UInt16> {
        let plane = Plane<UInt16>(width: size.width * layout.samplesPerPixel, height: size.height)
        let painter = scene.painter(size: size)
        let exposer = Exposer(camera: self, layout: layout, seed: scene.seed, width: size.width)
        for y in 0..<size.height {
            unsafe painter.paint(
                row: y, red: exposer.channels, green: exposer.channels + size.width,
                blue: exposer.channels + 2 * size.width)
            unsafe exposer.expose(row: y, into: plane.row(y))
        }
        exposer.end()
        return plane
    }
}

/// Turns rows of scene colour into sensor counts: matrix, filter, shot noise and read noise, quantisation.
@safe private struct Exposer {
    let camera: SampleCamera
    let layout: SensorLayout
    let seed: UInt64
    let width: Int
    let matrix: [Float]
    let normal: NormalTable
    /// Red, green and blue of a row, channel by channel.
    let channels: UnsafeMutablePointer<Float>
    /// The light behind the filters of the row's samples; 1 is saturation.
    let light: UnsafeMutablePointer<Float>

    init(camera: SampleCamera, layout: SensorLayout, seed: UInt64, width: Int) {
        self.camera = camera
        self.layout = layout
        self.seed = seed
        self.width = width
        let scale = camera.exposure / camera.whiteResponse[1]
        matrix = camera.cameraFromRGB.map { $0 * scale }
        normal = NormalTable(seed: seed)
        unsafe channels = .allocate(capacity: width * 3)
        unsafe light = .allocate(capacity: width * 3)
    }

    func end() {
        unsafe channels.deallocate()
        unsafe light.deallocate()
    }

    func expose(row y: Int, into samples: UnsafeMutablePointer<UInt16>) {
        switch layout {
        case .bayer(let pattern):
            for x in 0..<2 { filter(pattern[(y & 1) * 2 + x], from: x, step: 2) }
        case .xTrans(let pattern):
            for x in 0..<6 { filter(pattern[y % 6 * 6 + x], from: x, step: 6) }
        case .monochrome: filter(.green, from: 0, step: 1)
        case .linearRGB:
            for channel in 0..<3 { interleave(channel) }
        }
        unsafe quantise(row: y, into: samples)
    }

    /// Light behind one filter, at every `step`th sample of the row.
    private func filter(_ colour: CFAColour, from first: Int, step: Int) {
        let row = Int(colour.rawValue) * 3
        let (m0, m1, m2) = (matrix[row], matrix[row + 1], matrix[row + 2])
        for x in stride(from: first, to: width, by: step) {
            unsafe light[x] = unsafe m0 * channels[x] + m1 * channels[width + x] + m2 * channels[2 * width + x]
        }
    }

    private func interleave(_ channel: Int) {
        let (m0, m1, m2) = (matrix[channel * 3], matrix[channel * 3 + 1], matrix[channel * 3 + 2])
        for x in 0..<width {
            unsafe light[3 * x + channel] =
                unsafe m0 * channels[x] + m1 * channels[width + x] + m2 * channels[2 * width + x]
        }
    }

    private func quantise(row y: Int, into samples: UnsafeMutablePointer<UInt16>) {
        let count = width * layout.samplesPerPixel
        let white = Float(camera.white)
        let variance = camera.readNoise * camera.readNoise
        let perElectron = camera.fullWell > 0 ? 1 / camera.fullWell : 0
        var random = SplitMix64(seed: seed ^ mixed(UInt64(y)))
        var dice: UInt64 = 0
        let blacks =
            layout.samplesPerPixel == 1
            ? (0..<2).map { Float(camera.black[(y & 1) * 2 + $0]) }
            : [Float](repeating: Float(camera.black[0]), count: 2)
        unsafe normal.values.withUnsafeBufferPointer { normal in
            for x in 0..<count {
                if x & 3 == 0 { dice = random.next() }
                let electrons = unsafe max(light[x], 0) * camera.fullWell
                let noise = unsafe (electrons + variance).squareRoot() * normal[Int(dice & 0xffff)]
                dice >>= 16
                let black = blacks[x & 1]
                let value = unsafe max(light[x], 0) + noise * perElectron
                let count = value * (white - black) + black
                unsafe samples[x] = UInt16(min(max(count.rounded(), 0), white))
            }
        }
    }
}
