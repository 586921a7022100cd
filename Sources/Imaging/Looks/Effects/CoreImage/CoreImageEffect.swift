/// An effect with the name, parameters, ranges and defaults of a Core Image filter (Apple, "Core Image Filter
/// Reference").
///
/// The tables of Core Image's photo effects are not published. Those here follow the names and descriptions, not the
/// pixels.
struct CoreImageEffect: Sendable {
    /// Core Image's name: `CISepiaTone`.
    let name: String
    let summary: String
    let parameters: [Parameter]
    private let make: @Sendable ([String: [Double]]) -> any LookEffect

    struct Parameter: Hashable, Sendable {
        let name: String
        /// Default value, with as many numbers as the parameter.
        let usual: [Double]
        /// Range of each number.
        let range: ClosedRange<Double>

        /// A number without the `.0` of an integer.
        static func text(_ number: Double) -> String {
            number == number.rounded() && abs(number) < 1e9 ? "\(Int(number))" : "\(number)"
        }
    }

    init(
        _ name: String, _ summary: String, _ parameters: [Parameter] = [],
        make: @escaping @Sendable ([String: [Double]]) -> any LookEffect
    ) {
        self.name = name
        self.summary = summary
        self.parameters = parameters
        self.make = make
    }

    /// The effect with the given parameters, and defaults for the others.
    ///
    /// - Throws: `LookError` for an unknown parameter, or one outside its range.
    func effect(_ given: [String: [Double]]) throws(LookError) -> any LookEffect {
        var values: [String: [Double]] = [:]
        for parameter in parameters { values[parameter.name] = parameter.usual }
        for (key, numbers) in given.sorted(by: { $0.key < $1.key }) {
            guard let parameter = parameters.first(where: { $0.name == key }) else {
                let known = (parameters.map(\.name) + ["strength"]).joined(separator: ", ")
                throw LookError("\(name) has no parameter \(key); it has \(known)", parameter: key)
            }
            guard numbers.count == parameter.usual.count else {
                let count = parameter.usual.count
                throw LookError(
                    "\(name)'s \(key) takes \(count == 1 ? "one number" : "\(count) numbers")", parameter: key)
            }
            guard numbers.allSatisfy(parameter.range.contains) else {
                let range = parameter.range
                let (low, high) = (Parameter.text(range.lowerBound), Parameter.text(range.upperBound))
                throw LookError("\(name)'s \(key) is from \(low) to \(high)", parameter: key)
            }
            values[key] = numbers
        }
        return make(values)
    }

    static func named(_ name: String) -> CoreImageEffect? {
        all.first { $0.name.lowercased() == name.lowercased() }
    }
}

/// Descriptions of the effects for users.
public enum CoreImageEffects {
    /// Description of one effect.
    public struct Description: Sendable {
        /// Core Image's name.
        public let name: String
        /// One sentence.
        public let summary: String
        /// Usage with all parameters: `CISepiaTone(intensity=1)`.
        public let usage: String
    }

    /// All effects.
    public static let list: [Description] = CoreImageEffect.all.map { effect in
        let parameters = effect.parameters.map { parameter in
            "\(parameter.name)="
                + parameter.usual.map(CoreImageEffect.Parameter.text).joined(separator: ":")
        }
        let usage = parameters.isEmpty ? effect.name : "\(effect.name)(\(parameters.joined(separator: ",")))"
        return Description(name: effect.name, summary: effect.summary, usage: usage)
    }
}
