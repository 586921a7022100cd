internal import Jobs
internal import Telemetry

enum SettingJSON {
    /// A setting's name and values, for controls and for programs that request photos.
    static func fields(_ option: SettingOption) -> JSONFields {
        let fields: JSONFields = [
            "name": option.name, "help": option.help, "expected": option.expected, "usual": option.usual,
        ]
        let slider = option.slider.map { slider -> JSONFields in
            [
                "label": slider.label, "minimum": slider.range.lowerBound, "maximum": slider.range.upperBound,
                "step": slider.step, "usual": slider.usual, "signed": slider.isSigned,
            ]
        }
        return fields + kind(option.kind) + ["slider": slider]
    }

    private static func kind(_ kind: SettingOption.Kind) -> JSONFields {
        switch kind {
        case .number(let range): ["kind": "number", "minimum": range.lowerBound, "maximum": range.upperBound]
        case .whole(let range):
            ["kind": "integer", "minimum": Double(range.lowerBound), "maximum": Double(range.upperBound)]
        case .choice(let choices): ["kind": "choice", "choices": choices]
        case .flag: ["kind": "flag"]
        case .text: ["kind": "text"]
        }
    }

    /// A recipe's settings by name; null for a default one without a text.
    static func fields(_ recipe: Recipe) -> JSONFields {
        JSONFields(
            RecipeSetting.all.compactMap { setting -> (String, (any Encodable)?)? in
                guard let option = setting.option else { return nil }
                let text = setting.text(in: recipe)
                let value: (any Encodable)? =
                    switch option.kind {
                    case .number: Double(text)
                    case .whole: Int(text)
                    case .flag: text == "true"
                    case .choice, .text: option.usual == nil && setting.isUsual(in: recipe) ? nil : text
                    }
                return (option.name, value)
            })
    }
}
