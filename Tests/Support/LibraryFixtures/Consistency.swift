internal import Foundation
internal import Jobs
internal import LibraryTables
internal import Manifests
internal import PhotoTree
internal import Selection
public import Testing

extension LibraryFixture {
    /// The library's content, line by line.
    public func content() throws -> [String] {
        var lines: [String] = []
        try LibraryStore(folder: libraryPath, mode: .read).tables.content.eachLine { lines.append($0) }
        return lines
    }

    /// Invariant I2 of a quiet library: each row has its file; each file of the tree has its row and the object's
    /// bytes, and a photo is a separate file.
    public func expectConsistency(_ comment: Comment, _ location: SourceLocation = #_sourceLocation) throws {
        let store = try LibraryStore(folder: libraryPath, mode: .read)
        var expected: [String: String] = [:]
        try store.photos.each { expected["\($0.path)"] = "\(LibraryLayout.photo($0.key))" }
        try store.assets.eachOriginalCopy { copy, path in
            if let path { expected["\(path)"] = "\(copy.path)" }
        }
        #expect(files(below: "photos") == expected.keys.sorted(), comment, sourceLocation: location)
        for (path, object) in expected {
            let bytes = FileManager.default.contents(atPath: "\(libraryPath)/\(path)")
            let isSame = bytes != nil && bytes == FileManager.default.contents(atPath: "\(libraryPath)/\(object)")
            #expect(isSame, comment, sourceLocation: location)
            let isShared = inode(path) == inode(object)
            #expect(!isShared || !object.hasSuffix(".jpg"), comment, sourceLocation: location)
        }
        #expect(try !store.links.hasPending, comment, sourceLocation: location)
    }
}
