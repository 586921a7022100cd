import Digest
import Glibc
import Samples
import Storage

/// A user who works in the folder of photos while Rawmill does: edits, deletes and renames photos, and puts files,
/// links and folders where photos will be.
struct PhotoEditor {
    private enum Action: CaseIterable { case edit, delete, rename, putFile, putLink, putFolder }

    private let folder: String
    /// A folder elsewhere, for the targets of links.
    private let outside: String
    /// The user's files, which must stay.
    private(set) var files = FileInventory()
    /// Names below the folder that the user touched. They explain findings of a verification.
    private(set) var names: Set<String> = []
    /// Photos that the user edited, by name below the folder.
    private(set) var editedPhotos: Set<String> = []
    /// Number of the user's actions.
    private(set) var count = 0

    /// - Parameter folder: the library's, or an export's.
    init(folder: String, outside: String) {
        self.folder = folder
        self.outside = outside
    }

    /// Performs an action on the name of a present or future photo.
    ///
    /// - Parameter name: below the folder.
    mutating func act(at name: String, _ random: inout SplitMix64) {
        // Users mostly edit.
        let action = Bool.random(using: &random) ? .edit : Action.allCases.randomElement(using: &random)
        switch action {
        case .edit: edit(name, by: SavingProgram.allCases.randomElement(using: &random) ?? .inPlace)
        case .delete: delete(name)
        case .rename: rename(name)
        case .putFile: putFile(at: name, "a file of \(name)")
        case .putLink: putLink(at: name)
        case .putFolder: putFolder(at: name)
        case nil: break
        }
    }

    /// Saves a photo with a rating, or a user's own file with more content.
    mutating func edit(_ name: String, by program: SavingProgram) {
        guard mayTouch(name) else { return }
        let isPhoto = !files.contains(path(name)) || editedPhotos.contains(name)
        guard let digest = program.save(path(name), adding: "rating \(count)") else { return }
        take(name, .file(digest))
        if isPhoto { editedPhotos.insert(name) }
    }

    /// Puts a file under a name that is free.
    mutating func putFile(at name: String, _ text: String) {
        guard makeFolder(of: name) else { return }
        let file = unsafe open(path(name), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o664)
        guard file >= 0 else { return }
        defer { close(file) }
        let bytes = Array(text.utf8)
        if OpenFile.write(bytes[...], to: file) { take(name, .file(SHA256Value(of: bytes))) }
    }

    // MARK: - Other actions

    private mutating func delete(_ name: String) {
        if mayTouch(name), unsafe unlink(path(name)) == 0 { leave(name) }
    }

    /// To a name that no photo has.
    private mutating func rename(_ name: String) {
        let renamed = "\(name.dropLast(4)) (mine \(count)).jpg"
        guard mayTouch(name), unsafe Glibc.rename(path(name), path(renamed)) == 0 else { return }
        let wasEdited = editedPhotos.contains(name)
        leave(name)
        if let content = FileInventory.content(of: path(renamed)) { take(renamed, content) }
        if wasEdited { editedPhotos.insert(renamed) }
    }

    private mutating func putLink(at name: String) {
        let target = "\(outside)/target-\(count)"
        guard makeFolder(of: name), let root = try? Root(path: outside, creating: true),
            (try? root.publish(Array("what a link leads to".utf8), at: Array("target-\(count)".utf8))) != nil,
            unsafe symlink(target, path(name)) == 0
        else { return }
        files.note(target)
        take(name, .link(target))
    }

    private mutating func putFolder(at name: String) {
        guard makeFolder(of: name), unsafe mkdir(path(name), 0o775) == 0 else { return }
        take(name, .folder)
        putFile(at: "\(name)/inside.txt", "a file in a folder of \(name)")
    }

    // MARK: - Ownership

    /// Whether the name is a photo, or a user's own unchanged file: otherwise a new action would hide earlier damage.
    private func mayTouch(_ name: String) -> Bool {
        guard case .file = FileInventory.content(of: path(name)) else { return false }
        return !files.contains(path(name)) || files.isUnchanged(path(name))
    }

    /// The name belongs to the user from now on.
    private mutating func take(_ name: String, _ content: FileInventory.Content) {
        count += 1
        files.note(path(name), content)
        names.insert(name)
    }

    private mutating func leave(_ name: String) {
        count += 1
        files.forget(path(name))
        names.insert(name)
        editedPhotos.remove(name)
    }

    private func path(_ name: String) -> String { "\(folder)/\(name)" }

    private func makeFolder(of name: String) -> Bool {
        (try? Root(path: FolderListing.parts(of: path(name)).folder, creating: true)) != nil
    }
}
