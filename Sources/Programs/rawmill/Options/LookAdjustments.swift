import Jobs
import Looks

/// What is asked of every look: it becomes part of the look's steps, and so of the recipe.
struct LookAdjustments {
    private var film: [String: [Double]] = [:]
    private var colours: [String: [Double]] = [:]

    /// - Parameter text: the value that a person gave a setting, by its name; nil for none.
    init(_ text: (String) -> String? = { _ in nil }) {
        for setting in LookSetting.all {
            guard let value = text(setting.option.name).flatMap(setting.value) else { continue }
            switch setting.step {
            case .film: film[setting.option.name] = [value]
            case .colours: colours[setting.option.name] = [value]
            }
        }
    }

    /// False if nothing is changed.
    var isGiven: Bool { !film.isEmpty || !colours.isEmpty }

    /// The look with these changes: the film's go to its first step, the others come as a last one. What the look
    /// itself says comes first.
    func applied(to chain: LookChain) -> LookChain {
        var chain = chain
        chain.steps[0].parameters.merge(film) { own, _ in own }
        if !colours.isEmpty { chain.steps.append(LookChain.Step(name: "CIColorControls", parameters: colours)) }
        return chain
    }
}
