public import Foundation

// Until every suite uses `ExternalTool.run`, `RealFiles.contents(of:)` and `.needs(…)`.

extension ExternalTool {
    public static func ask(_ program: String, _ arguments: [String], hearsErrors: Bool = true) throws -> String? {
        guard path(of: program) != nil || Requirement.isCI else { return nil }
        return try run(program, arguments, mergesErrors: hearsErrors)
    }

    public static func ask(
        _ program: String, _ arguments: [String], about bytes: [UInt8], named name: String = "photo.jpg"
    ) throws -> String {
        try run(program, arguments, on: bytes, named: name)
    }
}

extension RealFiles {
    public static func folder() throws -> URL? {
        Requirement.realFiles.obstacle == nil || Requirement.isCI ? folderURL : nil
    }

    public static func bytes(of name: String) throws -> [UInt8]? { try folder().map { _ in try contents(of: name) } }
}
