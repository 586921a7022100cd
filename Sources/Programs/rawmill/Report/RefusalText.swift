import Manifests
import Telemetry

/// Open jobs that were refused: by the library, or because a worker does not see their RAW.
struct RefusalText {
    private let photos: UInt64
    private let unseen: UInt64
    private let last: Refusal?

    /// - Parameters:
    ///   - refused: all of them.
    ///   - unseen: those whose RAW a worker does not see.
    ///   - last: why one of them was refused.
    init(refused: UInt64, unseen: UInt64, last: Refusal? = nil) {
        self.unseen = min(unseen, refused)
        photos = refused - self.unseen
        self.last = last
    }

    var lines: [String] {
        [
            sentence(photos, "was refused by the library", "were refused by the library", isAboutSource: false),
            sentence(
                unseen, "has a RAW that a worker does not see", "have RAWs that a worker does not see",
                isAboutSource: true),
        ].compactMap { $0 }
    }

    private func sentence(_ count: UInt64, _ one: String, _ many: String, isAboutSource: Bool) -> String? {
        guard count > 0 else { return nil }
        let text =
            count == 1
            ? "1 open job \(one) and is handed out again."
            : "\(count) open jobs \(many) and are handed out again."
        guard let last, last.isAboutSource == isAboutSource else { return text }
        return text + TerminalText.escape(" Last reason: \(last.message)")
    }

    /// A short form for the progress line; nil if there are none.
    var note: String? {
        let parts = [
            photos > 0 ? "\(photos) refused by the library" : nil,
            unseen > 0 ? "\(unseen) not seen by a worker" : nil,
        ].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}
