/// Names under which one camera was sold, from LibRaw's list of cameras: `Canon EOS 550D / Rebel T2i / Kiss X4`.
struct CameraAliases {
    /// All names of a camera, by each of them in plain form.
    private let groups: [String: [String]]

    /// All aliases in LibRaw's list.
    static let known = {
        let makers = RawLibrary.makers
        return CameraAliases(RawLibrary.cameras.map { CameraName($0, makers: makers) })
    }()

    init(_ cameras: [CameraName]) {
        var groups: [String: [String]] = [:]
        // Text in brackets is not a name.
        for camera in cameras where !camera.make.isEmpty && !camera.model.contains("(") {
            let models = camera.model.split(whereSeparator: { "/,".contains($0) }).map { Self.plain($0) }.filter {
                !$0.isEmpty
            }
            guard models.count > 1, let first = models.first else { continue }
            let names = models.flatMap { model in
                // The beginning of the first name also applies to the others: `EOS Rebel T2i`, `DMC-FZ38`.
                Self.beginnings(first).filter { !model.hasPrefix($0) || $0.isEmpty }.map { $0 + model }
            }
            let group = names.map { Self.plain("\(camera.make) \($0)") }
            for name in group where groups[name] == nil { groups[name] = group }
        }
        self.groups = groups
    }

    /// Possible prefixes of all models of a line; the list states them only for the first model.
    private static func beginnings(_ model: String) -> [String] {
        if let blank = model.lastIndex(of: " ") { return ["", String(model[...blank])] }
        if let dash = model.firstIndex(of: "-") { return ["", String(model[...dash])] }
        return [""]
    }

    /// The other names of a camera in plain form, in the list's order; empty if the camera has no other names.
    ///
    /// - Parameter camera: maker and model in plain form.
    func others(of camera: String) -> [String] { (groups[camera] ?? []).filter { $0 != camera } }

    /// A camera's name in lower case, with single blanks and none at the ends, because writers differ in these.
    static func plain(_ camera: some StringProtocol) -> String {
        camera.lowercased().split(whereSeparator: { $0.isWhitespace || $0 == "\0" }).joined(separator: " ")
    }
}
