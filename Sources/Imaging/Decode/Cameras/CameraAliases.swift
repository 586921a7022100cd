/// The names under which one camera was sold, by LibRaw's list of cameras: `Canon EOS 550D / Rebel T2i / Kiss X4`.
struct CameraAliases {
    /// By each plain name of a camera, all of them.
    private let groups: [String: [String]]

    /// All that LibRaw knows.
    static let known = {
        let makers = RawLibrary.makers
        return CameraAliases(RawLibrary.cameras.map { CameraName($0, makers: makers) })
    }()

    init(_ cameras: [CameraName]) {
        var groups: [String: [String]] = [:]
        // What is in brackets is no name.
        for camera in cameras where !camera.make.isEmpty && !camera.model.contains("(") {
            let models = camera.model.split(whereSeparator: { "/,".contains($0) }).map { Self.plain($0) }.filter {
                !$0.isEmpty
            }
            guard models.count > 1, let first = models.first else { continue }
            let names = models.flatMap { model in
                // The first name's beginning counts for the others, too: `EOS Rebel T2i`, `DMC-FZ38`.
                Self.beginnings(first).filter { !model.hasPrefix($0) || $0.isEmpty }.map { $0 + model }
            }
            let group = names.map { Self.plain("\(camera.make) \($0)") }
            for name in group where groups[name] == nil { groups[name] = group }
        }
        self.groups = groups
    }

    /// What may stand before all models of a line, which is written before the first alone.
    private static func beginnings(_ model: String) -> [String] {
        if let blank = model.lastIndex(of: " ") { return ["", String(model[...blank])] }
        if let dash = model.firstIndex(of: "-") { return ["", String(model[...dash])] }
        return [""]
    }

    /// The other names of a camera, in plain form, the first of the list first; none for one that is not known by others.
    ///
    /// - Parameter camera: maker and model in plain form.
    func others(of camera: String) -> [String] { (groups[camera] ?? []).filter { $0 != camera } }

    /// A camera's name without what differs between writers: capitals, and blanks at the ends and in a row.
    static func plain(_ camera: some StringProtocol) -> String {
        camera.lowercased().split(whereSeparator: { $0.isWhitespace || $0 == "\0" }).joined(separator: " ")
    }
}
