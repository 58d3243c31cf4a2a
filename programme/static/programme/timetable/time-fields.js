// Two fields for clock times, start and end, which stand for a minute of the day and a length.

import { readTimes } from "../times.js";
import { CLOCK_OR_MINUTES, DAY, findMinute, formatClock, parseClock, parseEnd } from "./clock.js";
import { day } from "./day.js";
import { announce, texts } from "./messages.js";

const isInvalid = (field) => field.getAttribute("aria-invalid") === "true";

/** Return the minute of a start; early hours may be those of the night after. */
function parseStart(text) {
    const clock = parseClock(text);
    return clock === null ? null : findMinute(clock < day.first ? clock + DAY : clock);
}

export class TimeFields {
    /** `onChange` is called with the minute and the length, whenever both fields can be read. */
    constructor(start, end, onChange) {
        Object.assign(this, { start, end, onChange });
        for (const field of [start, end]) {
            field.addEventListener("change", () => {
                this.reading = Promise.all([this.reading, this.#spell(field)]);
            });
        }
    }

    /** Write `18h30` as 18:30, and of `18-20` both; then take over what was typed. */
    async #spell(field) {
        const { value } = field;
        const isStart = field === this.start;
        const minute = isStart ? parseClock(value) : parseEnd(value, 0, texts.span);
        if (minute === null && value.trim() && !CLOCK_OR_MINUTES.test(value)) {
            const times = await readTimes(value, texts.times);
            if (times.length === 1) {
                [field.value] = times;
            } else if (isStart && times.length) {
                [this.start.value, this.end.value] = times;
            }
        }
        this.read();
    }

    show({ minute, minutes }) {
        Object.assign(this, { minute, minutes });
        this.start.value = this.shownStart = formatClock(minute);
        this.end.value = this.shownEnd = formatClock(minute + minutes);
        for (const field of [this.start, this.end]) {
            field.setAttribute("aria-invalid", "false");
        }
    }

    /**
     * Take over what was typed, and return whether it could be read; otherwise `refusal` says how to write it.
     * The length stays unless an end was typed; one at or before the start is in the night after.
     */
    read() {
        const { start, end } = this;
        const begins = start.value === this.shownStart ? this.minute : parseStart(start.value);
        // What lasts for days keeps its length.
        const minutes = end.value === this.shownEnd ? this.minutes : parseEnd(end.value, begins, texts.span);
        start.setAttribute("aria-invalid", String(begins === null));
        end.setAttribute("aria-invalid", String(minutes === null));
        if (begins === null || minutes === null) {
            this.refusal = begins === null ? texts.clock : texts.end;
            announce(this.refusal);
            return false;
        }
        const isChanged = begins !== this.minute || minutes !== this.minutes;
        this.show({ minute: begins, minutes });
        if (isChanged) {
            this.onChange(this);
        }
        return true;
    }

    /** Say beside the field that cannot be read how to write it. */
    explain() {
        const field = [this.start, this.end].find(isInvalid);
        field.setCustomValidity(this.refusal);
        field.reportValidity();
    }

    /** Return whether both can be read; otherwise lead to the one that cannot. */
    async check() {
        await this.reading;
        const isRead = this.read();
        [this.start, this.end].find(isInvalid)?.focus();
        return isRead;
    }
}
