import Decode
import PictureFormat
import Pixels

/// Processor time of one thread from the open file to plane and facts, by Rawmill's unpackers and by LibRaw's,
/// alternately.
enum Unpacking {
    /// - Throws: the error of the first unreadable file.
    static func run(_ paths: [String]) throws {
        for path in paths {
            do { try run(path) } catch let error as DecodeError { throw FileFailure(path: path, reason: "\(error)") }
        }
    }

    private static func run(_ path: String) throws {
        let bytes = try readFile(path)
        try bytes.withUnsafeBytes { memory in
            var (own, libRaw): ([Double], [Double]) = ([], [])
            for _ in 0..<7 {
                own.append(try time { try RawFile(bytes: memory).decode(xTrans: .mosaic) })
                if let its = try? time({ try RawFile(bytes: memory).decodeByLibRaw() }) { libRaw.append(its) }
            }
            let mine = Timing.median(own)
            var line = "\(path): \(mine) ms (least \(Timing.rounded(own.min() ?? 0))), LibRaw "
            if libRaw.isEmpty {
                line += "does not read it"
            } else {
                let its = Timing.median(libRaw)
                line +=
                    "\(its) ms (least \(Timing.rounded(libRaw.min() ?? 0))), ratio \(Timing.rounded(its / mine))"
            }
            print(line)
        }
    }

    private static func time(_ decode: () throws -> SensorImage) throws -> Double {
        let start = Timing.now(1)
        let image = try decode()
        let end = Timing.now(1)
        if image.plane.width == 0 { print("") }
        return end - start
    }
}
