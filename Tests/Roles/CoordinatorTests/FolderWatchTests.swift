import Coordinator
import Foundation
import Testing

/// The files that a watched folder reports, and when.
struct FolderWatchTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "watch-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    private func write(_ name: String, _ count: Int, at seconds: Double = 1_700_000_000) throws {
        let file = folder.appending(path: name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(count: count).write(to: file)
        let time = Date(timeIntervalSince1970: seconds)
        try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: file.path)
    }

    private func names(_ look: FolderWatch.Look) -> [String] {
        look.settled.map { String(decoding: $0.dropFirst(folder.path.utf8.count + 1), as: UTF8.self) }
    }

    @Test("A RAW is reported once it is unchanged between two looks, once, and again after it changed and settled")
    func settles() throws {
        var watch = FolderWatch([Array(folder.path.utf8)])
        #expect(names(watch.look()).isEmpty)
        try write("a.dng", 10)
        try write("deep/er/b.NEF", 10)
        try write("a.jpg", 10)
        try write(".hidden.dng", 10)
        try write("#recycle/deleted.dng", 10)
        try write("deep/@eaDir/b.NEF", 10)
        try write("empty.cr2", 0)
        #expect(watch.look().growing == 3)
        try write("a.dng", 20)
        let second = watch.look()
        #expect(names(second) == ["deep/er/b.NEF"] && second.growing == 2)
        #expect(names(watch.look()) == ["a.dng"])
        #expect(names(watch.look()).isEmpty)
        try write("a.dng", 20, at: 1_700_000_009)
        #expect(names(watch.look()).isEmpty)
        #expect(names(watch.look()) == ["a.dng"])
    }

    @Test(
        "A RAW is reported again when its sidecar appears, changes or disappears, and settled; darktable's name has precedence"
    )
    func sidecars() throws {
        var watch = FolderWatch([Array(folder.path.utf8)])
        func settled() -> [String] {
            let first = names(watch.look())
            return first + names(watch.look())
        }
        try write("a.dng", 10)
        try write("b.dng", 10)
        #expect(settled() == ["a.dng", "b.dng"])
        try write("a.xmp", 5)
        #expect(settled() == ["a.dng"])
        try write("a.dng.xmp", 7)
        #expect(settled() == ["a.dng"])
        try write("a.xmp", 6)
        #expect(settled().isEmpty, "the other one has precedence")
        try write("a.dng.xmp", 7, at: 1_700_000_009)
        #expect(settled() == ["a.dng"])
        try FileManager.default.removeItem(at: folder.appending(path: "a.dng.xmp"))
        #expect(settled() == ["a.dng"])
    }

    @Test("A missing folder is reported, and reports no file twice when it is back")
    func away() throws {
        let other = folder.appendingPathExtension("away")
        var watch = FolderWatch([Array(folder.path.utf8)])
        try write("a.dng", 10)
        _ = watch.look()
        #expect(names(watch.look()) == ["a.dng"])
        try FileManager.default.moveItem(at: folder, to: other)
        let look = watch.look()
        #expect(look.problems.count == 1 && look.settled.isEmpty)
        try FileManager.default.moveItem(at: other, to: folder)
        #expect(names(watch.look()).isEmpty && names(watch.look()).isEmpty)
    }
}
