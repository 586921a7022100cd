internal import Develop

extension DevelopFacts {
    /// Reasons why the rendition is `degraded`, for users; nil for none.
    ///
    /// - Parameter previewComplaint: a problem with the camera's preview.
    func degradation(_ previewComplaint: String?) -> String? {
        var reasons = previewComplaint.map { [$0] } ?? []
        if coloursAreGuessed { reasons.append("The camera's colours are not known; they were guessed.") }
        if let missingCorrections { reasons.append(missingCorrections) }
        if let found = agreement?.complaint {
            reasons.append("The picture disagrees with the camera's own preview: \(found).")
        }
        return reasons.isEmpty ? nil : reasons.joined(separator: " ")
    }
}
