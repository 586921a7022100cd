import Arguments
import CommandLineTool
import Looks

/// What the command line changes about every look: it becomes part of the look's steps, and so of the recipe.
struct LookAdjustments {
    private static let group = "The look"

    static let push: Parameter<Double?> = .optional(
        "push", "STOPS", must: .within(-2...3), group: group,
        help: "Develops the film longer, as if it had been exposed by so many stops less: more contrast and grain.")
    static let grain: Parameter<Double?> = .optional(
        "grain", "FACTOR", must: .within(0...4), group: group, help: "Times the film's grain: 0 for none.")
    static let halation: Parameter<Double?> = .optional(
        "halation", "FACTOR", must: .within(0...4), group: group,
        help: "Times the film's glow around lights: 0 for none.")
    static let contrast: Parameter<Double?> = .optional(
        "contrast", "FACTOR", must: .within(0.25...4), group: group,
        help: "Times the finished picture's contrast: 1 leaves it as it is.")
    static let saturation: Parameter<Double?> = .optional(
        "saturation", "FACTOR", must: .within(0...2), group: group,
        help: "Times how colourful the finished picture is: 0 for greys.")

    static let all: [any AnyParameter] = [push, grain, halation, contrast, saturation]

    private let film: [String: [Double]]
    private let colours: [String: [Double]]

    init(_ values: ArgumentValues) {
        func given(_ parameters: [(String, Parameter<Double?>)]) -> [String: [Double]] {
            var given: [String: [Double]] = [:]
            for (name, parameter) in parameters { given[name] = values[parameter].map { [$0] } }
            return given
        }
        film = given([("push", Self.push), ("grain", Self.grain), ("halation", Self.halation)])
        colours = given([("contrast", Self.contrast), ("saturation", Self.saturation)])
    }

    /// None.
    init() { (film, colours) = ([:], [:]) }

    /// False if nothing is changed.
    var isGiven: Bool { !film.isEmpty || !colours.isEmpty }

    /// The look with these changes: the film's are told to its first step, the others come as a last one. What the look itself
    /// says comes first.
    func applied(to chain: LookChain) -> LookChain {
        var chain = chain
        chain.steps[0].parameters.merge(film) { own, _ in own }
        if !colours.isEmpty { chain.steps.append(LookChain.Step(name: "CIColorControls", parameters: colours)) }
        return chain
    }
}
