import Decode
import Develop
import Glibc
import Looks
import PictureFormat
import Pixels

/// `time RAW [THREADS [SHAPE]]`: milliseconds of developing, in several shapes.
/// `floor RAW [THREADS]`: milliseconds of unpacking and of encoding alone.
/// `unpack RAW…`: milliseconds from the open file to plane and facts, by Rawmill's unpackers and by LibRaw's.
/// `render RAW OUT.ppm [LOOK [SHARPENING]]`: the developed picture before JPEG coding.
/// `planes RAW OUT.f32 [noisy]`: the interpolated camera colours, three floats per pixel after nine for calibration;
/// `noisy` disables noise reduction.
/// `develop RAW`: milliseconds of developing on one thread, without look and preview.
/// `lens RAW [CASE]`: the cost of lens correction, relative to developing.
/// `look FILE COLOURS.f32 OUT.f32`: display colours after a look's file, three floats each.
/// `chains RAW THREADS LOOK…`: milliseconds of developing with each look, in alternating runs.
/// `warm-up all`: milliseconds to prepare each look.
/// `scene RAW OUT.f32`: scene light in Rec. 2020 primaries, three floats per pixel.
@main
enum Program {
    static func main() {
        do { try run(CommandLine.arguments.dropFirst()) } catch {
            tell("engine-benchmark: \(error)")
            exit(1)
        }
    }

    private static func run(_ words: ArraySlice<String>) throws {
        guard words.count >= 2, let command = words.first else {
            print("usage: engine-benchmark time|floor|unpack|develop|chains|render|planes|scene RAW …")
            return
        }
        let rest = Array(words.dropFirst())
        if command == "look", rest.count == 3 {
            return try LookColours.run(rest[0], colours: rest[1], to: rest[2])
        }
        if command == "unpack" { return try Unpacking.run(rest) }
        if command == "warm-up" { return try LookTiming.warmUp() }
        let bytes = try readFile(rest[0])
        let image: SensorImage
        let start = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 64)
        defer { start.deallocate() }
        start.copyBytes(from: bytes)
        if command == "floor" {
            return try Floor.run(UnsafeRawBufferPointer(start), threads: rest.count > 1 ? Int(rest[1]) ?? 1 : 1)
        }
        image = try RawFile(bytes: UnsafeRawBufferPointer(start)).decode(xTrans: .mosaic)
        switch command {
        case "time":
            try Timing.run(image, threads: rest.count > 1 ? Int(rest[1]) ?? 1 : 1, only: rest.dropFirst(2).first)
        case "chains": try LookTiming.run(image, threads: Int(rest[1]) ?? 1, Array(rest.dropFirst(2)))
        case "lens": try LensTiming.run(image, only: rest.dropFirst().first)
        case "develop": try Developing.run(image)
        case "render":
            try Render.run(
                image, to: rest[1], look: rest.count > 2 ? rest[2] : "neutral",
                sharpening: rest.count > 3 ? Float(rest[3]) ?? 0 : 0.5)
        case "planes": try Planes.run(image, to: rest[1], reducesNoise: rest.dropFirst(2).first != "noisy")
        case "scene": try Planes.runScene(image, to: rest[1])
        default: print("unknown command \(command)")
        }
    }
}
