/// The layers of the sources, and what a module of each may use: the rule that the package is held against.
struct Layer {
    /// Its folder below Sources.
    let name: String
    /// The layers before it that it builds on. It may also use itself, downwards.
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

    /// What every module may import without saying so: the C library and the atomics of the toolchain.
    static let ground: Set<String> = ["Glibc", "Synchronization"]
    /// What tests, and programs and modules for them, may import without saying so.
    static let testGround = ground.union(["Dispatch", "Foundation", "FoundationNetworking", "Testing"])

    /// The steps of a render. They are siblings: none knows another one, where its input comes from, or who logs.
    static let stages: Set<String> = ["Decode", "Develop", "Looks", "Encode"]
    static let forbiddenToStages = stages.union([
        "Broker", "KafkaBroker", "Database", "Storage", "Telemetry", "Metrics", "Tracing",
    ])

    /// The C libraries that parse photos and what is in them. Other programs wrote these bytes.
    static let photoLibraries: Set<String> = [
        "CAVIF", "CJPEGTiles", "CJXL", "CJXLTiles", "CLibRaw", "CTurboJPEG", "CLittleCMS", "CExempi",
    ]
    /// The modules that use these.
    static let parsers: Set<String> = ["Decode", "Encode", "Metadata"]
    /// Beyond Imaging, the modules that may use what parses photos: their processes are in the sandbox.
    static let sandboxed: Set<String> = ["Rendering"]
    /// Where processes enter the sandbox, with their parsers ready.
    static let sandboxEntries: Set<String> = [
        "Roles/Rendering/InquiryProcess+Run.swift", "Roles/Rendering/MetadataProcess+Run.swift",
        "Roles/Rendering/RenderSession.swift",
    ]

    /// Whether a source makes what parses photos.
    static func readiesParsers(_ source: String) -> Bool {
        ["XMPToolkit(", "RenderTools(", "RenderContext(", "RawFile(", "CameraProfilePack("].contains {
            source.contains($0)
        }
    }

    /// What looks into pictures, and the libraries that do. The program that people start has none of it.
    static let renderProgramOnly = photoLibraries.union([
        "Decode", "DecodeKernels", "Encode", "Metadata", "Render", "Rendering",
    ])

    /// The modules that only programs may use, and other transports.
    static let concreteTransports: Set<String> = ["KafkaBroker"]

    /// Modules whose folders still use each other in a circle. The list only gets shorter.
    static let unordered: Set<String> = ["Programs/rawmill", "Roles/Library"]

    /// The programs that users run.
    static let shippedPrograms = ["rawmill", "rawmill-render"]
}

/// A rule that the package breaks, as a line for the test's report.
enum Breach: Hashable, CustomStringConvertible {
    /// A file imports a module that Package.swift does not give to its own.
    case undeclaredImport(file: String, module: String)
    /// Package.swift lets a module use one of a layer that is none of its business, or one that comes later.
    case forbiddenDependency(of: String, on: String)
    /// A folder below Sources that is in no layer, or that Package.swift does not declare there.
    case misplacedFolder(String)
    /// Folders of a module that use each other in a circle.
    case folderCircle(in: String, Set<String>, uses: String)
    /// Two modules declare a type of the same name.
    case sharedName(String, modules: [String])

    var description: String {
        switch self {
        case .undeclaredImport(let file, let module): "\(file) imports \(module), which its module does not depend on"
        case .forbiddenDependency(let module, let other): "\(module) must not depend on \(other)"
        case .misplacedFolder(let path): "Sources/\(path) is not where Package.swift and the layers have it"
        case .folderCircle(let module, _, let uses): "folders of \(module) use each other in a circle: \(uses)"
        case .sharedName(let name, let modules): "\(name) is a type of \(modules.joined(separator: " and of "))"
        }
    }
}

extension Breach {
    /// What a module's files import beyond what Package.swift gives it.
    ///
    /// - Parameter ground: what needs no declaration.
    static func undeclaredImports(
        in files: [(path: String, source: String)], of module: Module, ground: Set<String> = Layer.ground
    ) -> [Breach] {
        files.flatMap { file in
            Imports.modules(in: file.source).subtracting(module.dependencies).subtracting(ground)
                .subtracting([module.name]).sorted().map { .undeclaredImport(file: file.path, module: $0) }
        }
    }

    /// Dependencies that go up: to a layer that is not before the module's own, or to a later module of its own layer.
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

    /// A module, and all modules that it uses directly or through others.
    static func everything(usedBy name: String, among modules: [Module]) -> Set<String> {
        let dependencies = Dictionary(uniqueKeysWithValues: modules.map { ($0.name, $0.dependencies) })
        var found: Set<String> = []
        var open = [name]
        while let next = open.popLast() {
            if found.insert(next).inserted { open += dependencies[next] ?? [] }
        }
        return found
    }

    /// - Parameter folders: what is below Sources, as "LAYER/NAME".
    static func misplacedFolders(_ folders: Set<String>, modules: [Module]) -> [Breach] {
        let layers = Set(Layer.all.map(\.name))
        let declared = Set(modules.filter { layers.contains($0.layer) }.map(\.path))
        return folders.symmetricDifference(declared).sorted().map { .misplacedFolder($0) }
    }

    /// - Parameter files: of the module, by their paths below Sources.
    static func folderCircles(in files: [(path: String, source: String)], of module: Module) -> [Breach] {
        let uses = FolderUses(of: files.map { (String($0.path.dropFirst(module.path.count + 1)), $0.source) })
        return uses.circles.map { .folderCircle(in: module.path, $0, uses: uses.description(of: $0)) }
    }

    /// - Parameter files: of each module, by its path.
    static func sharedNames(among files: [(module: String, source: String)]) -> [Breach] {
        let modules = files.reduce(into: [String: Set<String>]()) { modules, file in
            for name in TypeNames(in: file.source).declared { modules[name, default: []].insert(file.module) }
        }
        return modules.filter { $0.value.count > 1 }.sorted { $0.key < $1.key }
            .map { .sharedName($0.key, modules: $0.value.sorted()) }
    }
}
