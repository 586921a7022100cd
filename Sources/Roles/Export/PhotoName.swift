internal import Jobs
internal import Manifests
internal import PictureFormat

/// A photo's name below the export's folder, not yet checked against existing files.
///
/// Fields contain text from cameras and users, which must not decide where the file goes: slashes and control
/// characters are replaced, and so is a part of the path that is empty or only dots. The RAW's own folder names stay
/// unchanged.
struct PhotoName: Hashable {
    /// The folder's path, empty or with a trailing slash.
    private let folder: [UInt8]
    private let stem: [UInt8]
    private let fileExtension: [UInt8]

    /// The longest file name on Linux.
    private static let maxNameBytes = 255

    /// - Parameters:
    ///   - dir: the RAW's folder below the source; empty for the source itself.
    ///   - label: distinguishes variants that would have the same name; may be empty.
    init(
        _ template: NameTemplate, _ rendition: Rendition, of source: Source, dir: [UInt8], label: String
    ) {
        var path: [UInt8] = []
        let frame = rendition.frame == 0 ? "" : ".\(UInt64(rendition.frame) + 1)"
        let hasBase = template.contains(.base)
        for part in template.parts {
            switch part {
            case .text(let text): path += text.utf8
            case .field(.dir): path += dir
            case .field(.base):
                path += Self.plain(source.photoBase)
                if !template.contains(.frame) { path += frame.utf8 }
            case .field(let field): path += Self.plain(Array(Self.text(of: field, rendition).utf8))
            }
        }
        let slash = UInt8(ascii: "/")
        // The file name is cut when its number is known.
        let pieces = path.split(separator: slash)
        var parts = pieces.enumerated().map { Self.harmless($1, isName: $0 == pieces.count - 1) }
        let name = parts.popLast() ?? Array("_".utf8)
        folder = parts.flatMap { $0 + [slash] }
        let dot = name.lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex
        let needsFrame = !hasBase && !template.contains(.frame)
        stem = name[..<dot] + (needsFrame ? Array(frame.utf8) : []) + (label.isEmpty ? [] : Array(".\(label)".utf8))
        fileExtension = Array(name[dot...])
    }

    /// The path of the first attempt, or of a later, numbered one.
    func path(attempt: Int) -> [UInt8] {
        let end = (attempt == 1 ? [] : Array("-\(attempt)".utf8)) + fileExtension
        return folder + Self.cut(stem, to: Self.maxNameBytes - end.count) + end
    }

    /// The attempt with this path; nil if there is none.
    func attempt(of path: [UInt8]) -> Int? {
        let digits = path.dropLast(fileExtension.count).reversed().prefix { (0x30...0x39).contains($0) }.reversed()
        let numbered = Int(String(decoding: Array(digits), as: UTF8.self)) ?? 1
        return [1, numbered].first { $0 > 0 && self.path(attempt: $0) == path }
    }

    private static func text(of field: NameTemplate.Field, _ rendition: Rendition) -> String {
        switch field {
        case .look: rendition.recipe.look.name
        case .version: "\(rendition.recipe.look.version)"
        case .camera: rendition.model.isEmpty ? "unknown" : rendition.model
        case .make: rendition.make.isEmpty ? "unknown" : rendition.make
        case .frame: "\(UInt64(rendition.frame) + 1)"
        case .size: rendition.recipe.longEdgePixels.map { "\($0)" } ?? "full"
        case .quality: "\(rendition.recipe.quality)"
        case .ext: rendition.recipe.format.fileExtension
        case .date(let pattern): pattern.text(rendition.captured)
        case .dir, .base: ""
        }
    }

    /// A field's bytes, made safe within one name.
    private static func plain(_ bytes: [UInt8]) -> [UInt8] {
        bytes.map { $0 == UInt8(ascii: "/") ? UInt8(ascii: "-") : $0 < 0x20 || $0 == 0x7F ? UInt8(ascii: "_") : $0 }
    }

    private static func harmless(_ part: ArraySlice<UInt8>, isName: Bool) -> [UInt8] {
        if part.allSatisfy({ $0 == UInt8(ascii: ".") }) { return [UInt8(ascii: "_")] }
        return isName ? Array(part) : cut(Array(part), to: maxNameBytes)
    }

    /// The beginning of a name, cut at a character boundary.
    private static func cut(_ name: [UInt8], to length: Int) -> [UInt8] {
        var end = max(1, min(name.count, length))
        while end > 1, end < name.count, name[end] & 0xC0 == 0x80 { end -= 1 }
        return Array(name[..<end])
    }
}
