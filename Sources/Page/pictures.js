// Pictures of cells: asked for when a cell stays in sight, let go when it leaves, so that a fast scroll asks for nothing.

import { object } from "./api.js";
import { editOf } from "./edits.js";

const patience = 70;

// Pixels that a picture of so many CSS pixels needs, in steps, so that caches serve again.
export function edgeFor(cssPixels, most = 2048) {
    const needed = cssPixels * Math.min(window.devicePixelRatio || 1, 3);
    return Math.min(most, Math.max(256, Math.ceil(needed / 256) * 256));
}

// Of a photo that is being developed again, what it becomes, as soon as there is a preview of it.
export function preview(photo, cssPixels) {
    return editOf(photo.id)?.preview ?? object(photo.id, "preview", { edge: edgeFor(cssPixels) });
}

// Shows `address` in `image` after a moment in sight.
export function showPicture(image, address, { atOnce = false } = {}) {
    if (image.dataset.address === address) return;
    clearTimeout(image.waiting);
    // A picture that is shown stays until the new one is there.
    image.dataset.address = address;
    image.classList.remove("missing");
    const load = () => {
        image.src = address;
    };
    if (atOnce) load();
    else image.waiting = setTimeout(load, patience);
}

// Without its address the browser gives up the request.
export function dropPicture(image) {
    clearTimeout(image.waiting);
    if (image.dataset.address === undefined) return;
    delete image.dataset.address;
    image.removeAttribute("src");
    image.classList.remove("there", "missing");
}

export function watchPicture(image) {
    image.addEventListener("load", () => image.classList.add("there"));
    image.addEventListener("error", () => {
        if (image.dataset.address !== undefined) image.classList.add("missing");
    });
    return image;
}
