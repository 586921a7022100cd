internal import Decode
internal import Develop
internal import Encode
internal import Jobs
internal import Pixels

extension RenderContext {
    /// The picture the camera put into the RAW of its own shot, small; nil where there is none that can be read in
    /// passing. A RAW of several frames has one, which is of the first.
    func cameraPicture(frame: Int) -> SmallPicture? {
        guard frame == 0, let preview = try? open().smallPreview() else { return nil }
        switch preview.format {
        case .jpeg: return previewReader.read(preview.bytes)
        case .rgb8: return SmallPicture(subsampling: preview.bytes, size: preview.size)
        }
    }
}

extension DevelopFacts {
    /// Why the rendition is `degraded`, for a person; nil where it is not.
    var complaint: String? {
        var complaints: [String] = []
        if coloursAreGuessed { complaints.append("The camera's colours are not known; they were guessed.") }
        if let found = agreement?.complaint {
            complaints.append("The picture disagrees with the camera's own preview: \(found).")
        }
        return complaints.isEmpty ? nil : complaints.joined(separator: " ")
    }
}
