import DevelopKernels
import Memory

/// The squares of grain that a context keeps: photos of one camera with one film share one.
final class GrainTemplateCache {
    /// Films that alternate. Each takes 256 KB.
    private var templates = BoundedCache<Double, GrainTemplate>(maxCount: 8)

    /// - Parameter deviation: of grain, in pixels.
    func template(deviation: Double) -> GrainTemplate {
        templates.value(of: deviation) { GrainTemplate(deviation: deviation) }
    }
}
