import ExternalTools
import Foundation
import Glibc
import Jobs
import Storage
import Testing

@testable import Coordinator

@Suite("Walking sources", .serialized)
struct WalkTests {
    let folder: TemporaryFolder
    let top: String

    init() throws {
        folder = try TemporaryFolder()
        top = try folder.folder("archive")
    }

    @Test("visits every folder, in byte order, and counts what is not a RAW")
    func order() throws {
        for name in ["b/2.CR2", "b/1.CR2", "a.NEF", "Z.NEF", "b.txt", "c/d/e.dng", "ä.dng", "b-1/x.orf"] {
            try folder.file("archive/\(name)")
        }
        let found = try WalkFindings([top])
        #expect(found.paths == ["Z.NEF", "a.NEF", "b/1.CR2", "b/2.CR2", "b-1/x.orf", "c/d/e.dng", "ä.dng"])
        #expect(found.tally.notRaw == 1)
        #expect(found.tally.folders == 5)
        #expect(found.problems.isEmpty)
    }

    @Test("names files relative to a root called after the folder")
    func root() throws {
        try folder.file("archive/x/1.CR2")
        #expect(try WalkFindings([top]).files == ["archive/x/1.CR2"])
        #expect(try WalkFindings([top + "/x/../x/"]).files == ["x/1.CR2"])
    }

    @Test("accepts any bytes as names: invalid UTF-8, newlines, dashes, emoji, very long ones")
    func oddNames() throws {
        let names: [[UInt8]] = [
            [0xFF, 0xFE] + Array(".CR2".utf8), Array("a\nb.CR2".utf8), Array("-rf.CR2".utf8), Array("📷.cr3".utf8),
            Array(" .CR2".utf8), Array(String(repeating: "x", count: 251).utf8) + Array(".CR2".utf8),
        ]
        for name in names { try folder.file(bytes: Array("archive/".utf8) + name) }
        let source = SourceFolder(root: Example.root, relative: [], path: Array(top.utf8), extent: .tree)
        let walk = try Walk([source], roots: RootMap())
        var found: Set<[UInt8]> = []
        while let item = try walk.next() {
            if case .source(let source) = item { found.insert(source.source.raw.file.path.bytes) }
        }
        #expect(found == Set(names))
    }

    @Test("wraps times after the year 2262 in the same way as readers of the file")
    func laterTime() throws {
        let path = try folder.file("archive/a.CR2")
        let times = [timespec](repeating: timespec(tv_sec: 10_413_792_000, tv_nsec: 5), count: 2)
        try #require(utimensat(AT_FDCWD, path, times, 0) == 0)
        let folder = SourceFolder(root: Example.root, relative: [], path: Array(top.utf8), extent: .tree)
        let walk = try Walk([folder], roots: RootMap())
        var planned: [Int64] = []
        while let item = try walk.next() {
            if case .source(let found) = item { planned.append(found.source.raw.modifiedNanoseconds) }
        }
        #expect(planned == [try Root(path: top).facts(of: Array("a.CR2".utf8)).modifiedNanoseconds])
    }

    @Test("follows no link: one inside the root is skipped, one that points outside is reported")
    func links() throws {
        try folder.file("archive/real/1.CR2")
        try folder.file("elsewhere/2.CR2")
        try folder.folder("archive/links")
        folder.link("archive/links/in.CR2", to: "../real/1.CR2")
        folder.link("archive/links/infolder", to: "../real")
        folder.link("archive/links/loop", to: "..")
        folder.link("archive/links/out.CR2", to: folder.path + "/elsewhere/2.CR2")
        folder.link("archive/links/outfolder", to: folder.path + "/elsewhere")
        folder.link("archive/links/broken.CR2", to: "nothing")
        folder.link("archive/links/self.CR2", to: "self.CR2")
        folder.link("archive/links/notes.txt", to: "/etc/passwd")
        let found = try WalkFindings([top])
        #expect(found.paths == ["real/1.CR2"])
        #expect(found.tally.links == 3)
        #expect(found.tally.notRaw == 1)
        let kinds = found.problems.map {
            "\($0.kind) \(String(decoding: $0.path, as: UTF8.self).split(separator: "/").last ?? "")"
        }
        #expect(
            Set(kinds) == ["linkOut out.CR2", "linkOut outfolder", "brokenLink broken.CR2", "brokenLink self.CR2"])
    }

    @Test("follows a source that is itself a link")
    func sourceLink() throws {
        try folder.file("archive/real/1.CR2")
        folder.link("shortcut", to: "archive/real")
        #expect(try WalkFindings([folder.path + "/shortcut"]).files == ["real/1.CR2"])
    }

    @Test("skips hidden files and folders, devices and sockets")
    func skipped() throws {
        try folder.file("archive/.trash/1.CR2")
        try folder.file("archive/._1.CR2")
        mkfifo(top + "/pipe.CR2", 0o666)
        let found = try WalkFindings([top])
        #expect(found.paths.isEmpty && found.problems.isEmpty)
        #expect(found.tally.hidden == 2)
        #expect(found.tally.special == 1)
    }

    @Test(
        "skips the folders for deleted files and of the system, readable or not, unless they are named",
        arguments: ["#recycle", "$RECYCLE.BIN", "@eaDir", "@Recycle", "lost+found", "System Volume Information"])
    func systemFolders(name: String) throws {
        for path in ["trip/1.CR2", "\(name)/2.CR2", "trip/\(name)/deep/3.CR2", "trip/my \(name)/4.CR2"] {
            try folder.file("archive/\(path)")
        }
        chmod(folder.path, 0o755)
        chmod("\(top)/\(name)", 0o700)
        let found = try withoutPrivileges { try WalkFindings([top]) }
        #expect(found.paths == ["trip/1.CR2", "trip/my \(name)/4.CR2"] && found.problems.isEmpty)
        #expect(found.tally.hidden == 2)
        // A file with such a name is a normal file.
        try folder.file("archive/files/\(name)")
        #expect(try WalkFindings([top + "/files"]).tally.hidden == 0)

        let named = try WalkFindings([top, "\(top)/\(name)", "\(top)/trip/\(name)/deep/3.CR2", "\(top)/trip/1.CR2"])
        #expect(
            Set(named.paths) == ["\(name)/2.CR2", "trip/1.CR2", "trip/\(name)/deep/3.CR2", "trip/my \(name)/4.CR2"])
        #expect(named.paths.count == 4)
    }

    @Test("The page skips the same folders in a drop")
    func page() throws {
        let project = URL(filePath: #filePath).appending(path: "../../../..").standardized
        let script = try String(contentsOf: project.appending(path: "Sources/Page/folders.js"), encoding: .utf8)
        let list = try #require(script.firstMatch(of: /systemFolders = new Set\(\[([^\]]*)\]/)).1
        let names = list.split(separator: "\"").filter { $0.contains(/\w/) }
        #expect(Set(names.map(String.init)) == PassedOver.systemFolders)
    }

    @Test("reports unreadable entries and continues")
    func unreadable() throws {
        for name in ["closed/1.CR2", "open/2.CR2", "open/secret.CR2", "list/3.CR2"] {
            try folder.file("archive/\(name)")
        }
        chmod(folder.path, 0o755)
        chmod(top + "/closed", 0o000)
        chmod(top + "/open/secret.CR2", 0o000)
        chmod(top + "/list", 0o744)
        defer { chmod(top + "/closed", 0o755) }
        let found = try withoutPrivileges { try WalkFindings([top]) }
        #expect(found.paths == ["open/2.CR2", "open/secret.CR2"])
        #expect(found.sources["open/2.CR2"]?.unreadable == nil)
        #expect(found.sources["open/secret.CR2"]?.unreadable == "Permission denied")
        #expect(found.problems.map(\.kind) == [.unreadableFolder, .unreadableFile])
    }

    @Test("finds the same in a folder that is sorted on disk", .night)
    func sortingOnDisk() throws {
        for number in 0..<6000 {
            try folder.file("archive/big/IMG_\(number &* 3571 % 6000).CR2", "")
            if number.isMultiple(of: 5) { try folder.file("archive/big/IMG_\(number).JPG", "") }
        }
        try folder.file("archive/big/zz/last.NEF")
        let all = try WalkFindings([top])
        let sortedOnDisk = try WalkFindings([top], cacheBytes: 1)
        #expect(all.files.count == 6001)
        #expect(all.files == sortedOnDisk.files)
        #expect(all.sources == sortedOnDisk.sources)
        #expect(all.tally == sortedOnDisk.tally)
        #expect(all.tally.attached == 1200)
    }

    /// Number of descriptors of this process on files below the archive.
    private func openDescriptors() -> Int {
        (0..<1024).count { number in
            var target = [UInt8](repeating: 0, count: 4096)
            let count = readlink("/proc/self/fd/\(number)", &target, target.count)
            return count > 0 && target.prefix(count).starts(with: Array(top.utf8))
        }
    }

    @Test("goes as deep as paths can be, with two descriptors, and reports deeper folders")
    func deep() throws {
        let name = String(repeating: "d", count: 100)
        try folder.file("archive/1.CR2")
        // Created step by step, because the whole path is longer than a system call accepts.
        let script = "cd '\(top)'; for i in $(seq 45); do mkdir \(name); cd \(name); touch x.CR2; done"
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        shell.arguments = ["-c", script]
        try shell.run()
        shell.waitUntilExit()
        let walk = try Walk(
            [SourceFolder(root: Example.root, relative: [], path: Array(top.utf8), extent: .tree)], roots: RootMap())
        var maxDescriptors = 0
        while try walk.next() != nil { maxDescriptors = max(maxDescriptors, openDescriptors()) }
        #expect((1...2).contains(maxDescriptors))
        let found = try WalkFindings([top])
        #expect(found.files.count == 41)
        #expect(found.problems.map(\.kind) == [.pathTooLong])
    }

    @Test("finds sidecar and companion with their sizes and times")
    func attached() throws {
        try folder.file("archive/IMG_1.CR2", "raw")
        try folder.file("archive/IMG_1.CR2.xmp", "sidecar")
        try folder.file("archive/IMG_1.JPG", "jpeg!")
        try folder.file("archive/IMG_2.JPG", "alone")
        folder.touch("archive/IMG_1.CR2", seconds: 1_000_000_000)
        let found = try WalkFindings([top])
        let source = try #require(found.source("IMG_1.CR2"))
        #expect(source.raw.sizeBytes == 3)
        #expect(source.raw.modifiedNanoseconds == 1_000_000_000_000_000_000)
        #expect(source.sidecar?.sizeBytes == 7)
        #expect(source.companion?.file.path.description == "IMG_1.JPG")
        #expect(source.photoBase == Array("IMG_1".utf8))
        #expect(found.tally.attached == 2 && found.tally.notRaw == 1)
    }

    @Test("submits files named as sources of any kind, with sidecar and companion, and no other file")
    func explicit() throws {
        for name in ["a.CR2", "a.JPG", "b.CR2", "c.txt", ".hidden.CR2"] { try folder.file("archive/\(name)") }
        let found = try WalkFindings(["c.txt", "a.CR2", "a.CR2", ".hidden.CR2"].map { "\(top)/\($0)" })
        #expect(found.files == ["archive/.hidden.CR2", "archive/a.CR2", "archive/c.txt"])
        #expect(found.source("a.CR2")?.companion != nil)
        #expect(found.tally.notRaw == 0)
    }

    @Test("visits overlapping sources once")
    func overlap() throws {
        for name in ["x/1.CR2", "x/.y/2.CR2", "x/n.txt"] { try folder.file("archive/\(name)") }
        let sources = ["archive/x", "archive", "archive/x/1.CR2", "archive", "archive/x/.y", "archive/x/n.txt"]
        let found = try WalkFindings(sources.map { "\(folder.path)/\($0)" })
        #expect(Set(found.paths) == ["x/1.CR2", "x/.y/2.CR2", "x/n.txt"])
        #expect(found.files.count == 3)
    }

    @Test("names a file by the closest root above it")
    func nestedRoots() throws {
        try folder.file("archive/inner/1.CR2")
        try folder.file("archive/2.CR2")
        let roots = RootMap([RegisteredRoot(name: try #require(RootName("deep")), path: Array((top + "/inner").utf8))])
        #expect(try WalkFindings([top], roots: roots).files == ["archive/2.CR2", "deep/1.CR2"])
        let outer = RootMap([RegisteredRoot(name: try #require(RootName("all")), path: folder.bytes)])
        #expect(try WalkFindings([top + "/inner"], roots: outer).files == ["all/archive/inner/1.CR2"])
    }

    @Test("skips the library on its way, but accepts its photos as a source")
    func library() throws {
        try folder.file("archive/1.CR2")
        let library = top + "/library"
        try folder.file("archive/library/photos/archive/2.CR2")
        try folder.file("archive/library/objects/3.CR2")
        #expect(try WalkFindings([top], library: library).paths == ["1.CR2"])
        let photos = try WalkFindings([library + "/photos"], library: library)
        #expect(photos.files == ["library/photos/archive/2.CR2"])
        for refused in [library, library + "/objects", library + "/objects/3.CR2"] {
            let found = try WalkFindings([refused], library: library)
            #expect(found.files.isEmpty && found.problems.map(\.kind) == [.insideLibrary])
        }
        #expect(try WalkFindings([top, library + "/photos"], library: library).files.count == 2)
    }

    @Test("reports sources that do not exist or are not files")
    func missing() throws {
        let found = try WalkFindings([top + "/none", top + "/none/deeper", "", "/dev/null"])
        #expect(found.problems.map(\.kind) == [.missing, .missing, .missing, .special])
    }
}

@Suite("Names of roots")
struct RootTableTests {
    @Test("are the folder's with a number if taken, and never the library's")
    func names() {
        var table = RootMap()
        #expect(table.register(Array("/a/photos".utf8)).name.text == "photos")
        #expect(table.register(Array("/b/photos".utf8)).name.text == "photos-2")
        #expect(table.register(Array("/c/photos".utf8)).name.text == "photos-3")
        #expect(table.register(Array("/c/library".utf8)).name.text == "library-2")
        #expect(table.register(Array("/".utf8)).name.text == "root")
        let long = Array("/\(String(repeating: "x", count: 90))".utf8)
        #expect(table.register(long).name.text.count == 64)
        #expect(table.register(Array("/q".utf8) + long).name.text.hasSuffix("x-2"))
    }

    @Test("belong to the longest folder above a path")
    func longest() {
        var table = RootMap()
        _ = table.register(Array("/a".utf8))
        _ = table.register(Array("/a/b".utf8))
        #expect(table.containing(Array("/a/b/c".utf8))?.name.text == "b")
        #expect(table.containing(Array("/a/bc".utf8))?.name.text == "a")
        #expect(table.containing(Array("/ab".utf8)) == nil)
        _ = table.register(Array("/".utf8))
        #expect(table.containing(Array("/ab".utf8))?.name.text == "root")
        #expect(Array("/ab".utf8).below(Array("/".utf8)) == Array("ab".utf8)[...])
    }
}
