/// The layers of the sources, and the modules that each may use.
struct Layer {
    /// Folder below Sources.
    let name: String
    /// Earlier layers that its modules may import, in addition to earlier modules of the same layer.
    let uses: [String]

    static let all = [
        Layer(name: "C/System", uses: []),
        Layer(name: "C/Own", uses: []),
        Layer(name: "Platform", uses: ["C/System", "C/Own"]),
        Layer(name: "Model", uses: ["Platform"]),
        Layer(name: "Imaging", uses: ["C/System", "C/Own", "Platform", "Model"]),
        Layer(name: "Transport", uses: ["C/System", "Platform", "Model"]),
        Layer(name: "Roles", uses: ["Platform", "Model", "Imaging", "Transport"]),
        Layer(name: "Programs", uses: ["Platform", "Model", "Imaging", "Transport", "Roles"]),
    ]

    /// Modules that any module may import: the C library and the toolchain's atomics.
    static let ground: Set<String> = ["Glibc", "Synchronization"]
    /// Modules that any test module may import.
    static let testGround = ground.union(["Dispatch", "Foundation", "FoundationNetworking", "Testing"])

    /// The steps of a render. They are siblings: they know neither each other, nor the source of their input, nor a
    /// logger.
    static let stages: Set<String> = ["Decode", "Develop", "Looks", "Encode"]
    static let forbiddenToStages = stages.union([
        "Broker", "KafkaBroker", "Database", "Storage", "Telemetry", "Metrics", "Tracing",
    ])

    /// C libraries that parse photos and their metadata, that is, untrusted bytes.
    static let photoLibraries: Set<String> = [
        "CAVIF", "CJPEGTiles", "CJXL", "CJXLTiles", "CLibRaw", "CTurboJPEG", "CLittleCMS", "CExempi",
    ]
    /// The modules that use these libraries.
    static let parsers: Set<String> = ["Decode", "Encode", "Metadata"]
    /// Modules beyond Imaging that may use photo parsers, because their processes run in the sandbox.
    static let sandboxed: Set<String> = ["Rendering"]
    /// Files in which processes enter the sandbox, with their parsers prepared.
    static let sandboxEntries: Set<String> = [
        "Roles/Rendering/InquiryProcess+Run.swift", "Roles/Rendering/MetadataProcess+Run.swift",
        "Roles/Rendering/RenderSession.swift",
    ]

    /// Whether a source prepares photo parsers.
    static func readiesParsers(_ source: String) -> Bool {
        ["XMPToolkit(", "RenderTools(", "RenderContext(", "RawFile(", "CameraProfilePack("].contains {
            source.contains($0)
        }
    }

    /// Modules and libraries that process pictures. The main program contains none of them.
    static let renderProgramOnly = photoLibraries.union([
        "Decode", "DecodeKernels", "Encode", "Metadata", "Render", "Rendering",
    ])

    /// Modules that only programs and other transports may use.
    static let concreteTransports: Set<String> = ["KafkaBroker"]

    /// The programs that users run.
    static let shippedPrograms = ["rawmill", "rawmill-render"]
}

/// A violation, as a line in the test's report.
enum Breach: Hashable, CustomStringConvertible {
    /// A file imports a module that Package.swift does not list for its module.
    case undeclaredImport(file: String, module: String)
    /// A dependency on a later module, or on a layer that the module's layer may not use.
    case forbiddenDependency(of: String, on: String)
    /// A folder below Sources that is in no layer, or not declared in Package.swift.
    case misplacedFolder(String)
    case folderCircle(in: String, Set<String>, uses: String)
    case sharedName(String, modules: [String])

    var description: String {
        switch self {
        case .undeclaredImport(let file, let module): "\(file) imports \(module), which its module does not depend on"
        case .forbiddenDependency(let module, let other): "\(module) must not depend on \(other)"
        case .misplacedFolder(let path): "Sources/\(path) is not declared in Package.swift or in a layer"
        case .folderCircle(let module, _, let uses): "folders of \(module) use each other in a circle: \(uses)"
        case .sharedName(let name, let modules): "\(name) is a type of \(modules.joined(separator: " and of "))"
        }
    }
}

extension Breach {
    /// Imports of a module's files that are no dependencies in Package.swift.
    ///
    /// - Parameter ground: modules that need no declaration.
    static func undeclaredImports(
        in files: [(path: String, source: String)], of module: Module, ground: Set<String> = Layer.ground
    ) -> [Breach] {
        files.flatMap { file in
            Imports.modules(in: file.source).subtracting(module.dependencies).subtracting(ground)
                .subtracting([module.name]).sorted().map { .undeclaredImport(file: file.path, module: $0) }
        }
    }

    /// Dependencies on later modules of the same layer, or on layers that the module's layer may not use.
    static func forbiddenDependencies(among modules: [Module]) -> [Breach] {
        let places = Dictionary(uniqueKeysWithValues: modules.enumerated().map { ($1.name, $0) })
        return modules.flatMap { module in
            module.dependencies.sorted().filter { name in
                guard let place = places[name], let own = places[module.name] else { return true }
                let other = modules[place]
                let isBefore = Layer.all.first { $0.name == module.layer }?.uses.contains(other.layer) ?? false
                let isDownwards = other.layer == module.layer && place < own
                return !isBefore && !isDownwards
            }.map { .forbiddenDependency(of: module.name, on: $0) }
        }
    }

    /// A module with all its direct and indirect dependencies.
    static func everything(usedBy name: String, among modules: [Module]) -> Set<String> {
        let dependencies = Dictionary(uniqueKeysWithValues: modules.map { ($0.name, $0.dependencies) })
        var found: Set<String> = []
        var open = [name]
        while let next = open.popLast() {
            if found.insert(next).inserted { open += dependencies[next] ?? [] }
        }
        return found
    }

    /// - Parameter folders: below Sources, as "LAYER/NAME".
    static func misplacedFolders(_ folders: Set<String>, modules: [Module]) -> [Breach] {
        let layers = Set(Layer.all.map(\.name))
        let declared = Set(modules.filter { layers.contains($0.layer) }.map(\.path))
        return folders.symmetricDifference(declared).sorted().map { .misplacedFolder($0) }
    }

    /// - Parameter files: of the module, by path below Sources.
    static func folderCircles(in files: [(path: String, source: String)], of module: Module) -> [Breach] {
        let uses = FolderUses(of: files.map { (String($0.path.dropFirst(module.path.count + 1)), $0.source) })
        return uses.circles.map { .folderCircle(in: module.path, $0, uses: uses.description(of: $0)) }
    }

    /// - Parameter files: of each module, by path.
    static func sharedNames(among files: [(module: String, source: String)]) -> [Breach] {
        let modules = files.reduce(into: [String: Set<String>]()) { modules, file in
            for name in TypeNames(in: file.source).declared { modules[name, default: []].insert(file.module) }
        }
        return modules.filter { $0.value.count > 1 }.sorted { $0.key < $1.key }
            .map { .sharedName($0.key, modules: $0.value.sorted()) }
    }
}
