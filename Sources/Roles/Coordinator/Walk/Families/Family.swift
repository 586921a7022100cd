/// The files of one folder with the same family name: usually a RAW with its sidecar and the camera's JPEG.
struct Family {
    private(set) var members: [(name: [UInt8], kind: NameKind)]
    /// Members by base name.
    private let sidecars: [ArraySlice<UInt8>: Int]
    private let jpegs: [ArraySlice<UInt8>: Int]

    /// - Parameter names: in byte order.
    init(names: [[UInt8]]) {
        members = names.map { ($0, NameKind(name: $0)) }
        sidecars = Self.byBaseName(members, .sidecar)
        jpegs = Self.byBaseName(members, .jpeg)
    }

    /// The index of a photo's sidecar: `IMG.NEF.xmp` if it exists, else `IMG.xmp`.
    func sidecar(of name: [UInt8]) -> Int? {
        guard !sidecars.isEmpty else { return nil }
        return unlessSame(name, sidecars[name[...]] ?? sidecars[name.base])
    }

    /// The index of the camera's own JPEG: the file with the same base name, or the cover of a Pixel's original.
    func companion(of name: [UInt8]) -> Int? {
        guard !jpegs.isEmpty else { return nil }
        let found = jpegs[name.base] ?? Self.pixelCovers(of: name.base).lazy.compactMap { jpegs[$0[...]] }.first
        return unlessSame(name, found)
    }

    /// A JPEG or sidecar submitted by name is not its own companion.
    private func unlessSame(_ name: [UInt8], _ found: Int?) -> Int? {
        found.flatMap { members[$0].name == name ? nil : $0 }
    }

    /// Names of the submitted members' photos, without look and extension: the base name, or the whole name if another
    /// submitted file in the folder has that base name.
    func photoBases(submitted: [Int]) -> [[UInt8]] {
        guard submitted.count > 1 else { return submitted.map { Array(members[$0].name.base) } }
        var uses: [ArraySlice<UInt8>: Int] = [:]
        for index in submitted {
            uses[members[index].name[...], default: 0] += 1
            uses[members[index].name.base, default: 0] += 1
        }
        return submitted.map { index in
            let name = members[index].name
            return uses[name.base] == 1 ? Array(name.base) : name
        }
    }

    /// Members of one kind by base name; the first in byte order if only the extension's case differs.
    private static func byBaseName(
        _ members: [(name: [UInt8], kind: NameKind)], _ kind: NameKind
    ) -> [ArraySlice<UInt8>: Int] {
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
