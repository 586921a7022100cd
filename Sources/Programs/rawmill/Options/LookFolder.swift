import CommandLineTool
import Looks
import Storage
import Telemetry

/// The folder of a user's imported looks: an immutable file `NAME@VERSION.look` for each.
struct LookFolder {
    private static let ending = ".look"

    struct Entry {
        let name: String
        let version: UInt32
        let file: [UInt8]

        var identifier: String { "\(name)@\(version)" }
    }

    let path: String

    /// `rawmill/looks` in the folder for users' data. Nil without a home folder.
    init?() {
        guard let data = UserFolder.data else { return nil }
        path = "\(data)/rawmill/looks"
    }

    /// Ordered by name and version. A missing folder has none; files with other names are ignored.
    func entries() throws -> [Entry] {
        guard RealPath.of(Array(path.utf8)) != nil else { return [] }
        let found = try Root(path: path).entries(of: []).compactMap { entry -> Entry? in
            guard let text = String(validating: entry.name, as: UTF8.self), text.hasSuffix(Self.ending) else {
                return nil
            }
            let parts = text.dropLast(Self.ending.count).split(separator: "@", omittingEmptySubsequences: false)
            guard parts.count == 2, let version = UInt32(parts[1]), version > 0, "\(version)" == parts[1],
                !parts[0].isEmpty, Look.name(fromFile: String(parts[0])) == parts[0]
            else { return nil }
            return Entry(name: String(parts[0]), version: version, file: entry.name)
        }
        return found.sorted { ($0.name, $0.version) < ($1.name, $1.version) }
    }

    /// The look called `NAME@VERSION`, or the newest version of `NAME`; nil for an unknown name. Throws
    /// `CommandFailure` for an unknown version.
    func entry(named text: String) throws -> Entry? {
        let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let versions = try entries().filter { $0.name == parts[0] }
        guard parts.count == 2, !versions.isEmpty else { return versions.last }
        if let found = versions.first(where: { "\($0.version)" == parts[1] }) { return found }
        throw CommandFailure(
            "there is no look \(TerminalText.escape(text)); \(TerminalText.escape(path)) has "
                + versions.map(\.identifier).joined(separator: ", ") + ".")
    }

    /// The bytes of a look, checked against its file's name.
    func read(_ entry: Entry) throws -> (Look, [UInt8]) {
        let bytes = try Root(path: path).contents(of: entry.file, limitBytes: LookSelection.limitBytes)
        let look: Look
        do throws(LookError) { look = try Look(file: bytes, fileName: entry.name) } catch {
            throw CommandFailure(
                "\(TerminalText.escape(path))/\(entry.identifier).look cannot be used: \(error). "
                    + "Import the look's file again under another version.")
        }
        guard look.identifier == entry.identifier else {
            throw CommandFailure(
                "\(TerminalText.escape(path))/\(entry.identifier).look holds \(look.identifier): "
                    + "its files must not be renamed or changed. Import the look's file again.")
        }
        return (look, bytes)
    }

    /// Stores a look. Returns whether it is new. Throws `CommandFailure` if another look has its name and version.
    func add(_ look: Look, _ bytes: [UInt8]) throws -> Bool {
        let name = Array((look.identifier + Self.ending).utf8)
        let publication = try Root(path: path, creating: true).publish(bytes, at: name)
        guard publication.outcome != .kept else { throw Self.conflict(look, next: look.version + 1, in: path) }
        return publication.outcome == .created
    }

    /// A look never changes under its name and version, because recipes refer to it by them.
    ///
    /// - Parameters:
    ///   - version: a free version.
    ///   - place: where the other look is.
    static func conflict(_ look: Look, next version: UInt32, in place: String) -> CommandFailure {
        CommandFailure(
            "\(TerminalText.escape(place)) already has another look called \(look.identifier). Give this one another version "
                + "(\(version)) or another name.")
    }
}
