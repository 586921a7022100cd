public import PictureFormat

extension KnownCamera {
    /// All cameras, in LibRaw's order.
    ///
    /// - Throws: `outOfMemory`.
    public static func all() throws(DecodeError) -> [KnownCamera] {
        let matrices = try LibRawMatrixTable()
        let makers = RawLibrary.makers
        return RawLibrary.cameras.map { text in
            let name = CameraName(text, makers: makers)
            let isOwn = OwnFormats.include(name)
            return KnownCamera(
                make: name.make, model: isOwn ? name.unlimitedModel : name.model, unpacker: isOwn ? .rawmill : .libraw,
                hasColourMatrix: name.maker.map { maker in
                    name.candidates.contains { matrices.hasMatrix(maker: maker, model: $0) }
                } ?? false)
        }
    }
}

/// An entry of LibRaw's list of cameras.
struct CameraName {
    /// LibRaw's number of the maker; nil if LibRaw has no colour matrices for it.
    let maker: UInt32?
    let make: String
    let model: String

    /// - Parameter text: maker and model, such as `Canon EOS 77D / 9000D`.
    init(_ text: String, makers: [(number: UInt32, name: String)]) {
        // LibRaw spells some makers in two ways: `Phase One`, `PhaseOne`.
        var found: (number: UInt32, end: String.Index)?
        for maker in makers {
            guard let end = Self.end(of: maker.name, in: text), end > found?.end ?? text.startIndex else { continue }
            found = (maker.number, end)
        }
        maker = found?.number
        // Assumes that an unknown maker is one word; `OM Digital Solutions` would need a list.
        let cut = found?.end ?? text.firstIndex(of: " ") ?? text.startIndex
        make = String(text[..<cut])
        model = String(text[cut...].drop { $0 == " " })
    }

    /// End of a maker's name at the start of a text; nil if the text starts otherwise.
    private static func end(of maker: String, in text: String) -> String.Index? {
        var rest = text[...]
        for letter in maker where letter != " " {
            while rest.first == " " { rest.removeFirst() }
            guard let first = rest.first, first.lowercased() == letter.lowercased() else { return nil }
            rest.removeFirst()
        }
        return rest.isEmpty || rest.first == " " ? rest.startIndex : nil
    }

    /// The model without LibRaw's remark about lossy samples, which Rawmill reads.
    var unlimitedModel: String {
        let remark = " (uncompressed and lossless compressed only)"
        return model.hasSuffix(remark) ? String(model.dropLast(remark.count)) : model
    }

    var firstModel: String { Self.trimmed(model.prefix { $0 != "/" && $0 != "(" }) }

    /// Names under which LibRaw's colour table may list the model, most likely first.
    var candidates: [String] {
        var names = [model, firstModel]
        names += model.split(whereSeparator: { "/(),".contains($0) }).map { Self.trimmed($0) }
        // LibRaw names early models as the camera does: `E950`.
        if firstModel.hasPrefix("Coolpix "), firstModel.dropFirst(8).first?.isNumber == true {
            names.append("E" + firstModel.dropFirst(8))
        }
        return names.filter { !$0.isEmpty }
    }

    private static func trimmed(_ text: Substring) -> String {
        String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
