import DevelopKernels
import Memory

/// Cache of grain squares; photos of one camera with one film share one.
final class GrainTemplateCache {
    /// For alternating films. Each takes 256 KB.
    private var templates = BoundedCache<Double, GrainTemplate>(maxCount: 8)

    /// The deviation of the grain is in pixels.
    func template(deviation: Double) -> GrainTemplate {
        templates.value(of: deviation) { GrainTemplate(deviation: deviation) }
    }
}
