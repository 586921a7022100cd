import Foundation
import Jobs
import Library
import Manifests
import Testing

/// I2 of a quiet library: each row has its file, each file of the tree its row and the object's own bytes.
func expectRowsAndFilesToAgree(_ folder: TestFolder, _ comment: Comment, _ location: SourceLocation = #_sourceLocation)
    throws
{
    let store = try LibraryStore(folder: folder.library, mode: .read)
    var expected: [String: String] = [:]
    try store.eachPhoto { expected["\($0.path)"] = "\(LibraryLayout.photo($0.key))" }
    try store.eachOriginalCopy { copy, path in
        if let path { expected["\(path)"] = "\(copy.path)" }
    }
    #expect(folder.files(below: "photos") == expected.keys.sorted(), comment, sourceLocation: location)
    for (path, object) in expected {
        let inode = folder.inode(path)
        #expect(inode != nil && inode == folder.inode(object), comment, sourceLocation: location)
    }
    #expect(try !store.hasUnsettledNames, comment, sourceLocation: location)
}
