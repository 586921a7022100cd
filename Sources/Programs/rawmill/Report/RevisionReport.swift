import Digest
import Jobs
internal import LibraryTables
import Revisions
import Telemetry

struct RevisionReport {
    let reviser: PhotoReviser
    let asJSON: Bool
    let output: TextOutput

    /// A photo that shows another revision now, or already did.
    func write(_ change: PhotoReviser.Change) {
        let (before, after) = (change.before, change.after)
        guard !asJSON else { return write("photo", before, after, nil) }
        let number = "revision \(after.history.current), \(after.recipe.look)@\(after.recipe.lookVersion)"
        guard change.isChange else { return line(after, "\(after.path): unchanged, \(number)") }
        let name = before.path == after.path ? "\(after.path)" : "\(before.path) -> \(after.path)"
        line(after, "\(name): \(number)")
    }

    /// A photo that stays unchanged, and why.
    func write(_ photo: PhotoReviser.Photo, _ problem: String) {
        guard !asJSON else { return write("unchanged", photo, photo, problem) }
        line(photo, "\(photo.path): \(problem).")
    }

    private func line(_ photo: PhotoReviser.Photo, _ text: String) {
        output.write(line: TerminalText.escape("\(photo.asset.description.prefix(12))  \(text)"))
    }

    private func write(
        _ event: String, _ before: PhotoReviser.Photo, _ after: PhotoReviser.Photo, _ problem: String?
    ) {
        output.write(
            event: event,
            [
                "asset": after.asset.description,
                "frame": after.frame,
                "photo": String(decoding: after.path.bytes, as: UTF8.self),
                "before": String(decoding: before.path.bytes, as: UTF8.self),
                "revision": after.history.current,
                "look": "\(after.recipe.look)@\(after.recipe.lookVersion)",
                "recipe": after.recipe.id.description,
                "problem": problem,
            ])
    }
}
