import Testing

@testable import Pixels

@Suite("The digest of raw samples") struct RawImageDigestTests {
    @Test(
        "MD5 gives the digests of RFC 1321",
        arguments: [
            ("", "d41d8cd98f00b204e9800998ecf8427e"), ("abc", "900150983cd24fb0d6963f7d28e17f72"),
            ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
            (
                "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
                "57edf4a22be3c955ac49da2e2107b67a"
            ),
        ])
    func rfc1321(message: String, digest: String) {
        let found = md5(Array(message.utf8)).map { byte in
            let text = String(byte, radix: 16)
            return text.count < 2 ? "0" + text : text
        }
        #expect(found.joined() == digest)
    }

    @Test("A tile's digest is that of its little-endian samples, the plane's that of its tiles' digests")
    func oneTile() {
        let plane = Plane<UInt16>(width: 4, height: 2)
        for y in 0..<2 { for x in 0..<4 { plane.row(y)[x] = UInt16(y * 1000 + x) } }
        let bytes: [UInt8] = [0, 0, 1, 0, 2, 0, 3, 0, 0xe8, 3, 0xe9, 3, 0xea, 3, 0xeb, 3]
        #expect(plane.rawImageDigest(samplesPerPixel: 1) == md5(md5(bytes)))
        let colours: [UInt8] = [0, 0, 2, 0, 0xe8, 3, 0xea, 3, 1, 0, 3, 0, 0xe9, 3, 0xeb, 3]
        #expect(plane.rawImageDigest(samplesPerPixel: 2) == md5(md5(colours)))
    }

    @Test("Every sample of every tile counts")
    func everySample() {
        let plane = Plane<UInt16>(width: 700, height: 520)
        for y in 0..<520 { for x in 0..<700 { plane.row(y)[x] = UInt16(truncatingIfNeeded: x &* 31 &+ y &* 17) } }
        let digest = plane.rawImageDigest(samplesPerPixel: 1)
        for (x, y) in [(0, 0), (699, 519), (256, 255), (511, 512), (699, 0)] {
            plane.row(y)[x] ^= 1
            #expect(plane.rawImageDigest(samplesPerPixel: 1) != digest)
            plane.row(y)[x] ^= 1
        }
        #expect(plane.rawImageDigest(samplesPerPixel: 1) == digest)
    }

    @Test(
        "A tile's colours are hashed one after the other, for any number of tiles and threads", arguments: 1...4,
        [false, true])
    func colours(samplesPerPixel: Int, asBytes: Bool) {
        let (columns, rows) = (256 * 2 + 37, 256 + 19)
        let plane = Plane<UInt16>(width: columns * samplesPerPixel, height: rows)
        for y in 0..<rows {
            for x in 0..<plane.width { plane.row(y)[x] = UInt16(truncatingIfNeeded: x &* 2_731 &+ y &* 40_503) }
        }
        var digests: [UInt8] = []
        for y in stride(from: 0, to: rows, by: 256) {
            for x in stride(from: 0, to: columns, by: 256) {
                var message: [UInt8] = []
                for colour in 0..<samplesPerPixel {
                    for y in y..<min(y + 256, rows) {
                        for x in x..<min(x + 256, columns) {
                            let sample = plane.row(y)[x * samplesPerPixel + colour]
                            message.append(UInt8(truncatingIfNeeded: sample))
                            if !asBytes { message.append(UInt8(sample >> 8)) }
                        }
                    }
                }
                digests += md5(message)
            }
        }
        for threads in [1, 3] {
            let found = plane.rawImageDigest(samplesPerPixel: samplesPerPixel, asBytes: asBytes, threads: threads)
            #expect(found == md5(digests))
        }
    }
}
