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

/// A line of LibRaw's list of cameras, taken apart.
struct CameraName {
    /// LibRaw's number of the maker; nil for one that LibRaw has no colours of.
    let maker: UInt32?
    let make: String
    let model: String

    /// - Parameter text: maker and model, as `Canon EOS 77D / 9000D`.
    init(_ text: String, makers: [(number: UInt32, name: String)]) {
        // LibRaw writes some makers in two ways: `Phase One` and `PhaseOne`.
        var found: (number: UInt32, end: String.Index)?
        for maker in makers {
            guard let end = Self.end(of: maker.name, in: text), end > found?.end ?? text.startIndex else { continue }
            found = (maker.number, end)
        }
        maker = found?.number
        // The rest of a word belongs to the maker: `OM Digital Solutions` is no model `Solutions`, but one cannot tell.
        let cut = found?.end ?? text.firstIndex(of: " ") ?? text.startIndex
        make = String(text[..<cut])
        model = String(text[cut...].drop { $0 == " " })
    }

    /// Where a maker's name ends at the beginning of a text; nil if another word stands there.
    private static func end(of maker: String, in text: String) -> String.Index? {
        var rest = text[...]
        for letter in maker where letter != " " {
            while rest.first == " " { rest.removeFirst() }
            guard let first = rest.first, first.lowercased() == letter.lowercased() else { return nil }
            rest.removeFirst()
        }
        return rest.isEmpty || rest.first == " " ? rest.startIndex : nil
    }

    /// The model without LibRaw's remark that it does not read samples which were compressed with loss.
    var unlimitedModel: String {
        let remark = " (uncompressed and lossless compressed only)"
        return model.hasSuffix(remark) ? String(model.dropLast(remark.count)) : model
    }

    /// The model's first name, without what is said about it in brackets.
    var firstModel: String { Self.trimmed(model.prefix { $0 != "/" && $0 != "(" }) }

    /// The names by which LibRaw's table of colours may know the model, the likeliest first.
    var candidates: [String] {
        var names = [model, firstModel]
        names += model.split(whereSeparator: { "/(),".contains($0) }).map { Self.trimmed($0) }
        // LibRaw's own name of the early ones: the camera writes `E950`.
        if firstModel.hasPrefix("Coolpix "), firstModel.dropFirst(8).first?.isNumber == true {
            names.append("E" + firstModel.dropFirst(8))
        }
        return names.filter { !$0.isEmpty }
    }

    private static func trimmed(_ text: Substring) -> String {
        String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
