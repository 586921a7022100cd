// The controls of a recipe: look, exposure, white balance and the rest.

import { button, element, freshID, replace, say } from "./elements.js";
import { sliders } from "./known-looks.js";

// What a photo's recipe says of each control; what it does not say is as usual.
export function settingsOf(photo) {
    const given = { ...photo.settings };
    if (!photo.settings) {
        for (const { name, value } of photo.recipe ?? []) given[name.toLowerCase().replaceAll(" ", "-")] = value;
    }
    const settings = { look: lookReference(given.look ?? photo.look), "white-balance": balance(given["white-balance"]) };
    for (const { name, usual } of sliders) {
        const number = parseFloat(given[name] ?? given[`look-${name}`]);
        settings[name] = Number.isFinite(number) ? number : usual;
    }
    return settings;
}

function lookReference(look) {
    return String(look ?? "neutral");
}

function balance(text) {
    const [, kelvin, tint] = /^(\d{4,5})\s*K?(?:,\s*(-?\d+))?/.exec(String(text ?? "")) ?? [];
    return kelvin ? (tint && tint !== "0" ? `${kelvin},${tint}` : kelvin) : "";
}

export class Adjustments {
    // changed() is called with every movement. looks: [{ reference, name, summary }].
    constructor({ looks, settings, changed, withLook = true }) {
        this.changed = changed;
        this.controls = new Map();
        this.element = element("div", { class: "adjustments", role: "group", "aria-label": "Adjustments" });
        if (withLook) this.addLook(looks);
        for (const slider of sliders) this.addSlider(slider);
        this.addBalance();
        this.reset(settings);
    }

    reset(settings) {
        this.settings = { ...settings };
        this.values = { ...settings };
        for (const control of this.controls.values()) control.show();
    }

    set(name, value) {
        this.values[name] = value;
        this.controls.get(name)?.show();
        this.changed();
    }

    get isChanged() {
        return Object.keys(this.changes()).length > 0;
    }

    // What differs from the photo as it is.
    changes() {
        return Object.fromEntries(Object.entries(this.values).filter(([name, value]) => value !== this.settings[name])
            .map(([name, value]) => [name, name === "white-balance" && value === "" ? "as-shot" : value]));
    }

    // The parameters of a try-out: the look, and every setting that differs from its default.
    tryValues() {
        const values = { look: this.values.look };
        for (const { name, usual } of sliders) {
            if (this.values[name] !== usual || this.values[name] !== this.settings[name]) values[name] = this.values[name];
        }
        if (this.values["white-balance"]) values["white-balance"] = this.values["white-balance"];
        else if (this.settings["white-balance"]) values["white-balance"] = "as-shot";
        return values;
    }

    addLook(looks) {
        const id = freshID("look");
        const select = element("select", { id });
        const show = () => {
            const value = this.values.look;
            const known = looks.find((look) => look.reference === value || look.name === value);
            const list = known ? looks : [{ reference: value, name: value }, ...looks];
            replace(select, list.map((look) => {
                const option = element("option");
                option.value = look.reference;
                say(option, list.some((other) => other !== look && other.name === look.name) ? look.reference : look.name);
                return option;
            }));
            select.value = known?.reference ?? value;
        };
        select.addEventListener("change", () => this.set("look", select.value));
        this.controls.set("look", { show });
        this.element.append(element("div", { class: "control" }, element("label", { for: id }, "Look"), select));
    }

    addSlider({ name, label, minimum, maximum, step, usual, signed }) {
        const id = freshID(name);
        const range = element("input", { type: "range", id, min: minimum, max: maximum, step });
        const output = element("output", { for: id });
        const show = () => {
            const value = this.values[name];
            range.value = value;
            say(output, `${signed && value > 0 ? "+" : ""}${value.toFixed(2)}`);
        };
        range.addEventListener("input", () => {
            this.values[name] = Math.round(Number(range.value) * 100) / 100;
            show();
            this.changed();
        });
        range.addEventListener("dblclick", () => this.set(name, usual));
        this.controls.set(name, { show });
        this.element.append(element("div", { class: "control" }, element("label", { for: id, title: "Double-click the slider for the usual value" }, label), range, output));
    }

    addBalance() {
        const id = freshID("balance");
        const asShot = element("input", { type: "checkbox", id });
        const kelvin = element("input", { type: "range", id: `${id}-kelvin`, min: 2000, max: 12000, step: 50 });
        const tint = element("input", { type: "range", id: `${id}-tint`, min: -150, max: 150, step: 1 });
        const kelvinOutput = element("output", { for: `${id}-kelvin` });
        const tintOutput = element("output", { for: `${id}-tint` });
        const show = () => {
            const [warmth, green = "0"] = (this.values["white-balance"] || "").split(",");
            asShot.checked = warmth === "";
            kelvin.disabled = tint.disabled = asShot.checked;
            kelvin.value = warmth || 5500;
            tint.value = green;
            say(kelvinOutput, warmth ? `${warmth} K` : "–");
            say(tintOutput, warmth ? green : "–");
        };
        const moved = () => this.set("white-balance", asShot.checked ? "" : balance(`${kelvin.value},${tint.value}`));
        for (const input of [asShot, kelvin, tint]) input.addEventListener("input", moved);
        this.controls.set("white-balance", { show });
        this.element.append(
            element("div", { class: "control check" }, element("label", { for: id }, "White balance"),
                element("label", { class: "checkbox" }, asShot, "as shot"), element("output", {})),
            element("div", { class: "control" }, element("label", { for: `${id}-kelvin` }, "Temperature"), kelvin, kelvinOutput),
            element("div", { class: "control" }, element("label", { for: `${id}-tint` }, "Tint"), tint, tintOutput));
    }
}

export function resetButton(adjustments, settings) {
    return button("Reset", () => { adjustments.reset(settings()); adjustments.changed(); }, { class: "plain" });
}
