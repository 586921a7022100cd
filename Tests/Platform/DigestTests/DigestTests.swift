import Digest
import Foundation
import ExternalTools
import SeededRandom
import Testing

@Suite("SHA-256")
struct SHA256Tests {
    @Test(
        "Digests match NIST's test vectors",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
        ])
    func vectors(text: String, digest: String) {
        #expect(SHA256Value(of: Array(text.utf8)).description == digest)
        #expect(SHA256Value(of: text.utf8).description == digest, "a collection without contiguous storage")
    }

    @Test("Digests are those of sha256sum, for any pieces of the bytes", .needs(.program("sha256sum")))
    func matchesSHA256Sum() throws {
        var random = SeededGenerator()
        for count in [1, 63, 64, 65, 200_000] {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            let expected = try ExternalTool.run("sha256sum", [], on: bytes).prefix(64)
            var hasher = SHA256Hasher()
            var rest = bytes[...]
            while !rest.isEmpty {
                let piece = rest.prefix(Int.random(in: 0...10_000, using: &random))
                hasher.update(piece)
                rest = rest.dropFirst(piece.count)
            }
            #expect(hasher.finish().description == expected, "seed \(random.seed)")
            #expect(SHA256Value(of: bytes).description == expected, "seed \(random.seed)")
        }
    }

    @Test("A value is parsed from 32 bytes or 64 digits, and from nothing else")
    func reading() throws {
        let value = SHA256Value(of: [1, 2, 3])
        #expect(SHA256Value(bytes: value.bytes) == value)
        #expect(SHA256Value(hex: value.description) == value)
        #expect(SHA256Value(hex: value.description.uppercased()) == value)
        for count in [0, 31, 33] { #expect(SHA256Value(bytes: [UInt8](repeating: 0, count: count)) == nil) }
        for text in ["", "zz", String(repeating: "g", count: 64), String(repeating: "0", count: 63), "٣"] {
            #expect(SHA256Value(hex: text) == nil)
        }
    }

    @Test("Values are ordered as their digits are")
    func order() {
        let values = (0..<50).map { SHA256Value(of: [UInt8($0)]) }
        #expect(values.sorted().map(\.description) == values.map(\.description).sorted())
    }
}

@Suite("SHA-1")
struct SHA1Tests {
    @Test(
        "It matches the standard, also in pieces",
        arguments: [
            ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"), ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
        ])
    func vectors(text: String, digest: String) {
        guard var hasher = SHA1Hasher() else {
            Issue.record("OpenSSL's settings forbid SHA-1")
            return
        }
        for byte in text.utf8 { hasher.update([byte]) }
        #expect(hasher.finish() == digest)
    }
}

@Suite("Hexadecimal")
struct HexadecimalTests {
    @Test("Digits parse to the original bytes")
    func roundTrip() {
        let every = Array(UInt8.min...UInt8.max)
        #expect(every.hex.count == 512)
        #expect([UInt8](hex: every.hex) == every)
        #expect([UInt8](hex: "") == [])
        for text in ["0", "0x", "é0", "0g", " 00"] { #expect([UInt8](hex: text) == nil) }
    }
}
