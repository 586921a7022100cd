import Digest
import ExternalTools
import Glibc
import Storage
import Testing

@Suite(.needs(.mounting)) struct BadDiskTests {
    @Test("A full disk is reported as full, no file gets the name, and writing works again once there is space")
    func full() throws {
        let disk = try SmallDisk(bytes: 256 << 10)
        let root = try Root(path: disk.path)
        let bytes = [UInt8](repeating: 7, count: 400 << 10)
        #expect(kind { _ = try root.publish(bytes, at: [UInt8]("photo.jpg")) } == .diskFull)
        #expect(kind { try root.probeWriting(bytes: 1 << 20) } == .diskFull)
        #expect(try root.entries(of: []).isEmpty)
        _ = try root.publish([UInt8](repeating: 7, count: 100 << 10), at: [UInt8]("photo.jpg"))
        try root.probeWriting(bytes: 64 << 10)
        #expect(try root.entries(of: []).map(\.name) == [[UInt8]("photo.jpg")])
    }

    @Test("A read-only file system is reported as read-only")
    func readOnly() throws {
        let disk = try SmallDisk(bytes: 256 << 10)
        let root = try Root(path: disk.path)
        disk.makeReadOnly()
        #expect(kind { _ = try root.publish([1], at: [UInt8]("photo.jpg")) } == .readOnly)
        #expect(kind { try root.probeWriting(bytes: 1) } == .readOnly)
    }
}
