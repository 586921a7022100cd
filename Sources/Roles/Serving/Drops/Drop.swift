internal import Digest
package import Jobs
internal import JSON
internal import Manifests
internal import PhotoTree
internal import Runs
package import Storage
internal import Telemetry

/// Files that a user dropped together, in their order.
package struct Drop: Sendable {
    package let id: String
    package let title: String
    package let look: String
    /// The number of files, as the browser announced it.
    package let expected: Int
    package let createdMilliseconds: Int64
    package let folder: String
    package let batch: BatchID
    /// The files' paths in their order, as the browser sent them; empty if unknown.
    package var names: [String] = []
    /// By their index in the drop.
    package var files: [Int: DroppedFile] = [:]
    package var album: String?
    /// Indexes of the files whose photos were added to the album, so that a photo that a user removes stays out.
    package var inAlbum: Set<Int> = []

    /// The files in their order, including expected files with known names.
    package var ordered: [DroppedFile] {
        if names.isEmpty { return files.values.sorted { $0.index < $1.index } }
        return names.indices.map { files[$0] ?? DroppedFile(expected: names[$0], at: $0) }
    }

    package func count(_ state: DroppedFile.State) -> Int { files.values.count { $0.state == state } }

    /// Number of files that are neither imported nor refused.
    package var openCount: Int { max(0, expected - count(.done) - count(.refused)) }

    /// The sentence about files that were not imported, if any.
    package var sentence: String? { NotImported.sentence(count(.refused), of: expected) }
}

package struct DroppedFile: Sendable {
    package enum State: String, Sendable {
        case expected
        case uploading, waiting, rendering, done, refused
    }

    package let index: Int
    package let name: String
    /// The dropped folder, as the browser sent it; empty for none.
    package var folder = ""
    package let bytes: UInt64
    package var upload: String
    package var state: State
    package var reason: String?
    package var message: String?
    /// The ids of its photos, one for each frame.
    package var photos: [String] = []
    /// The RAW's path below the library's folder.
    package var path: String?
    /// SHA-256 of the RAW's bytes, as hexadecimal digits.
    package var asset: String?
    /// The end of its last job, in milliseconds since 1970; 0 for none.
    package var endedMilliseconds: Int64 = 0

    package var remedy: String? {
        guard state == .refused, let reason else { return nil }
        switch reason {
        case Self.duplicate: return "Nothing to do: the library already has its photo."
        case Self.notSent: return "Drop it again."
        // The default remedy mentions a list of files.
        case FailureReason.notRaw.rawValue: return "Leave it out, or drop its original."
        case FailureReason.corrupt.rawValue: return "Drop an undamaged copy."
        default: return FailureReason(rawValue: reason)?.remedy
        }
    }

    /// True while its photo is not rendered yet.
    package var isBeingImported: Bool { path != nil && (state == .waiting || state == .rendering) }

    /// Reasons that only drops have.
    package static let (duplicate, notSent) = ("duplicate", "not-sent")
}

extension DroppedFile {
    package init(expected name: String, at index: Int) {
        let parts = name.split(separator: "/")
        self.init(
            index: index, name: SafeName.made(of: parts.last.map(String.init) ?? name),
            folder: parts.dropLast().joined(separator: "/"),
            bytes: 0, upload: "", state: .expected)
    }

    /// True if the placed file has the uploaded bytes. A user may have replaced it.
    package func isUnchanged(in root: Root) -> Bool {
        guard let path, let asset else { return false }
        return (try? root.digest(of: Array(path.utf8)))?.digest.description == asset
    }

    package enum End: Hashable, Sendable {
        /// - Parameters:
        ///   - asset: SHA-256 of the RAW's bytes, which may have been repaired since the upload.
        ///   - note: why some frames have no photo.
        case imported([String], asset: String?, note: String?)
        case failed(reason: String, message: String)
    }

    /// Records the end of a job. The order of the ends does not matter: a photo counts more than a failure, and of two
    /// of the same kind the later one counts. Returns false if nothing changed.
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
