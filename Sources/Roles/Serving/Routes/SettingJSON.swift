internal import Jobs
internal import Telemetry

/// The settings of photos as the page knows them.
enum SettingJSON {
    /// What can be set, for controls and for programs that ask for photos.
    static func write(_ option: SettingOption, to json: inout JSONWriter) {
        json.field("name", option.name)
        json.field("help", option.help)
        json.field("expected", option.expected)
        json.field("usual", option.usual.map(LogValue.text))
        switch option.kind {
        case .number(let range): bounds("number", range.lowerBound, range.upperBound, to: &json)
        case .whole(let range): bounds("integer", Double(range.lowerBound), Double(range.upperBound), to: &json)
        case .choice(let choices):
            json.field("kind", "choice")
            json.array("choices") { json in for choice in choices { json.element(.text(choice)) } }
        case .flag: json.field("kind", "flag")
        case .text: json.field("kind", "text")
        }
        guard let slider = option.slider else { return json.field("slider", LogValue?.none) }
        json.object("slider") { json in
            json.field("label", slider.label)
            json.field("minimum", slider.range.lowerBound)
            json.field("maximum", slider.range.upperBound)
            json.field("step", slider.step)
            json.field("usual", slider.usual)
            json.field("signed", slider.isSigned)
        }
    }

    private static func bounds(_ kind: String, _ minimum: Double, _ maximum: Double, to json: inout JSONWriter) {
        json.field("kind", kind)
        json.field("minimum", minimum)
        json.field("maximum", maximum)
    }

    /// A recipe's settings by name; null for a usual one that has no text.
    static func write(_ recipe: Recipe, to json: inout JSONWriter) {
        for setting in RecipeSetting.all {
            guard let option = setting.option else { continue }
            let text = setting.text(in: recipe)
            switch option.kind {
            case .number: json.field(option.name, Double(text).map { LogValue.real($0) })
            case .whole: json.field(option.name, Int(text).map { LogValue($0) })
            case .flag: json.field(option.name, text == "true")
            case .choice, .text:
                json.field(option.name, option.usual == nil && setting.isUsual(in: recipe) ? nil : .text(text))
            }
        }
    }
}
