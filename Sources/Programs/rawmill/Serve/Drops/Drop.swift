import JSON
import Jobs
import Manifests
import Telemetry

/// Files that a person dropped together: what becomes of each.
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
    /// By their place in the drop.
    var files: [Int: DroppedFile] = [:]

    /// In their order.
    var ordered: [DroppedFile] { files.values.sorted { $0.index < $1.index } }

    func count(_ state: DroppedFile.State) -> Int { files.values.count { $0.state == state } }

    /// What a person should know at the end; nil for nothing.
    var sentence: String? {
        let refused = count(.refused)
        return refused == 0 ? nil : "\(refused) of \(expected) were not imported."
    }
}

/// One file of a drop.
struct DroppedFile: Sendable {
    enum State: String, Sendable {
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
    /// The photo's id.
    var photo: String?
    /// Where the RAW is, below the library.
    var path: String?
    /// SHA-256 of the RAW's bytes, as hexadecimal digits.
    var asset: String?
}
