// The looks there are, and the sliders of a photo's settings, read once.

import { get } from "./api.js";

let looks = null;

// [{ name, label, minimum, maximum, step, usual, signed }]: filled once the looks are known.
export let sliders = [];

export function knownLooks() {
    looks ??= get("/v1/looks").then((answer) => {
        sliders = answer.settings.filter((setting) => setting.slider).map(({ name, slider }) => ({ name, ...slider }));
        return answer.looks;
    }).catch((error) => {
        looks = null;
        throw error;
    });
    return looks;
}
