import ExternalTools
import Foundation

/// A module declared in Package.swift.
struct Module {
    /// "LAYER/NAME", below Sources or, for test modules, below Tests.
    let path: String
    let dependencies: Set<String>

    var name: String { String(path.split(separator: "/").last ?? "") }
    var layer: String { path.split(separator: "/").dropLast().joined(separator: "/") }
}

/// The package on disk.
enum Package {
    private static let sources = Checkout.folder.appending(path: "Sources")
    private static let tests = Checkout.folder.appending(path: "Tests")

    /// All entries of the layer folders: "LAYER/NAME".
    static var folders: Set<String> {
        get throws {
            let layers = Set(Layer.all.map(\.name))
            return try folders(in: "").reduce(into: []) { found, top in
                let inside = try folders(in: top)
                for name in inside {
                    let path = "\(top)/\(name)"
                    if layers.contains(path) {
                        found.formUnion(try folders(in: path).map { "\(path)/\($0)" })
                    } else {
                        found.insert(path)
                    }
                }
                // The page of `rawmill serve` runs in a browser. It is no module and has no folders.
                if inside.isEmpty, top != "Page" { found.insert(top) }
            }
        }
    }

    private static func folders(in path: String) throws -> [String] {
        let folder = sources.appending(path: path)
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { name in
            var isFolder: ObjCBool = false
            let path = folder.appending(path: name).path
            return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
        }
    }

    /// Swift files of a source module, by path below Sources.
    static func files(of module: Module) throws -> [(path: String, source: String)] {
        try files(of: module, in: sources)
    }

    /// Swift files of a test module, by path below Tests.
    static func testFiles(of module: Module) throws -> [(path: String, source: String)] {
        try files(of: module, in: tests)
    }

    private static func files(of module: Module, in layers: URL) throws -> [(path: String, source: String)] {
        let folder = layers.appending(path: module.path)
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        return try names.filter { $0.hasSuffix(".swift") }.sorted().map { name in
            ("\(module.path)/\(name)", try String(contentsOf: folder.appending(path: name), encoding: .utf8))
        }
    }

    private static let manifest = Result {
        try String(contentsOf: Checkout.folder.appending(path: "Package.swift"), encoding: .utf8)
    }

    /// The source modules, in the order of Package.swift.
    static var modules: [Module] { get throws { modules(in: try manifest.get()) } }

    static func modules(in manifest: String) -> [Module] {
        let call = /(?m)^ +(module|program|systemLibrary|c)\(\s*"([\w\/-]+)"(?:,\s*\[([^\]]*)\])?/
        return manifest.matches(of: call).map { match in
            let prefix =
                switch match.1 {
                case "program": "Programs/"
                case "systemLibrary": "C/System/"
                default: ""
                }
            let dependencies = (match.3 ?? "").matches(of: /"([\w-]+)"/).map { String($0.1) }
            return Module(path: prefix + String(match.2), dependencies: Set(dependencies))
        }
    }

    /// Test suites, shared test modules and helper programs, without those in C.
    static var testModules: [Module] { get throws { testModules(in: try manifest.get()) } }

    static func testModules(in manifest: String) -> [Module] {
        let call = /(?m)^ +(tests|support|helper)\(\s*(?:"[\w-]+",\s*)?"([\w\/-]+)"(?:,\s*\[([^\]]*)\])?/
        return manifest.matches(of: call).map { match in
            // The module of a program has a name that is a valid Swift identifier.
            let dependencies = (match.3 ?? "").matches(of: /"([\w-]+)"/).map { String($0.1).replacing("-", with: "_") }
            let prefix = match.1 == "support" ? "Support/" : ""
            return Module(path: prefix + String(match.2), dependencies: Set(dependencies))
        }
    }

    /// The paths of the tests below Tests, as declared in Package.swift.
    static var testPaths: [String] {
        get throws { try manifest.get().matches(of: /(?m)^ +tests\(\s*"([\w\/-]+)"/).map { String($0.1) } }
    }
}
