import PictureFormat
import Pixels

extension DNGFacts {
    /// False where fields that decide the picture cannot be read or contradict one another. A camera writes none of
    /// that: such a file was damaged, and guessing on would give a wrong picture for a good one.
    var isSound: Bool {
        guard raw.unreadable.isDisjoint(with: Self.deciding), main.unreadable.isDisjoint(with: Self.deciding) else {
            return false
        }
        return size != nil && hasChunks && [1, 2].contains(raw.integer(284) ?? 1) && hasFilters && hasLevels
    }

    /// Geometry, coding, filters, levels, areas, colours, digest.
    private static let deciding: Set<Int> = [
        256, 257, 258, 259, 262, 273, 274, 277, 278, 279, 284, 322, 323, 324, 325, 330, 33421, 33422, 50706, 50710,
        50711, 50712, 50713, 50714, 50717, 50718, 50719, 50720, 50721, 50722, 50727, 50728, 50778, 50779, 50829, 51111,
    ]

    /// As many strips or tiles as the size needs.
    private var hasChunks: Bool {
        guard let size, let chunks = raw.chunks else { return false }
        let planes = raw.integer(284) == 2 ? samplesPerPixel : 1
        if raw.has(324) {
            guard let width = raw.integer(322), let height = raw.integer(323), (1...65_535).contains(width),
                (1...65_535).contains(height)
            else { return false }
            return chunks.count == (size.width + width - 1) / width * ((size.height + height - 1) / height) * planes
        }
        let rows = raw.integer(278) ?? size.height
        return rows > 0 && chunks.count == (size.height + min(rows, size.height) - 1) / min(rows, size.height) * planes
    }

    /// Colours that exist, each plane its own, and a pattern of these.
    private var hasFilters: Bool {
        guard raw.integer(262) == 32803 else { return raw.integer(262) == 34892 }
        let planes = raw.integers(50710) ?? [0, 1, 2]
        guard (1...4).contains(planes.count), Set(planes).count == planes.count, planes.allSatisfy({ $0 <= 6 }),
            (1...9).contains(raw.integer(50711) ?? 1), let period = raw.integers(33421), period.count == 2,
            let pattern = raw.integers(33422), pattern.count == period[0] * period[1]
        else { return false }
        guard Set(pattern) == Set(planes) else { return false }
        return period != [2, 2] || Set(planes) != [0, 1, 2] || isBayer(pattern.compactMap { filter($0) })
    }

    /// Black below white.
    private var hasLevels: Bool {
        guard let size, hasPlainSamples else { return true }
        guard let black = black(in: size), let lowest = white.min(), let highest = black.values.max() else {
            return false
        }
        return highest < lowest
    }
}

extension TIFFFile {
    /// True where the directories are beyond trust: several fields at once that no writer writes, or a DNG's fields
    /// without the one that makes it a DNG. LibRaw would take such a file for an unknown camera's and guess.
    var isShattered: Bool {
        guard reader.word(2) == 42 else { return false }
        guard let main = directories.first else { return true }
        let fieldsOfDNG = [50707, 50708, 50710, 50717, 50721, 50728, 51111]
        let isDNG = main.has(50706) || main.unreadable.contains(50706)
        let isSensor = [32803, 34892].contains(main.integer(262))
        return main.brokenCount >= 4 || !isDNG && isSensor && !isWhole
            || !isDNG && fieldsOfDNG.filter { main.has($0) }.count >= 3
    }
}
