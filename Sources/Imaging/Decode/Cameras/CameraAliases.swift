/// Names under which one camera is sold, from LibRaw's list of cameras: `Canon EOS 550D / Rebel T2i / Kiss X4`.
struct CameraAliases {
    /// Key: each name in plain form.
    private let groups: [String: [String]]

    static let known = {
        let makers = RawLibrary.makers
        return CameraAliases(RawLibrary.cameras.map { CameraName($0, makers: makers) })
    }()

    init(_ cameras: [CameraName]) {
        var groups: [String: [String]] = [:]
        // Models with text in brackets are remarks, not names.
        for camera in cameras where !camera.make.isEmpty && !camera.model.contains("(") {
            let models = camera.model.split(whereSeparator: { "/,".contains($0) }).map { Self.plain($0) }.filter {
                !$0.isEmpty
            }
            guard models.count > 1, let first = models.first else { continue }
            let names = models.flatMap { model in
                // The prefix of the first name also applies to the others: `EOS Rebel T2i`, `DMC-FZ38`.
                Self.beginnings(first).filter { !model.hasPrefix($0) || $0.isEmpty }.map { $0 + model }
            }
            let group = names.map { Self.plain("\(camera.make) \($0)") }
            for name in group where groups[name] == nil { groups[name] = group }
        }
        self.groups = groups
    }

    /// Possible prefixes of all models in a line; the list states a prefix only for the first.
    private static func beginnings(_ model: String) -> [String] {
        if let blank = model.lastIndex(of: " ") { return ["", String(model[...blank])] }
        if let dash = model.firstIndex(of: "-") { return ["", String(model[...dash])] }
        return [""]
    }

    /// The other plain names of a camera, in the list's order. Takes maker and model in plain form.
    func others(of camera: String) -> [String] { (groups[camera] ?? []).filter { $0 != camera } }

    /// Lower case and single blanks, because programs write names differently.
    static func plain(_ camera: some StringProtocol) -> String {
        camera.lowercased().split(whereSeparator: { $0.isWhitespace || $0 == "\0" }).joined(separator: " ")
    }
}
