// Who is looking at the page, and what they may do.

import { get, post } from "./api.js";
import { button, element } from "./elements.js";

let current = { version: "", library: "", role: "viewer", mode: "library", canConvert: false, needsToken: false, rawExtensions: [], companionExtensions: [] };

export const session = () => current;
export const mayChange = () => current.role === "operator" || current.role === "admin";
// Photos and albums: a cluster's library in a file has another writer.
export const mayEdit = () => mayChange() && current.canEdit !== false;

// Loads the session; asks for the token first where one is needed.
export async function openSession() {
    for (;;) {
        try {
            current = await get("/v1/session");
            if (!current.needsToken || current.role) return current;
        } catch (error) {
            if (error.status !== 401) throw error;
        }
        await askForToken();
    }
}

let asking = null;

// Shows the token's form until a token fits. Several callers share one form.
export function askForToken() {
    asking ??= new Promise((resolve) => show(resolve)).finally(() => { asking = null; });
    return asking;
}

function show(resolve) {
    const input = element("input", { type: "password", id: "token", name: "token", autocomplete: "current-password", required: true });
    const problem = element("p", { class: "problem", role: "alert" });
    const form = element("form", { class: "sheet", method: "dialog" },
        element("h2", { id: "token-title" }, "Sign in to Rawmill"),
        element("p", { class: "quiet" }, "Ask the person who runs this server for a token. It is stored in a cookie for this page only."),
        element("label", { for: "token" }, "Token"),
        input, problem,
        element("div", { class: "actions" }, button("Sign in", () => {}, { type: "submit", class: "primary" })));
    const dialog = element("dialog", { "aria-labelledby": "token-title" }, form);
    dialog.addEventListener("cancel", (event) => event.preventDefault());
    form.addEventListener("submit", async (event) => {
        event.preventDefault();
        problem.textContent = "";
        try {
            await post("/v1/session", { token: input.value });
            dialog.close();
            dialog.remove();
            resolve();
        } catch (error) {
            problem.textContent = error.status === 401 || error.status === 403 ? "The token is not valid." : error.message;
            input.select();
        }
    });
    document.body.append(dialog);
    dialog.showModal();
}
