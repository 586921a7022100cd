import Manifests
import SeededRandom
import Testing

@testable import Metadata

/// Every reader against damaged and random bytes: a result or an error, never a trap.
struct HostileInputTests {
    private func damage(_ bytes: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...8, using: &generator) where !bytes.isEmpty {
            let offset = Int.random(in: 0..<bytes.count, using: &generator)
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: bytes[offset] = UInt8.random(in: 0...255, using: &generator)
            case 1: bytes[offset] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            case 2: bytes.removeSubrange(offset..<min(bytes.count, offset + Int.random(in: 0...40, using: &generator)))
            default: bytes.insert(contentsOf: bytes[offset...].prefix(40), at: offset)
            }
        }
        return bytes
    }

    @Test("Damaged JPEGs never trap a reader", arguments: 1...10)
    func readsDamagedJPEGs(seed: UInt64) throws {
        let toolkit = try XMPToolkit()
        let packet = try toolkit.packet(identity: identity(), inherited: InheritedXMP(), creatorTool: "Rawmill 1")
        let file = try photo(exif: rendition().payload(), xmp: packet)
        let metadata = Array(file.prefix { _ in true }.prefix(6000))
        #expect(try toolkit.identity(from: PhotoBytes(metadata)).key == identity().key)
        var generator = SeededGenerator(seed: seed)
        var read = 0
        for _ in 0..<100 {
            let damaged = damage(metadata, &generator)
            _ = CaptureStamp(jpeg: damaged)
            _ = rendition(source(ExifField.read(fromJPEG: damaged))).payload()
            if (try? toolkit.identity(from: PhotoBytes(damaged))) != nil { read += 1 }
        }
        #expect((1..<100).contains(read))
    }

    @Test("Damaged packets never trap a reader", arguments: 1...10)
    func readsDamagedPackets(seed: UInt64) throws {
        let toolkit = try XMPToolkit()
        let packet = try toolkit.packet(identity: identity(), inherited: InheritedXMP(), creatorTool: "Rawmill 1")
        #expect(try toolkit.identity(fromPacket: packet) == identity())
        var generator = SeededGenerator(seed: seed)
        var read = 0
        for _ in 0..<100 {
            let damaged = damage(packet, &generator)
            _ = try? toolkit.identity(fromPacket: damaged)
            if (try? toolkit.inherited(from: damaged)) != nil { read += 1 }
        }
        #expect((1..<100).contains(read))
    }

    @Test(
        "Random bytes after any head never trap a reader, and a packet after them is read", arguments: 1...10
    )
    func readsRandomBytes(seed: UInt64) throws {
        let toolkit = try XMPToolkit()
        var generator = SeededGenerator(seed: seed)
        let heads: [[UInt8]] = [
            [], [0xFF, 0xD8, 0xFF], [0xFF, 0xD8, 0xFF, 0xE1, 0x00, 0x60] + Array("Exif\0\0II*\0".utf8),
            [0xFF, 0xD8, 0xFF, 0xE1, 0x00, 0x60] + Array("Exif\0\0MM\0*".utf8),
        ]
        for _ in 0..<300 {
            let head = heads.randomElement(using: &generator) ?? []
            let bytes =
                head
                + (0..<Int.random(in: 0...300, using: &generator)).map { _ in
                    UInt8.random(in: 0...255, using: &generator)
                }
            _ = CaptureStamp(jpeg: bytes)
            _ = ExifBlockReader.fields(of: Array(bytes.dropFirst(12)))
            _ = try? toolkit.identity(from: PhotoBytes(bytes))
            _ = try? toolkit.inherited(from: bytes)
            _ = PacketText.bytes(String(decoding: bytes, as: UTF8.self))
        }
        let packet = try toolkit.packet(identity: identity(), inherited: InheritedXMP(), creatorTool: "Rawmill 1")
        #expect(try toolkit.identity(fromPacket: packet) == identity())
    }

    @Test("Directories that point to themselves, far out or overflow end the reading")
    func readsLoops() {
        func block(_ offset: [UInt8], _ entry: [UInt8]) -> [UInt8] { [0x49, 0x49, 42, 0] + offset + [1, 0] + entry }
        let itself: [UInt8] = [0x69, 0x87, 4, 0, 1, 0, 0, 0, 8, 0, 0, 0]
        #expect(ExifBlockReader.fields(of: block([8, 0, 0, 0], itself))?.count == 2)
        let huge: [UInt8] = [0x0F, 0x01, 12, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]
        #expect(ExifBlockReader.fields(of: block([8, 0, 0, 0], huge))?.isEmpty == true)
        #expect(ExifBlockReader.fields(of: block([0xFF, 0xFF, 0xFF, 0xFF], huge))?.isEmpty == true)
    }
}
