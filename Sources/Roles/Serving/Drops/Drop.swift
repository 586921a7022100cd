internal import Digest
package import Jobs
internal import JSON
internal import Library
internal import Manifests
internal import Runs
package import Storage
internal import Telemetry

/// Files that a person dropped together: one item of several photos, in the order in which they were dropped.
package struct Drop: Sendable {
    package let id: String
    package let title: String
    package let look: String
    /// How many files the browser said there are.
    package let expected: Int
    package let createdMilliseconds: Int64
    /// The folder below `photos/` that the RAWs are in.
    package let folder: String
    /// The batch of their jobs.
    package let batch: BatchID
    /// The files with their folders, in their order, as the browser gave them; empty where it did not.
    package var names: [String] = []
    /// By their place in the drop.
    package var files: [Int: DroppedFile] = [:]
    /// The album that it was opened as.
    package var album: String?
    /// The places of the files whose photos were put into the album: what a person takes out of it stays out.
    package var inAlbum: Set<Int> = []

    /// In their order, those that are to come among them as far as their names are known.
    package var ordered: [DroppedFile] {
        if names.isEmpty { return files.values.sorted { $0.index < $1.index } }
        return names.indices.map { files[$0] ?? DroppedFile(expected: names[$0], at: $0) }
    }

    package func count(_ state: DroppedFile.State) -> Int { files.values.count { $0.state == state } }

    /// Files without an end.
    package var openCount: Int { max(0, expected - count(.done) - count(.refused)) }

    /// What a person should know at the end; nil for nothing.
    package var sentence: String? { NotImported.sentence(count(.refused), of: expected) }
}

/// One file of a drop.
package struct DroppedFile: Sendable {
    package enum State: String, Sendable {
        /// Nothing of it has come yet.
        case expected
        case uploading, waiting, rendering, done, refused
    }

    package let index: Int
    package let name: String
    /// The folder that it was dropped from, as the browser gave it; empty for none.
    package var folder = ""
    package let bytes: UInt64
    package var upload: String
    package var state: State
    package var reason: String?
    package var message: String?
    /// The ids of the photos that its job made, one for each frame.
    package var photos: [String] = []
    /// Where the RAW is, below the library.
    package var path: String?
    /// SHA-256 of the RAW's bytes, as hexadecimal digits.
    package var asset: String?
    /// When the job ended that the state is of, in milliseconds since 1970; 0 where none has.
    package var endedMilliseconds: Int64 = 0

    /// What can be done about it.
    package var remedy: String? {
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
    package var isBeingImported: Bool { path != nil && (state == .waiting || state == .rendering) }

    /// Reasons of a drop's own.
    package static let (duplicate, notSent) = ("duplicate", "not-sent")
}

extension DroppedFile {
    /// A file that is to come.
    package init(expected name: String, at index: Int) {
        let parts = name.split(separator: "/")
        self.init(
            index: index, name: SafeName.made(of: parts.last.map(String.init) ?? name),
            folder: parts.dropLast().joined(separator: "/"),
            bytes: 0, upload: "", state: .expected)
    }

    /// Whether the file that it was placed as has the bytes that came. A person may have put another one there since.
    package func isUnchanged(in root: Root) -> Bool {
        guard let path, let asset else { return false }
        return (try? root.digest(of: Array(path.utf8)))?.digest.description == asset
    }

    /// How a job ended.
    package enum End: Hashable, Sendable {
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
    package mutating func take(_ end: End, at milliseconds: Int64) -> Bool {
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
