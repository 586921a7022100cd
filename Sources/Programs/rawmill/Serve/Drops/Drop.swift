import Digest
import JSON
import Jobs
import Library
import Manifests
import Storage
import Telemetry

/// Files that a person dropped together: one item of several photos, in the order in which they were dropped.
struct Drop: Sendable {
    let id: String
    let title: String
    let look: String
    /// How many files the browser said there are.
    let expected: Int
    let createdMilliseconds: Int64
    /// The folder below `photos/` that the RAWs are in.
    let folder: String
    /// The batch of their jobs.
    let batch: BatchID
    /// The files with their folders, in their order, as the browser gave them; empty where it did not.
    var names: [String] = []
    /// By their place in the drop.
    var files: [Int: DroppedFile] = [:]
    /// The album that it was opened as.
    var album: String?
    /// The places of the files whose photos were put into the album: what a person takes out of it stays out.
    var inAlbum: Set<Int> = []

    /// In their order, those that are to come among them as far as their names are known.
    var ordered: [DroppedFile] {
        if names.isEmpty { return files.values.sorted { $0.index < $1.index } }
        return names.indices.map { files[$0] ?? DroppedFile(expected: names[$0], at: $0) }
    }

    func count(_ state: DroppedFile.State) -> Int { files.values.count { $0.state == state } }

    /// Files without an end.
    var openCount: Int { max(0, expected - count(.done) - count(.refused)) }

    /// What a person should know at the end; nil for nothing.
    var sentence: String? { NotImported.sentence(count(.refused), of: expected) }
}

/// The sentence about a part of an item that failed.
enum NotImported {
    /// Nil where nothing failed.
    static func sentence(_ count: Int, of all: Int) -> String? {
        count == 0 ? nil : "\(count) of \(all) \(count == 1 ? "was" : "were") not imported."
    }
}

/// One file of a drop.
struct DroppedFile: Sendable {
    enum State: String, Sendable {
        /// Nothing of it has come yet.
        case expected
        case uploading, waiting, rendering, done, refused
    }

    let index: Int
    let name: String
    /// The folder that it was dropped from, as the browser gave it; empty for none.
    var folder = ""
    let bytes: UInt64
    var upload: String
    var state: State
    var reason: String?
    var message: String?
    /// The ids of the photos that its job made, one for each frame.
    var photos: [String] = []
    /// Where the RAW is, below the library.
    var path: String?
    /// SHA-256 of the RAW's bytes, as hexadecimal digits.
    var asset: String?
    /// When the job ended that the state is of, in milliseconds since 1970; 0 where none has.
    var endedMilliseconds: Int64 = 0

    /// What can be done about it.
    var remedy: String? {
        guard state == .refused, let reason else { return nil }
        switch reason {
        case Self.duplicate: return "Nothing is to be done: its photo is there."
        case Self.notSent: return "Drop it again."
        // What is told of a list of files elsewhere, for one.
        case FailureReason.notRaw.rawValue: return "Leave it out, or drop the original that it came from."
        case FailureReason.corrupt.rawValue: return "Drop a whole copy of it."
        default: return FailureReason(rawValue: reason)?.remedy
        }
    }

    /// True where a job of it is to end.
    var isBeingImported: Bool { path != nil && (state == .waiting || state == .rendering) }

    /// Reasons of a drop's own.
    static let (duplicate, notSent) = ("duplicate", "not-sent")
}

extension DroppedFile {
    /// A file that is to come.
    init(expected name: String, at index: Int) {
        let parts = name.split(separator: "/")
        self.init(
            index: index, name: SafeName.made(of: parts.last.map(String.init) ?? name),
            folder: parts.dropLast().joined(separator: "/"),
            bytes: 0, upload: "", state: .expected)
    }

    /// Whether the file that it was placed as has the bytes that came. A person may have put another one there since.
    func isUnchanged(in root: Root) -> Bool {
        guard let path, let asset else { return false }
        return (try? root.digest(of: Array(path.utf8)))?.digest.description == asset
    }

    /// How a job ended.
    enum End: Hashable, Sendable {
        /// With the ids of its photos, and why some frames have none.
        ///
        /// - Parameter asset: SHA-256 of the RAW's bytes: it may have been mended since it was uploaded.
        case imported([String], asset: String?, note: String?)
        case failed(reason: String, message: String)
    }

    /// Takes an end in. The ends of a file's jobs give the same in whatever order they come, late or twice: a photo that is there
    /// counts more than a try that failed, and of two of a kind the later.
    ///
    /// - Returns: false where it changes nothing.
    mutating func take(_ end: End, at milliseconds: Int64) -> Bool {
        switch end {
        case .imported(let photos, let asset, let note):
            if state == .done, endedMilliseconds >= milliseconds { return false }
            (state, self.photos, reason, message) = (.done, photos, nil, note)
            if let asset { self.asset = asset }
        case .failed(let reason, let message):
            if state == .done || state == .refused && endedMilliseconds >= milliseconds { return false }
            (state, self.reason, self.message) = (.refused, reason, message)
        }
        endedMilliseconds = milliseconds
        return true
    }
}
