/* The timetable: occasions are dragged, or moved by the keyboard, to another time or room; with undo.
   Without this script the page is read, and each occasion leads to its form. */
"use strict";
{
    const STEP = 5;
    const HOUR = 60;
    const DAY = 24 * HOUR;
    const texts = JSON.parse(document.getElementById("timetable-texts").textContent);
    const told = document.getElementById("told");

    const pad = (number) => String(number).padStart(2, "0");
    const clock = (minute) => `${pad(Math.floor((((minute % DAY) + DAY) % DAY) / HOUR))}:${pad(((minute % HOUR) + HOUR) % HOUR)}`;
    const within = (low, value, high) => Math.min(Math.max(value, low), high);
    /** Tell it to who does not see the screen. */
    const tell = (text) => {
        told.textContent = text;
    };

    // --- The day on the screen: replaced as a whole after each move -------------------------

    const day = {
        get root() {
            return document.getElementById("timetable");
        },
        get scroller() {
            return this.root.querySelector(".scroller");
        },
        get body() {
            return this.root.querySelector(".body");
        },
        get begins() {
            return Number(this.root.dataset.begins);
        },
        get ends() {
            return Number(this.root.dataset.ends);
        },
        /** The first and the last minute at which an occasion of the day may begin. */
        get first() {
            return Number(this.root.dataset.day);
        },
        get last() {
            return this.first + DAY - STEP;
        },
        get isList() {
            const heads = this.root.querySelector(".heads");
            return !heads || heads.offsetParent === null;
        },
        get columns() {
            return [...this.root.querySelectorAll(".rooms .head")];
        },
        column(key) {
            return this.columns.find((head) => head.dataset.column === key);
        },
        label(key) {
            const option = [...document.getElementById("moving-room").options].find((each) => each.value === key);
            return option ? option.text : "";
        },
        /** What is on or comes next, if the day is today and the list does not begin with it. */
        get next() {
            return this.occasion(this.root.dataset.next);
        },
        occasion(id) {
            return this.root.querySelector(`.occasion[data-occasion="${id}"]`);
        },
        minutes(pixels) {
            return (pixels / this.body.clientHeight) * (this.ends - this.begins);
        },
        replace(html) {
            const before = this.scroller;
            const [top, left] = before ? [before.scrollTop, before.scrollLeft] : [0, 0];
            this.root.outerHTML = html;
            if (this.scroller) {
                this.scroller.scrollTo(left, top);
            }
            prepare();
        },
    };

    const titleOf = (item) => item.querySelector("strong").textContent.trim();

    /** What an occasion is like before it is moved. */
    const read = (item) => ({
        id: item.dataset.occasion,
        seen: item.dataset.seen,
        title: titleOf(item),
        minute: Number(item.dataset.minute),
        minutes: Number(item.dataset.minutes),
        column: item.dataset.column,
        // Above the hours the height of a drop says nothing.
        long: item.closest(".long") !== null,
        // What began before the day keeps its time.
        keepsTime: Number(item.dataset.minute) < day.first,
        item,
    });

    // --- Where it would be -------------------------------------------------------------------

    const shadow = {
        element: null,
        show(moving) {
            if (day.isList) {
                return;
            }
            if (!this.element) {
                this.element = document.createElement("li");
                this.element.className = "shadow";
                this.element.setAttribute("aria-hidden", "true");
            }
            const list = moving.long ? day.root.querySelector(".long ol") : day.body.querySelector("ol");
            list.append(this.element);
            const head = day.column(moving.column);
            const style = this.element.style;
            style.left = head ? head.style.left : "";
            style.width = head ? head.style.width : "";
            const top = Math.max(moving.minute, day.begins);
            const height = moving.minute + moving.minutes - top;
            style.top = moving.long ? "2px" : `${((top - day.begins) / (day.ends - day.begins)) * 100}%`;
            style.height = moving.long ? "" : `${(height / (day.ends - day.begins)) * 100}%`;
            this.element.textContent = `${clock(moving.minute)}–${clock(moving.minute + moving.minutes)} ${day.label(moving.column)}`;
            moving.item.classList.add("moving");
        },
        hide() {
            this.element?.remove();
            day.root.querySelector(".occasion.moving")?.classList.remove("moving");
        },
    };

    // --- Saving, and taking back -------------------------------------------------------------

    const said = {
        box: document.getElementById("said"),
        show(text, { refused = false, undo = false } = {}) {
            this.box.hidden = false;
            this.box.classList.toggle("refused", refused);
            this.box.querySelector("span").textContent = text;
            this.box.querySelector("button").hidden = !undo;
        },
    };

    const done = [];
    let busy = false;

    const post = async (fields) => {
        const form = new FormData(document.getElementById("moving"));
        for (const [name, value] of Object.entries(fields)) {
            form.set(name, value);
        }
        const response = await fetch(window.location.href, { method: "POST", body: form, redirect: "manual" });
        const isOurs = (response.headers.get("Content-Type") || "").startsWith("application/json");
        return [response.ok, isOurs ? await response.json() : null];
    };

    /** Save a move or take one back; the day on the screen is then as the service has it. */
    const save = async (fields, { focus = true } = {}) => {
        busy = true;
        said.show(texts.saving);
        try {
            const [saved, answer] = await post(fields);
            if (!answer) {
                said.show(texts.out, { refused: true });
                return;
            }
            day.replace(answer.html);
            if (fields.undo) {
                done.pop();
            } else if (saved) {
                done.push({ occasion: answer.occasion, seen: answer.seen, undo: answer.undo });
            }
            said.show(answer.said, { refused: !saved, undo: done.length > 0 });
            shine(day.occasion(fields.occasion), focus);
        } catch {
            said.show(texts.away, { refused: true, undo: done.length > 0 });
        } finally {
            busy = false;
            shadow.hide();
        }
    };

    const undo = () => {
        if (busy) {
            return;
        }
        if (done.length) {
            save(done.at(-1));
        } else {
            tell(texts.nothing);
        }
    };

    /** Draw the eye to what was moved, and the keyboard if it was there. */
    const shine = (item, focus) => {
        if (!item) {
            return;
        }
        item.classList.add("moved");
        item.scrollIntoView({ block: "nearest", inline: "nearest" });
        if (focus) {
            item.querySelector("a").focus({ preventScroll: true });
        }
    };

    const putDown = (from, to) => {
        const fields = { occasion: from.id, seen: from.seen };
        if (to.minute !== from.minute) {
            fields.minute = to.minute;
        }
        if (to.column !== from.column) {
            fields.column = to.column;
        }
        if (fields.minute === undefined && fields.column === undefined) {
            shadow.hide();
            tell(texts.left);
            return;
        }
        save(fields);
    };

    // --- By keyboard, or in the bar below ----------------------------------------------------

    const bar = {
        form: document.getElementById("moving"),
        time: document.getElementById("moving-time"),
        room: document.getElementById("moving-room"),
        from: null,
        to: null,
        begin(item) {
            if (!item.classList.contains("movable")) {
                tell(texts.fixed);
                return;
            }
            this.stop();
            this.from = read(item);
            this.to = { ...this.from };
            this.form.hidden = false;
            document.getElementById("moving-title").textContent = this.from.title;
            this.time.disabled = this.from.keepsTime;
            this.show();
            tell(`${this.from.title}. ${texts.moving}`);
            if (day.isList) {
                this.time.focus();
            }
        },
        show() {
            this.time.value = clock(this.to.minute);
            this.room.value = this.to.column;
            shadow.show(this.to);
            shadow.element?.scrollIntoView({ block: "nearest", inline: "nearest" });
        },
        say() {
            tell(`${clock(this.to.minute)}, ${day.label(this.to.column)}`);
        },
        later(minutes) {
            if (!this.time.disabled) {
                const minute = Math.round((this.to.minute + minutes) / STEP) * STEP;
                this.to.minute = within(day.first, minute, day.last);
            }
        },
        aside(by) {
            const keys = day.columns.map((head) => head.dataset.column);
            const at = keys.indexOf(this.to.column);
            this.to.column = keys[within(0, at + by, keys.length - 1)] ?? this.to.column;
        },
        /** Take over what stands in the fields; return whether it is a time. */
        typed() {
            this.to.column = this.room.value;
            const [, hour, minute] = /^\s*(?:kl\.?\s*)?(\d{1,2})(?:[:.]?(\d{2}))?\s*$/i.exec(this.time.value) || [];
            const typed = Number(hour) * HOUR + Number(minute || 0);
            const isTime = Number(hour) < 24 && Number(minute || 0) < HOUR;
            this.time.setAttribute("aria-invalid", String(!isTime));
            if (isTime && !this.time.disabled) {
                this.to.minute = typed < day.first ? typed + DAY : typed;
            }
            return isTime;
        },
        stop() {
            this.form.hidden = true;
            shadow.hide();
            this.from = null;
        },
        letGo() {
            const item = this.from.item;
            this.stop();
            tell(texts.left);
            item.querySelector("a").focus();
        },
        put() {
            const { from, to } = this;
            this.stop();
            putDown(from, to);
        },
        /** Return whether the key was one that moves. */
        key(event) {
            const far = event.shiftKey ? HOUR : STEP;
            const keys = {
                ArrowUp: () => this.later(-far),
                ArrowDown: () => this.later(far),
                ArrowLeft: () => this.aside(-1),
                ArrowRight: () => this.aside(1),
            };
            if (keys[event.key]) {
                keys[event.key]();
                this.show();
                this.say();
            }
            return event.key in keys;
        },
    };

    bar.form.addEventListener("submit", (event) => {
        event.preventDefault();
        if (bar.typed()) {
            bar.put();
        } else {
            tell(texts.clock);
            bar.time.focus();
        }
    });
    bar.form.querySelector(".let").addEventListener("click", () => bar.letGo());
    for (const field of [bar.time, bar.room]) {
        field.addEventListener("change", () => {
            if (bar.typed()) {
                bar.show();
                bar.say();
            } else {
                tell(texts.clock);
            }
        });
    }
    said.box.querySelector("button").addEventListener("click", undo);

    const isTyping = (target) => target.closest("input, select, textarea") !== null;

    document.addEventListener("keydown", (event) => {
        const item = event.target.closest(".occasion");
        if (bar.from && event.key === "Escape") {
            bar.letGo();
        } else if (bar.from && item && event.key === "Enter") {
            bar.put();
        } else if (bar.from && item && bar.key(event)) {
            // Done.
        } else if (item && !bar.from && !busy && event.key.toLowerCase() === "m" && !event.ctrlKey && !event.metaKey && !event.altKey) {
            bar.begin(item);
        } else if ((event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === "z" && !isTyping(event.target)) {
            undo();
        } else {
            return;
        }
        event.preventDefault();
    });

    // --- By mouse and touch ------------------------------------------------------------------

    const drag = {
        from: null,
        to: null,
        /** A finger scrolls, unless it takes the handle; a mouse takes hold of the whole. */
        take(event) {
            const item = event.target.closest(".occasion.movable");
            const handle = event.target.closest(".mover");
            const isMouse = event.pointerType === "mouse";
            if (!item || busy || bar.from || day.isList || event.button !== 0 || (!isMouse && !handle)) {
                return;
            }
            this.from = read(item);
            this.at = [event.clientX, event.clientY];
            this.under = this.height(event);
        },
        height(event) {
            return day.minutes(event.clientY - day.body.getBoundingClientRect().top);
        },
        go(event) {
            if (!this.from) {
                return;
            }
            this.last = event;
            if (!this.to && Math.hypot(event.clientX - this.at[0], event.clientY - this.at[1]) > 4) {
                this.to = { ...this.from };
                document.body.classList.add("dragging");
                this.roll();
            }
            if (this.to) {
                event.preventDefault();
                this.follow(event);
            }
        },
        follow(event) {
            if (!this.from.long && !this.from.keepsTime) {
                const minute = this.from.minute + this.height(event) - this.under;
                const last = Math.min(day.last, day.ends - STEP);
                this.to.minute = within(Math.max(day.first, day.begins), Math.round(minute / STEP) * STEP, last);
            }
            const over = day.columns.find((head) => {
                const box = head.getBoundingClientRect();
                return box.left <= event.clientX && event.clientX < box.right;
            });
            this.to.column = over ? over.dataset.column : this.to.column;
            shadow.show(this.to);
        },
        /** Scroll while the pointer is near an edge of the table. */
        roll() {
            if (!this.to) {
                return;
            }
            const box = day.scroller.getBoundingClientRect();
            // Not right away where it was taken hold of near an edge.
            const push = (low, from, at, high) => {
                if (at < low + 40 && at < from) {
                    return -12;
                }
                return at > high - 40 && at > from ? 12 : 0;
            };
            const [x, y] = [
                push(box.left + 56, this.at[0], this.last.clientX, box.right),
                push(box.top + 56, this.at[1], this.last.clientY, Math.min(box.bottom, window.innerHeight)),
            ];
            if (x || y) {
                day.scroller.scrollBy(x, this.from.long ? 0 : y);
                this.follow(this.last);
            }
            window.requestAnimationFrame(() => this.roll());
        },
        drop() {
            const { from, to } = this;
            this.stop();
            if (to) {
                // The click that follows does not open the form.
                const swallow = (event) => event.preventDefault();
                window.addEventListener("click", swallow, { capture: true });
                window.setTimeout(() => window.removeEventListener("click", swallow, { capture: true }), 0);
                putDown(from, to);
            }
        },
        stop() {
            this.from = this.to = null;
            document.body.classList.remove("dragging");
        },
    };

    document.addEventListener("pointerdown", (event) => drag.take(event));
    document.addEventListener("pointermove", (event) => drag.go(event));
    document.addEventListener("pointerup", () => drag.drop());
    document.addEventListener("pointercancel", () => {
        drag.stop();
        shadow.hide();
    });
    document.addEventListener(
        "keydown",
        (event) => {
            if (drag.to && event.key === "Escape") {
                drag.stop();
                shadow.hide();
                tell(texts.left);
                event.stopImmediatePropagation();
            }
        },
        { capture: true },
    );
    document.addEventListener("click", (event) => {
        const handle = event.target.closest(".mover");
        if (handle && !busy) {
            const item = handle.closest(".occasion");
            bar.begin(item);
            if (!day.isList) {
                item.querySelector("a").focus({ preventScroll: true });
            }
        }
    });

    // --- The page ----------------------------------------------------------------------------

    /** Give what can be moved its handle, which a day of thousands is not sent with. */
    const prepare = () => {
        for (const item of day.root.querySelectorAll(".movable")) {
            const handle = document.createElement("button");
            handle.type = "button";
            handle.className = "mover";
            handle.tabIndex = -1;
            handle.title = texts.handle;
            handle.setAttribute("aria-label", texts.move.replace("%(title)s", () => titleOf(item)));
            const link = item.querySelector("a");
            link.draggable = false;
            link.setAttribute("aria-keyshortcuts", "M");
            item.append(handle);
        }
        day.next?.setAttribute("data-now", `${texts.now} ${clock(Number(day.root.dataset.now))}`);
    };

    const isBack = performance.getEntriesByType("navigation")[0]?.type !== "navigate";
    const isStill = window.matchMedia("(prefers-reduced-motion: reduce)").matches;

    /** Show the present, or what the day begins with, without moving anything that was seen already. */
    const open = () => {
        if (day.isList) {
            // Who comes back finds the list where it was left.
            if (!isBack) {
                day.next?.scrollIntoView({ block: "start", behavior: isStill ? "instant" : "smooth" });
            }
            return;
        }
        const first = day.root.querySelector(".now") ?? day.occasion(day.root.dataset.opens);
        if (first && !document.body.classList.contains("on-paper")) {
            const above = day.root.querySelector(".heads").offsetHeight + 60;
            day.scroller.scrollTop = first.offsetTop + day.body.offsetTop - above;
        }
    };

    document.addEventListener("pointerover", (event) => {
        const link = event.target.closest?.(".occasion > a:not([title])");
        if (link) {
            const told = [".when", "strong", ".where", ".with"].map((part) => link.querySelector(part)?.textContent.trim());
            link.title = told.filter(Boolean).join("\n");
        }
    });

    prepare();
    document.querySelector(".days [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
    open();
    document.querySelector(".choices").addEventListener("change", (event) => event.currentTarget.requestSubmit());
}
