import DevelopKernels

/// The squares of grain that a context keeps: photos of one camera with one film share one.
final class GrainTemplateCache {
    private var templates: [(deviation: Double, template: GrainTemplate)] = []
    /// Films that alternate. Each takes 256 KB.
    private static let maxTemplates = 8

    /// - Parameter deviation: of grain, in pixels.
    func template(deviation: Double) -> GrainTemplate {
        if let index = templates.firstIndex(where: { $0.deviation == deviation }) {
            let found = templates.remove(at: index)
            templates.append(found)
            return found.template
        }
        let template = GrainTemplate(deviation: deviation)
        templates.append((deviation, template))
        if templates.count > Self.maxTemplates { templates.removeFirst() }
        return template
    }
}
