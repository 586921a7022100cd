import Digest
import Foundation
import Jobs
import Runs
import SeededRandom
import Storage
import Testing

@testable import Serving

@Suite("The files of a drop") struct DroppedFileTests {
    private struct Arrival: Hashable {
        let end: DroppedFile.End
        let milliseconds: Int64
    }

    private static let failed = [
        Arrival(end: .failed(reason: "timeout", message: "It took too long."), milliseconds: 10),
        Arrival(end: .failed(reason: "corrupt", message: "It is cut."), milliseconds: 20),
    ]
    private static let imported = [
        Arrival(end: .imported(["a"], asset: nil, note: "1 of 2 frames became photos."), milliseconds: 15),
        Arrival(end: .imported(["a", "b"], asset: "d", note: nil), milliseconds: 30),
    ]

    private func file(_ index: Int = 0) -> DroppedFile {
        DroppedFile(index: index, name: "a.dng", bytes: 1, upload: "u", state: .rendering, path: "photos/drops/a.dng")
    }

    private func result(of arrivals: [Arrival]) -> DroppedFile {
        var file = file()
        for arrival in arrivals { _ = file.take(arrival.end, at: arrival.milliseconds) }
        return file
    }

    @Test("Results that come late, twice or in any order give the same")
    func orders() {
        var random = SeededGenerator(seed: 7)
        for arrivals in [
            Self.failed, Self.imported, Self.failed + Self.imported, Self.failed + Self.imported.prefix(1),
        ] {
            let inOrder = result(of: arrivals.sorted { $0.milliseconds < $1.milliseconds })
            for _ in 0..<50 {
                let mixed = result(of: (arrivals + arrivals).shuffled(using: &random))
                #expect(mixed.state == inOrder.state && mixed.photos == inOrder.photos)
                #expect(mixed.reason == inOrder.reason && mixed.message == inOrder.message)
                #expect(mixed.endedMilliseconds == inOrder.endedMilliseconds)
            }
        }
        #expect(result(of: Self.failed + Self.imported).photos == ["a", "b"])
        #expect(result(of: Self.failed).remedy == "Drop an undamaged copy.")
        #expect(result(of: Array(Self.failed.prefix(1))).remedy == FailureReason.timeout.remedy)
        var again = result(of: Self.imported)
        let isTaken = again.take(Self.failed[1].end, at: 99)
        #expect(!isTaken, "a photo that is there counts more")
    }

    @Test("Everything known about a drop is available to the next process, and a truncated line only loses itself")
    func remembered() throws {
        let workspace = try LibraryFolder()
        let root = try Root(path: workspace.library.path, creating: true)
        #expect(try DropStore(in: root).all.isEmpty)
        let store = try DropStore(in: root)
        let names = ["card/a.dng", "card/b.dng", "c\u{202e}.dng"]
        let drop = try store.begin(title: "Card 1", look: "velvet", expected: 3, names: names)
        var done = file(1)
        _ = done.take(.imported(["k", "l"], asset: nil, note: "a note"), at: 5)
        try store.set(done, of: drop.id)
        try store.set(album: "Card 1", added: [1], of: drop.id)
        let file = workspace.library.appending(path: ".rawmill/drops/\(drop.id).jsonl")
        try (try Data(contentsOf: file) + Data(#"{"index":2,"na"#.utf8)).write(to: file)
        let next = try DropStore(in: root)
        let read = try #require(next[drop.id])
        #expect(read.ordered.map(\.state) == [.expected, .done, .expected])
        #expect(
            read.ordered.map(\.index) == [0, 1, 2] && read.ordered[0].name == "a.dng"
                && read.ordered[0].folder == "card")
        #expect(read.ordered[1].photos == ["k", "l"] && read.ordered[1].endedMilliseconds == 5)
        #expect(read.album == "Card 1" && read.inAlbum == [1])
        #expect(read.openCount == 2 && read.sentence == nil)
        #expect(NotImported.sentence(1, of: 240) == "1 of 240 was not imported.")
        #expect(NotImported.sentence(3, of: 240) == "3 of 240 were not imported.")
        try next.set(album: nil, added: [], of: drop.id)
        #expect(try DropStore(in: root)[drop.id]?.album == nil)
        #expect(try DropStore(in: root)[drop.id]?.inAlbum.isEmpty == true)
    }

    @Test(
        "A drop whose record names another drop, or a negative number of files, does not trap and is written nowhere else"
    )
    func strangeNotes() throws {
        let workspace = try LibraryFolder()
        let root = try Root(path: workspace.library.path, creating: true)
        let drop = try DropStore(in: root).begin(title: "Card", look: "neutral", expected: 2)
        let path = Array(".rawmill/drops/\(drop.id).jsonl".utf8)
        let text = String(decoding: try root.contents(of: path, limitBytes: 1 << 20), as: UTF8.self)
        let negative = text.replacing("\"expected\":2", with: "\"expected\":-2")
        #expect(negative != text)
        _ = try root.publish(Array(negative.utf8), at: path, existing: .replace)
        #expect(try DropStore(in: root)[drop.id]?.expected == 0)
        _ = try root.publish(Array(text.replacing(drop.id, with: "../../x").utf8), at: path, existing: .replace)
        #expect(try DropStore(in: root).all.isEmpty)
    }

    @Test("A file that a user put in the place of a dropped one is not mistaken for it")
    func replaced() throws {
        let workspace = try LibraryFolder()
        let root = try Root(path: workspace.library.path, creating: true)
        let path = Array("a.dng".utf8)
        _ = try root.publish([1, 2], at: path)
        var file = DroppedFile(index: 0, name: "a.dng", bytes: 2, upload: "u", state: .rendering, path: "a.dng")
        #expect(!file.isUnchanged(in: root))
        file.asset = try root.digest(of: path).digest.description
        #expect(file.isUnchanged(in: root))
        _ = try root.publish([3], at: path, existing: .replace)
        #expect(!file.isUnchanged(in: root))
        _ = try root.remove(path)
        #expect(!file.isUnchanged(in: root))
    }
}
