import Jobs
import Looks

/// Adjustments to all looks: they become steps of the look, and so part of the recipe.
struct LookAdjustments {
    private var film: [String: [Double]] = [:]
    private var colours: [String: [Double]] = [:]

    /// - Parameter text: the user's value for a setting, by its name; nil for none.
    init(_ text: (String) -> String? = { _ in nil }) {
        for setting in LookSetting.all {
            guard let value = text(setting.option.name).flatMap(setting.value) else { continue }
            switch setting.step {
            case .film: film[setting.option.name] = [value]
            case .colours: colours[setting.option.name] = [value]
            }
        }
    }

    var isGiven: Bool { !film.isEmpty || !colours.isEmpty }

    /// The look with these changes: those of the film in its first step, the others in an added last step. The look's
    /// own values take precedence.
    func applied(to chain: LookChain) -> LookChain {
        var chain = chain
        chain.steps[0].parameters.merge(film) { own, _ in own }
        if !colours.isEmpty { chain.steps.append(LookChain.Step(name: "CIColorControls", parameters: colours)) }
        return chain
    }
}
