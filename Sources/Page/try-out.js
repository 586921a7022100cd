// Develops a photo on trial while its controls move: the newest wish only, and nothing is kept.

import { isAbort, object, request } from "./api.js";
import { edgeFor } from "./pictures.js";
import { milliseconds } from "./words.js";

export class TryOut {
    // show(address) takes the picture; tell(text, error) what is going on.
    constructor({ show, tell }) {
        Object.assign(this, { show, tell });
        this.address = null;
    }

    // Asks for it after the hand has rested for a moment.
    wish(photo, values, cssPixels) {
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.run(photo, values, cssPixels), 120);
    }

    async run(photo, values, cssPixels) {
        this.asked?.abort();
        const asked = this.asked = new AbortController();
        const started = performance.now();
        this.tell("Trying…");
        try {
            const response = await request(object(photo, "try", { ...values, edge: edgeFor(cssPixels) }), { signal: asked.signal });
            const address = URL.createObjectURL(await response.blob());
            if (this.asked !== asked) {
                URL.revokeObjectURL(address);
                return;
            }
            this.letGo();
            this.address = address;
            this.show(address);
            this.tell(`Rendered in ${milliseconds(performance.now() - started)}. Not saved yet.`);
        } catch (error) {
            if (!isAbort(error)) this.tell(`${error.message} ${error.remedy ?? ""}`, true);
        }
    }

    letGo() {
        if (this.address) URL.revokeObjectURL(this.address);
        this.address = null;
    }

    stop() {
        clearTimeout(this.timer);
        this.asked?.abort();
        this.asked = null;
        this.letGo();
        this.tell("");
    }
}
