import Compression
import Testing

struct ChecksumTests {
    @Test("The checksums match the standards' examples")
    func examples() {
        // The check value of CRC-32/ISO-HDLC, and the Adler-32 of the same bytes by RFC 1950's definition.
        let digits = Array("123456789".utf8)
        #expect(digits.withUnsafeBytes { Checksum.crc32($0) } == 0xCBF4_3926)
        #expect(digits.withUnsafeBytes { Checksum.adler32($0) } == 0x091E_01DE)
        #expect([UInt8]().withUnsafeBytes { Checksum.crc32($0) } == 0)
        #expect([UInt8]().withUnsafeBytes { Checksum.adler32($0) } == 1)
    }

    @Test(
        "The checksum of two concatenated runs follows from theirs",
        arguments: [0, 1, 31, 4096, 65_521, 99_999])
    func parts(first: Int) {
        let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 * $0 / 3) }
        bytes.withUnsafeBytes { bytes in
            let (start, end) = (UnsafeRawBufferPointer(rebasing: bytes[..<first]), bytes[first...])
            let rest = UnsafeRawBufferPointer(rebasing: end)
            #expect(Checksum.crc32(rest, after: Checksum.crc32(start)) == Checksum.crc32(bytes))
            let sum = Checksum.adler32(Checksum.adler32(start), then: Checksum.adler32(rest), byteCount: rest.count)
            #expect(sum == Checksum.adler32(bytes))
            // By definition.
            var (a, b) = (1, 0)
            for byte in bytes {
                a = (a + Int(byte)) % 65_521
                b = (b + a) % 65_521
            }
            #expect(sum == UInt32(b << 16 | a))
        }
    }
}
