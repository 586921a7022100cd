public import Digest
public import Pixels

/// Input values of a look. A look states them, because a wrong guess gives wrong colours.
public enum LookInput: String, Hashable, Sendable, CaseIterable {
    /// Scene light, linear.
    case sceneLinear = "scene-linear"
    /// Scene light in a logarithmic encoding; the look is the whole rendering.
    case log
    /// Display-encoded values, after the neutral rendering.
    case display
}

/// A film look or effect: immutable once released, named by name and version, pinned by the hash of its definition.
public struct Look: Sendable {
    /// `a-z 0-9 -`, at most 64 characters.
    public let name: String
    /// Counts up from 1.
    public let version: UInt32
    /// Whether the look states its version, as built-in and YAML looks do. A library counts the versions of all others.
    public let hasOwnVersion: Bool
    /// One sentence for users.
    public let summary: String
    /// The input values of the look.
    public let input: LookInput
    /// SHA-256 over everything that decides the look's result.
    public let digest: SHA256Value
    /// Rendering of the scene's light; nil for the neutral tone curve.
    let film: (any FilmStage)?
    /// Weight of the film at the look's full strength, 0…1.
    let filmShare: Float
    let effect: any RowStage

    /// - Parameters:
    ///   - name: `a-z 0-9 -`, at most 64 characters.
    ///   - version: from 1.
    ///   - summary: one sentence for users.
    ///   - input: input values of the look.
    ///   - hasOwnVersion: false if a library counts the look's versions.
    ///   - definition: text or bytes that change whenever the look's result does.
    ///   - table: the large part of the definition, which is not copied; hashed after the rest.
    ///   - effect: the look at full strength.
    init(
        name: String, version: UInt32, hasOwnVersion: Bool = true, summary: String, input: LookInput,
        definition: some Collection<UInt8>,
        table: [UInt8] = [], effect: any RowStage
    ) {
        self.name = name
        self.version = version
        self.hasOwnVersion = hasOwnVersion
        self.summary = summary
        self.input = input
        film = nil
        filmShare = 1
        self.effect = effect
        var hasher = SHA256Hasher()
        hasher.update(Array("rawmill look\ninput=\(input.rawValue)\n".utf8))
        hasher.update(definition)
        hasher.update(table)
        digest = hasher.finish()
    }

    /// Creates a look from a film.
    init(name: String, version: UInt32, summary: String, film: Film) {
        self.init(
            name: name, version: version, summary: summary, film: FilmRendering(film), filmShare: 1, definition: [],
            effect: IdentityStage())
    }

    /// Creates a look from a film and an effect on its finished colours.
    ///
    /// - Parameters:
    ///   - film: rendering of the scene's light; nil for the neutral rendering.
    ///   - filmShare: weight of the film, 0…1.
    ///   - definition: bytes that change whenever the effect's result does.
    ///   - effect: at full strength.
    init(
        name: String, version: UInt32, hasOwnVersion: Bool = true, summary: String, film: (any FilmStage)?,
        filmShare: Float, definition: [UInt8], effect: any RowStage
    ) {
        self.name = name
        self.version = version
        self.hasOwnVersion = hasOwnVersion
        self.summary = summary
        input = film == nil ? .display : .sceneLinear
        self.film = film
        self.filmShare = filmShare
        self.effect = effect
        var hasher = SHA256Hasher()
        hasher.update(Array("rawmill look\ninput=\(input.rawValue)\n\(film?.key ?? "")".utf8))
        hasher.update(definition)
        digest = hasher.finish()
    }

    /// `NAME@VERSION`.
    public var identifier: String { "\(name)@\(version)" }

    /// The look as an operation on rows.
    ///
    /// - Parameter strength: 0 leaves the picture unchanged, 1 is the full look; values between blend both in the
    ///   look's working space. Clamped to 0…1; NaN counts as 1.
    public func stage(strength: Double = 1) -> any RowStage {
        let strength = strength.isNaN ? 1 : min(max(strength, 0), 1)
        if strength == 0 { return IdentityStage() }
        if film == nil, effect is IdentityStage { return effect }
        return LookStage(
            effect: effect, film: film, filmShare: filmShare, strength: Float(strength),
            digest: digest)
    }
}
