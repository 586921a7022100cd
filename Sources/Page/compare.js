// A stage for one photo, and a slider over it between two versions of the picture.

import { element, say } from "./elements.js";
import { watchPicture } from "./pictures.js";

export class Compare {
    constructor() {
        this.right = watchPicture(element("img", { alt: "", decoding: "async", draggable: "false", class: "right" }));
        this.left = watchPicture(element("img", { alt: "", decoding: "async", draggable: "false", class: "left" }));
        this.leftLabel = element("span", { class: "label left", "aria-hidden": "true" });
        this.rightLabel = element("span", { class: "label right", "aria-hidden": "true" });
        this.line = element("div", { class: "line", "aria-hidden": "true" }, element("span", { class: "knob" }));
        this.slider = element("input", { type: "range", min: 0, max: 100, step: 1, "aria-label": "Position of the divider" });
        this.frame = element("div", { class: "frame" }, this.right, this.left, this.leftLabel, this.rightLabel, this.line, this.slider);
        this.element = element("div", { class: "stage" }, this.frame);
        this.slider.value = 50;
        this.slider.addEventListener("input", () => this.place());
        this.frame.addEventListener("pointerdown", (event) => this.drag(event));
        this.compare(false);
        this.place();
    }

    // The frame takes its final size before any picture is there.
    size(width, height) {
        this.width = width;
        this.element.style.setProperty("--ratio", String(width / Math.max(1, height)));
        this.element.style.setProperty("--full-width", `${width / (window.devicePixelRatio || 1)}px`);
    }

    show(address, label, name) {
        this.load(this.right, address);
        this.right.alt = name;
        say(this.rightLabel, label);
    }

    // `missing` is called where there is no such picture.
    against(address, label, missing = null) {
        this.left.onerror = missing;
        this.load(this.left, address);
        say(this.leftLabel, label);
        this.slider.setAttribute("aria-label", `Slider between: ${label}, and: ${this.rightLabel.textContent}`);
        this.place();
    }

    load(image, address) {
        if (image.dataset.address === (address ?? undefined)) return;
        if (address) {
            image.dataset.address = address;
            image.classList.remove("missing");
            image.src = address;
        } else {
            delete image.dataset.address;
            image.removeAttribute("src");
            image.classList.remove("there", "missing");
        }
    }

    compare(on) {
        this.comparing = on;
        this.element.classList.toggle("comparing", on);
        for (const part of [this.left, this.line, this.slider, this.leftLabel, this.rightLabel]) part.hidden = !on;
    }

    place() {
        const at = Number(this.slider.value);
        this.left.style.clipPath = `inset(0 ${100 - at}% 0 0)`;
        this.line.style.left = `${at}%`;
        this.slider.setAttribute("aria-valuetext", `${at} % ${this.leftLabel.textContent}, ${100 - at} % ${this.rightLabel.textContent}`);
    }

    // While comparing, the pointer moves the line; enlarged, it moves the picture.
    drag(event) {
        if (event.button !== 0) return;
        const zoomed = this.zoomed && !this.comparing;
        if (!this.comparing && !zoomed) return;
        event.preventDefault();
        this.slider.focus({ preventScroll: true });
        const from = { x: event.clientX, y: event.clientY, left: this.element.scrollLeft, top: this.element.scrollTop };
        const move = (moved) => {
            if (zoomed) {
                this.element.scrollLeft = from.left - (moved.clientX - from.x);
                this.element.scrollTop = from.top - (moved.clientY - from.y);
                return;
            }
            const box = this.frame.getBoundingClientRect();
            this.slider.value = ((moved.clientX - box.left) / box.width) * 100;
            this.place();
        };
        const up = () => {
            this.frame.removeEventListener("pointermove", move);
            this.frame.removeEventListener("pointerup", up);
            this.frame.removeEventListener("pointercancel", up);
        };
        this.frame.setPointerCapture(event.pointerId);
        this.frame.addEventListener("pointermove", move);
        this.frame.addEventListener("pointerup", up);
        this.frame.addEventListener("pointercancel", up);
        move(event);
    }

    // One pixel of the photo on one of the screen.
    zoom(on) {
        this.zoomed = on;
        this.element.classList.toggle("zoomed", on);
        if (on) {
            this.element.scrollLeft = (this.element.scrollWidth - this.element.clientWidth) / 2;
            this.element.scrollTop = (this.element.scrollHeight - this.element.clientHeight) / 2;
        }
    }
}
