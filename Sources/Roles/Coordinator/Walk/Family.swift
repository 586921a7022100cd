/// The files of one folder that share a family name, and what belongs to which RAW among them.
struct Family {
    /// Names in byte order, with what they say.
    private(set) var members: [(name: [UInt8], kind: NameKind)]
    private let sidecars: [ArraySlice<UInt8>: Int]
    private let jpegs: [ArraySlice<UInt8>: Int]

    init(names: [[UInt8]]) {
        members = names.map { ($0, NameKind(name: $0)) }
        sidecars = Self.index(members, .sidecar)
        jpegs = Self.index(members, .jpeg)
    }

    /// The sidecar of a photograph: `IMG.NEF.xmp` before `IMG.xmp`.
    func sidecar(of name: [UInt8]) -> Int? {
        guard !sidecars.isEmpty else { return nil }
        return other(than: name, sidecars[name[...]] ?? sidecars[name.base])
    }

    /// The camera's own JPEG: the same base name, or a Pixel's cover beside its original.
    func companion(of name: [UInt8]) -> Int? {
        guard !jpegs.isEmpty else { return nil }
        let found = jpegs[name.base] ?? Self.pixelCovers(of: name.base).lazy.compactMap { jpegs[$0[...]] }.first
        return other(than: name, found)
    }

    /// A file is not beside itself, where it is submitted by name.
    private func other(than name: [UInt8], _ found: Int?) -> Int? {
        found.flatMap { members[$0].name == name ? nil : $0 }
    }

    /// What the photo of each submitted file is called, without look and extension: the base name, or the whole name
    /// where that would not be the only one of the folder.
    func photoBases(submitted: [Int]) -> [[UInt8]] {
        guard submitted.count > 1 else { return submitted.map { Array(members[$0].name.base) } }
        var taken: [ArraySlice<UInt8>: Int] = [:]
        for index in submitted {
            taken[members[index].name[...], default: 0] += 1
            taken[members[index].name.base, default: 0] += 1
        }
        return submitted.map { index in
            let name = members[index].name
            return taken[name.base] == 1 ? Array(name.base) : name
        }
    }

    /// By base name; the first in byte order where only the extension's case differs.
    private static func index(_ members: [(name: [UInt8], kind: NameKind)], _ kind: NameKind) -> [ArraySlice<UInt8>:
        Int]
    {
        guard members.count > 1 else { return [:] }
        var found: [ArraySlice<UInt8>: Int] = [:]
        for (index, member) in members.enumerated() where member.kind == kind && found[member.name.base] == nil {
            found[member.name.base] = index
        }
        return found
    }

    /// `X.RAW-01.COVER` and `X.RAW-01.MP.COVER` for `X.RAW-02.ORIGINAL`.
    private static func pixelCovers(of base: ArraySlice<UInt8>) -> [[UInt8]] {
        let mark = Array(".RAW-02.ORIGINAL".utf8)
        guard base.count > mark.count, base.suffix(mark.count).elementsEqual(mark) else { return [] }
        return [".RAW-01.COVER", ".RAW-01.MP.COVER"].map { base.dropLast(mark.count) + Array($0.utf8) }
    }
}
