// Two fields for clock times, start and end, which stand for a minute of the day and a length; the server reads them.

import { formatClock } from "./clock.js";
import { announce, texts } from "./messages.js";

const NAMES = ["start", "end"];

export class TimeFields {
    #reading = Promise.resolve();
    // What was in the fields when they were read, and what stands for the minute and the length.
    #seen = [];
    #shown = [];

    /** `onChange` is called with the minute and the length that were read. */
    constructor(fields, onChange) {
        Object.assign(this, { fields, onChange });
        fields.forEach((field) => field.addEventListener("change", () => this.read()));
    }

    get #invalid() {
        return this.fields.find((field) => field.getAttribute("aria-invalid") === "true");
    }

    /** Forget what is typed. */
    clear() {
        this.#seen = this.fields.map((field) => field.value);
    }

    /** Show a span, but in a field in which one types. */
    show({ minute, minutes }) {
        Object.assign(this, { minute, minutes });
        this.#shown = [minute, minute + minutes].map(formatClock);
        this.fields.forEach((field, at) => {
            if (field.value === this.#seen[at]) {
                field.value = this.#seen[at] = this.#shown[at];
            }
            field.setAttribute("aria-invalid", "false");
        });
    }

    /** Take over what was typed, and return whether it could be read; otherwise `refusal` says how to write it. */
    read() {
        this.#reading = this.#reading.then(() => this.#ask());
        return this.#reading;
    }

    async #ask() {
        const { fields, minute, minutes } = this;
        this.clear();
        const typed = NAMES.map((name, at) => [name, this.#seen[at]]).filter(
            ([, value], at) => value !== this.#shown[at],
        );
        if (!typed.length) {
            return true;
        }
        const asked = new URLSearchParams([["minute", minute], ["minutes", minutes], ...typed]);
        const response = await fetch(`?${asked}`, { redirect: "manual" }).catch(() => null);
        const away = response?.type === "opaqueredirect" ? texts.out : texts.away;
        const { name, refused, ...read } = response?.ok ? await response.json() : { refused: away };
        if (refused) {
            this.refusal = refused;
            fields.forEach((field, at) => field.setAttribute("aria-invalid", NAMES[at] === name));
            this.#invalid?.setCustomValidity(refused);
            announce(refused);
            return false;
        }
        const isChanged = read.minute !== minute || read.minutes !== minutes;
        this.show(read);
        if (isChanged) {
            this.onChange(read);
        }
        return true;
    }

    /** Say beside the field that cannot be read how to write it. */
    explain() {
        this.#invalid?.reportValidity();
    }

    /** Return whether both can be read; otherwise lead to the one that cannot. */
    async check() {
        const isRead = await this.read();
        this.#invalid?.focus();
        return isRead;
    }
}
