import Testing

struct ArchitectureTests {
    @Test("No file imports what its room may not", arguments: House.rooms.map(\.name))
    func imports(name: String) throws {
        let room = try #require(House.rooms.first { $0.name == name })
        let breaches = Breach.find(in: try Package.files(of: name), of: room)
        #expect(breaches.isEmpty, "\(breaches)")
    }

    @Test("The table has every room, and no room that is gone")
    func complete() throws {
        #expect(try Package.rooms == Set(House.rooms.map(\.name)))
    }

    @Test("Each C module is seen by exactly one room")
    func cages() {
        for (module, keeper) in House.cages {
            #expect(House.rooms.filter { $0.mayImport.contains(module) }.map(\.name) == [keeper])
        }
    }

    @Test("Package.swift declares the rooms in the table's order, with no dependency beyond the table's")
    func manifest() throws {
        let declared = try Package.declared.filter { room in House.rooms.contains { $0.name == room.name } }
        #expect(declared.map(\.name) == House.rooms.map(\.name))
        for (declared, room) in zip(declared, House.rooms) {
            let surplus = declared.dependencies.subtracting(room.mayImport)
            #expect(surplus.isEmpty, "\(room.name) depends on \(surplus)")
        }
    }

    @Test("A room depends only on rooms before it")
    func order() {
        var seen = Set(House.cages.keys)
        for room in House.rooms {
            #expect(room.mayImport.isSubset(of: seen), "\(room.name): \(room.mayImport.subtracting(seen))")
            seen.insert(room.name)
        }
    }

    @Test("Stages import no other stage, no transport and no logger")
    func stages() throws {
        let stages: Set = ["Decode", "Develop", "Looks", "Encode"]
        let roles: Set = [
            "Broker", "Telemetry", "Library", "Database", "Storage", "Coordinator", "Worker", "Catalogue",
        ]
        for room in House.rooms where stages.contains(room.name) {
            #expect(room.mayImport.isDisjoint(with: stages.union(roles)))
        }
    }
}

/// A gate that cannot fail is worse than none: these make each part of it fail.
struct GateTests {
    @Test(
        "Every way to write an import is read",
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
        "What only looks like an import is none",
        arguments: ["// import A", "/// import A", "important A", "let import = 1"])
    func notReading(source: String) {
        #expect(Imports.modules(in: source).isEmpty)
    }

    @Test(
        "A forbidden import is found, with its room and file", arguments: ["Foundation", "CLibRaw", "Decode", "Broker"])
    func forbidden(module: String) throws {
        let develop = try #require(House.rooms.first { $0.name == "Develop" })
        let files = [
            ("Develop/Good.swift", "internal import Pixels"), ("Develop/Bad.swift", "public import \(module)"),
        ]
        let expected = Breach(room: "Develop", file: "Develop/Bad.swift", module: module)
        #expect(Breach.find(in: files, of: develop) == [expected])
    }

    @Test("The sources that are judged are the real ones")
    func real() throws {
        #expect(
            try Package.files(of: "Jobs").contains { $0.name == "Jobs/Job.swift" && $0.source.contains("struct Job") })
    }

    @Test("Package.swift's declarations are read with their order and dependencies")
    func declarations() {
        let manifest = """
            func room(_ name: String) -> Target {}
                    room("A", ["B", "C"], kernels),
                    room(
                        "D",
                        ["E"]),
                    room("F"),
                    .executableTarget(
                        name: "g",
                        dependencies: [
                            "H",
                        ])
            """
        let declared = Package.declared(in: manifest)
        #expect(declared.map(\.name) == ["A", "D", "F", "g"])
        #expect(declared.map(\.dependencies) == [["B", "C"], ["E"], [], ["H"]])
    }
}
