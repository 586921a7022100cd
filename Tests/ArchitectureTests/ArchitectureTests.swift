import Testing

struct ArchitectureTests {
    @Test("A file imports only what Package.swift gives its module")
    func imports() throws {
        let breaches = try Package.modules.flatMap { module in
            Breach.undeclaredImports(in: try Package.files(of: module), of: module)
        }
        #expect(breaches.isEmpty, "\(breaches)")
    }

    @Test("Test modules import only what Package.swift gives them")
    func testImports() throws {
        let modules = try Package.testModules
        #expect(modules.count > 60)
        let breaches = try modules.flatMap { module in
            Breach.undeclaredImports(in: try Package.testFiles(of: module), of: module, ground: Layer.testGround)
        }
        #expect(breaches.isEmpty, "\(breaches)")
    }

    @Test("A module depends only on layers before its own, and on earlier modules of its own layer")
    func layers() throws {
        let breaches = Breach.forbiddenDependencies(among: try Package.modules)
        #expect(breaches.isEmpty, "\(breaches)")
    }

    @Test("Every folder of the sources is a declared module of a layer")
    func folders() throws {
        let breaches = Breach.misplacedFolders(try Package.folders, modules: try Package.modules)
        #expect(breaches.isEmpty, "\(breaches)")
    }

    @Test("The folders of a module do not use each other in a circle")
    func folderCircles() throws {
        for module in try Package.modules {
            let breaches = Breach.folderCircles(in: try Package.files(of: module), of: module)
            #expect(breaches.isEmpty, "\(breaches)")
        }
    }

    @Test("No type name exists in two modules")
    func sharedNames() throws {
        let files = try Package.modules.flatMap { module in
            try Package.files(of: module).map { (module.path, $0.source) }
        }
        let breaches = Breach.sharedNames(among: files)
        #expect(breaches.isEmpty, "\(breaches)")
    }

    @Test("Each C module is imported by exactly one Swift module")
    func cages() throws {
        let modules = try Package.modules
        for library in modules where library.layer.hasPrefix("C/") || library.name == "Wire" {
            let keepers = modules.filter { $0.dependencies.contains(library.name) }.map(\.name)
            #expect(keepers.count == 1, "\(library.name) is seen by \(keepers)")
        }
    }

    @Test("Photo parsers are used only for rendering and inside the sandbox")
    func parsers() throws {
        let modules = try Package.modules
        let parsers = Set(modules.filter { !$0.dependencies.isDisjoint(with: Layer.photoLibraries) }.map(\.name))
        #expect(parsers == Layer.parsers)
        for module in modules where module.layer != "Imaging" && !Layer.sandboxed.contains(module.name) {
            for file in try Package.files(of: module) {
                let used = parsers.intersection(Imports.modules(in: file.source))
                #expect(used.isEmpty, "\(file.path) imports \(used)")
            }
        }
    }

    @Test("Only the render program decodes and encodes pictures")
    func renderProgram() throws {
        let modules = try Package.modules
        #expect(Breach.everything(usedBy: "rawmill", among: modules).isDisjoint(with: Layer.renderProgramOnly))
        #expect(Breach.everything(usedBy: "rawmill-render", among: modules).isSuperset(of: Layer.renderProgramOnly))
    }

    @Test("A process prepares these parsers only where it enters the sandbox")
    func sandboxEntries() throws {
        for module in try Package.modules where module.layer != "Imaging" {
            for file in try Package.files(of: module) where Layer.readiesParsers(file.source) {
                #expect(Layer.sandboxEntries.contains(file.path), "\(file.path)")
                #expect(file.source.contains("RenderSandbox.enter("), "\(file.path)")
            }
        }
    }

    @Test("Stages do not import another stage, storage, a transport or a logger", arguments: Layer.stages.sorted())
    func stages(name: String) throws {
        let stage = try #require(try Package.modules.first { $0.name == name })
        #expect(stage.dependencies.isDisjoint(with: Layer.forbiddenToStages))
    }

    @Test("The torture program applies the sandbox's rules to its render processes")
    func torture() throws {
        let torture = try #require(try Package.testModules.first { $0.path == "Programs/Torture" })
        for file in try Package.testFiles(of: torture) {
            #expect(!Layer.readiesParsers(file.source), "\(file.path)")
            #expect(Imports.modules(in: file.source).isDisjoint(with: Layer.parsers), "\(file.path)")
        }
    }

    @Test("Only programs name a concrete transport")
    func wiring() throws {
        for module in try Package.modules where module.layer != "Programs" && module.layer != "Transport" {
            #expect(module.dependencies.isDisjoint(with: Layer.concreteTransports), "\(module.name)")
        }
    }

    @Test("Shipped programs contain nothing that only tests use", arguments: Layer.shippedPrograms)
    func shipped(program: String) throws {
        let modules = try Package.modules
        let used = Breach.everything(usedBy: program, among: modules)
        #expect(used.count > 10)
        #expect(used.isSubset(of: modules.map(\.name)))
    }

    @Test("Module tests are in the layer of their module")
    func mirror() throws {
        let modules = Set(try Package.modules.map { "\($0.path)Tests" })
        let inLayers = try Package.testPaths.filter { $0.contains("/") && !$0.hasPrefix("Programs/") }
        #expect(inLayers.count > 20)
        #expect(Set(inLayers).subtracting(modules).isEmpty)
    }
}

/// A gate that cannot fail is worse than none: these tests make each part of it fail.
struct GateTests {
    @Test(
        "All forms of import are read",
        arguments: [
            ("import Foundation", "Foundation"), ("  public import Pixels", "Pixels"),
            ("@testable import Jobs // why", "Jobs"), ("@preconcurrency internal import struct Looks.Look", "Looks"),
            ("@_spi(X) import A", "A"), ("let a = 1; import B", "B"), ("import\tC", "C"),
            ("import func Glibc.exit", "Glibc"),
        ])
    func reading(source: String, module: String) {
        #expect(Imports.modules(in: "\n\(source)\n") == [module])
    }

    @Test(
        "Text that only looks like an import is ignored",
        arguments: ["// import A", "/// import A", "important A", "let import = 1", "import os, sys"])
    func notReading(source: String) {
        #expect(Imports.modules(in: source).isEmpty)
    }

    @Test("Code that prepares a parser is found")
    func readying() {
        #expect(Layer.readiesParsers("let toolkit = try XMPToolkit()") && Layer.readiesParsers("RenderTools()"))
        #expect(!Layer.readiesParsers("func read(_ toolkit: XMPToolkit)"))
    }

    @Test("A forbidden import is reported with its file", arguments: ["Foundation", "CLibRaw", "Decode", "Broker"])
    func forbiddenImport(module: String) throws {
        let develop = try #require(try Package.modules.first { $0.name == "Develop" })
        let files = [
            ("Imaging/Develop/Good.swift", "internal import Pixels"),
            ("Imaging/Develop/Bad.swift", "public import \(module)"),
        ]
        let expected = Breach.undeclaredImport(file: "Imaging/Develop/Bad.swift", module: module)
        #expect(Breach.undeclaredImports(in: files, of: develop) == [expected])
    }

    @Test(
        "An upward dependency is found",
        arguments: [
            ("Platform/Digest", "Model/Jobs"), ("Model/Jobs", "Imaging/Pixels"), ("Transport/Broker", "Imaging/Pixels"),
            ("Roles/Worker", "Programs/rawmill"), ("Model/Jobs", "Model/Later"), ("Roles/Worker", "C/System/CSQLite"),
        ])
    func upwards(from: String, to: String) {
        let other = Module(path: to, dependencies: [])
        let module = Module(path: from, dependencies: [other.name])
        let modules = to.hasSuffix("Later") ? [module, other] : [other, module]
        #expect(
            Breach.forbiddenDependencies(among: modules) == [.forbiddenDependency(of: module.name, on: other.name)])
    }

    @Test("Indirect uses are followed through all modules")
    func closure() {
        let modules = [("Model/A", []), ("Model/B", ["A"]), ("Model/C", ["B"]), ("Model/D", ["A"])].map {
            Module(path: $0, dependencies: Set($1))
        }
        #expect(Breach.everything(usedBy: "C", among: modules) == ["A", "B", "C"])
    }

    @Test("A dependency that Package.swift does not declare as a module is found")
    func undeclared() {
        let module = Module(path: "Roles/Worker", dependencies: ["Nothing"])
        #expect(Breach.forbiddenDependencies(among: [module]) == [.forbiddenDependency(of: "Worker", on: "Nothing")])
    }

    @Test(
        "A folder in the wrong layer, in no layer, or without a declaration is found",
        arguments: [
            (["Model/Jobs"], "Roles/Jobs", ["Model/Jobs", "Roles/Jobs"]),
            (["Jobs"], "Model/Jobs", ["Jobs", "Model/Jobs"]),
            (["Model/Jobs", "Model/New"], "Model/Jobs", ["Model/New"]),
        ])
    func misplaced(folders: [String], declared: String, expected: [String]) {
        let found = Breach.misplacedFolders(Set(folders), modules: [Module(path: declared, dependencies: [])])
        #expect(found == expected.map { .misplacedFolder($0) })
    }

    @Test(
        "Type names are read only from code",
        arguments: [
            ("// A", []), ("/* A /* B */ C */", []), ("let a = \"A \\(B.c) C\"", ["B"]),
            ("let a = #\"A \\(B) \"C\"#", []),
            ("let a = \"\"\"\n A \"B\" \\(C(d: \"E\"))\n \"\"\"", ["C"]), ("let a = #\"\\#(A)\"#", ["A"]),
            ("a.B(C.D)", ["C"]),
            ("private struct A { let b: B }", ["B"]), ("let a = \"\\\"A\" + B", ["B"]),
            ("\"\\(a ? \"B\" : c(D))\" E", ["D", "E"]),
        ] as [(String, Set<String>)])
    func typeNames(source: String, named: Set<String>) {
        #expect(TypeNames(in: source).named == named)
    }

    @Test("Types that other files may use are declared, and no others")
    func declaredTypes() {
        let source = """
            @safe public final class A: B { struct C {} }
            private enum D {}
            fileprivate
            struct E {}
            @available(*, deprecated) indirect enum F {}
            extension G { actor H {} }
            typealias I = J; protocol K {}
            extension L.M {}
            """
        #expect(TypeNames(in: source).declared == ["A", "F", "I", "K"])
    }

    @Test("A circle of folders is found along any path, and a chain is not reported")
    func circles() {
        let module = Module(path: "Model/M", dependencies: [])
        func breaches(_ last: String) -> [Breach] {
            let files = [
                ("Model/M/A/One.swift", "struct One { let two: Two }"),
                ("Model/M/B/Two.swift", "struct Two { var three: Three? }"),
                ("Model/M/Three.swift", "struct Three {}"), ("Model/M/C/Four.swift", "struct Four { let one: One }"),
                ("Model/M/Last.swift", last),
            ]
            return Breach.folderCircles(in: files, of: module)
        }
        #expect(breaches("// One\nlet last = \"One\"").isEmpty)
        let uses = "A → B (Two); B → . (Three); . → A (One)".split(separator: "; ").sorted().joined(separator: "; ")
        #expect(breaches("extension One {}") == [.folderCircle(in: "Model/M", ["A", "B", "."], uses: uses)])
    }

    @Test("A name in two modules is found unless it is private, nested, or in one module")
    func names() {
        let files = [
            ("Model/A", "public struct Name {}; private struct Own {}; struct Outer { enum Inner {} }"),
            ("Model/B", "enum Name {}; struct Own {}"), ("Model/A", "extension Name {}"), ("Model/C", "enum Inner {}"),
        ]
        #expect(Breach.sharedNames(among: files) == [.sharedName("Name", modules: ["Model/A", "Model/B"])])
    }

    @Test("The gate reads the real sources")
    func real() throws {
        let jobs = try #require(try Package.modules.first { $0.name == "Jobs" })
        let files = try Package.files(of: jobs)
        #expect(files.contains { $0.path == "Model/Jobs/Job.swift" && $0.source.contains("struct Job") })
        #expect(try Package.folders.isSuperset(of: ["Model/Jobs", "C/System/CLibRaw", "Programs/rawmill"]))
    }

    @Test("Package.swift's declarations are read with their paths, order and dependencies")
    func declarations() {
        let manifest = """
            func module(_ path: String) -> Target {}
                module("Platform/A", ["B", "C"], kernels),
                module(
                    "Model/D",
                    ["E-e"]),
                module("Model/F"),
                c("C/Own/G", linking: "g"),
                systemLibrary("H"),
                program(
                    "i",
                    [
                        "A",
                    ]),
            """
        let declared = Package.modules(in: manifest)
        #expect(declared.map(\.path) == ["Platform/A", "Model/D", "Model/F", "C/Own/G", "C/System/H", "Programs/i"])
        #expect(declared.map(\.dependencies) == [["B", "C"], ["E-e"], [], [], [], ["A"]])
    }

    @Test("Package.swift's declarations of test modules are also read")
    func testDeclarations() {
        let manifest = """
            func support(_ name: String) -> Target {}
                tests("Platform/ATests", ["A", "B"]),
                support("C"),
                support(
                    "D", ["E"], memorySafe),
                helper(
                    "f-g", "Helpers/FG",
                    [
                        "A-a",
                    ], memorySafe),
            """
        let declared = Package.testModules(in: manifest)
        #expect(declared.map(\.path) == ["Platform/ATests", "Support/C", "Support/D", "Helpers/FG"])
        #expect(declared.map(\.dependencies) == [["A", "B"], [], ["E"], ["A_a"]])
    }
}
