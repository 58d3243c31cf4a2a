// Two fields for clock times, start and end, which stand for a minute of the day and a length; the server reads them.

import { formatClock } from "./clock.js";
import { announce, texts } from "./messages.js";

const NAMES = ["start", "end"];
// Milliseconds after which a start that is being typed is read.
const TYPING = 250;

export class TimeFields {
    #reading = Promise.resolve();
    // What was in the fields when they were read, and what stands for the minute and the length.
    #seen = [];
    #shown = [];

    /** `onChange` is called with the minute and the length that were read. */
    constructor(fields, onChange) {
        Object.assign(this, { fields, onChange });
        fields.forEach((field) => field.addEventListener("change", () => this.read()));
        let typing = 0;
        fields[0].addEventListener("input", () => {
            clearTimeout(typing);
            typing = setTimeout(() => (this.#reading = this.#reading.then(() => this.#follow())), TYPING);
        });
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

    async #send(typed) {
        const asked = new URLSearchParams([["minute", this.minute], ["minutes", this.minutes], ...typed]);
        const response = await fetch(`?${asked}`, { redirect: "manual" }).catch(() => null);
        const away = response?.type === "opaqueredirect" ? texts.out : texts.away;
        return response?.ok ? response.json() : { refused: away };
    }

    /** Show the end of a start that is being typed, unless an end is typed; both are read when that is done. */
    async #follow() {
        const [start, end] = this.fields;
        if (end.value !== this.#shown[1]) {
            return;
        }
        const { refused, minute, minutes } = await this.#send([["start", start.value]]);
        if (!refused && end.value === this.#shown[1]) {
            end.value = this.#seen[1] = this.#shown[1] = formatClock(minute + minutes);
        }
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
        const { name, refused, ...read } = await this.#send(typed);
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
