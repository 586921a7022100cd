import Arguments
import CommandLineTool
import Coordinator
import Jobs
import JSON
import Storage
import Web
import WebService

/// The picture options of the command line, as a query or a JSON object gives them: `look=velvet&exposure=0.5`. So a page, a
/// program and a person at the terminal ask for a photo in the same words, and get the same errors.
struct RecipeQuery: Sendable {
    private let values: ArgumentValues
    private let library: String

    /// What may be asked for over HTTP. None names a file of this machine.
    static let names: Set<String> = [
        "look", "strength", "exposure", "white-balance", "long-edge", "format", "quality", "subsampling", "progressive",
        "hdr", "colour-space", "noise", "no-denoise", "sharpen", "lens", "strip", "push", "grain", "halation",
        "contrast",
        "saturation",
    ]

    private static let command = Command(
        "photo", summary: "Describes a photo.", parameters: ConvertOptions.picture
    ) { _ in 0 }

    /// - Parameter library: the library's folder, whose looks are known by name.
    /// - Throws: `ServiceError` for a value that makes no sense.
    init(_ fields: [Request.Field], library: String) throws(ServiceError) {
        var arguments: [[UInt8]] = []
        for field in fields where Self.names.contains(field.name) && !field.value.isEmpty {
            try Self.check(field)
            switch (Self.flags.contains(field.name), field.value) {
            case (true, "true"), (true, "1"): arguments.append(Array("--\(field.name)".utf8))
            case (true, _): break
            case (false, _): arguments.append(Array("--\(field.name)=\(field.value)".utf8))
            }
        }
        let program = Program(Command("rawmill", summary: "", subcommands: [Self.command]), version: "")
        do {
            guard case .run(_, let values) = try program.parse([Array("photo".utf8)] + arguments) else {
                throw ServiceError(400, "bad-recipe", "That is no photo's recipe.")
            }
            self.values = values
        } catch let error as UsageError {
            throw Self.refusal(error)
        } catch let error as ServiceError {
            throw error
        } catch {
            throw ServiceError(400, "bad-recipe", "\(error)")
        }
        self.library = library
    }

    private static let flags: Set<String> = ["progressive", "hdr", "no-denoise"]

    /// A look is a name here, never a path: nobody reads this machine's files through a page.
    private static func check(_ field: Request.Field) throws(ServiceError) {
        guard field.name == "look" else { return }
        let isPath = field.value.contains { "/\\".contains($0) }
        let endings = [".cube", ".png", ".yaml", ".yml", ".3dl", ".tif", ".tiff"]
        guard !isPath, !endings.contains(where: field.value.lowercased().contains), field.value.utf8.count <= 500 else {
            throw ServiceError(
                400, "bad-look", "A look is given by its name here.",
                remedy: "`rawmill looks import FILE` makes a file known by name.")
        }
    }

    /// From the fields of a JSON object, whose values are texts, numbers or true and false.
    init(_ fields: [String: JSONValue], library: String) throws(ServiceError) {
        var query: [Request.Field] = []
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
            guard Self.names.contains(name) else {
                throw ServiceError(400, "bad-recipe", "There is no setting called \(name).")
            }
            switch value {
            case .text(let text): query.append(.init(name, text))
            case .integer(let number): query.append(.init(name, "\(number)"))
            case .real(let number): query.append(.init(name, "\(number)"))
            case .boolean(let flag): query.append(.init(name, "\(flag)"))
            case .null: break
            default: throw ServiceError(400, "bad-recipe", "\(name) must be a text or a number.")
            }
        }
        try self.init(query, library: library)
    }

    /// For new photos; what is needed for them is stored in the library.
    ///
    /// - Throws: `ServiceError`, `StorageError`.
    func selection() async throws -> RecipeSelection {
        do {
            let selection = try await RecipeSelection(values, library: library)
            try selection.store(in: Root(path: library))
            return selection
        } catch let error as UsageError {
            throw Self.refusal(error)
        }
    }

    /// One recipe for a picture that nobody keeps.
    func recipe() async throws -> Recipe {
        do {
            guard let first = try await selection().recipes(in: nil, recording: false).first else {
                throw ServiceError(400, "bad-recipe", "That is no photo's recipe.")
            }
            return first.recipe
        } catch let error as UsageError {
            throw Self.refusal(error)
        }
    }

    /// The changes of an edit.
    func changes() throws(ServiceError) -> RecipeChanges {
        do { return try RecipeChanges(values, library: library) } catch {
            if let error = error as? UsageError { throw Self.refusal(error) }
            throw ServiceError(400, "bad-recipe", "\(error)")
        }
    }

    /// What the command line says of its options holds here, too, but for their dashes.
    static func refusal(_ error: UsageError) -> ServiceError {
        var text = "\(error)"
        while let dashes = text.firstRange(of: "--") { text.removeSubrange(dashes) }
        return ServiceError(400, "bad-recipe", text)
    }
}
