/* Asks what to look at in the event while it is written, and says it at the top and beside each field. */
window.addEventListener("load", () => {
    const all = document.getElementById("warnings");
    const form = all?.closest("form");
    if (!form) {
        return;
    }
    const rest = 600;
    let waiting = 0;
    let asking = null;

    /** Return what is told at the top: the field's name and the text. */
    function told() {
        return [...all.querySelectorAll("li")].map((item) => ({
            field: item.dataset.field,
            text: item.lastChild.textContent.replace(/^: /, ""),
        }));
    }

    function list(texts) {
        const beside = document.createElement("ul");
        beside.className = "warned";
        for (const text of texts) {
            beside.append(Object.assign(document.createElement("li"), { textContent: text }));
        }
        return beside;
    }

    /** Put all that is told of one row, or of one field, beside it. */
    function place() {
        form.querySelectorAll("tr.row-warnings, ul.warned").forEach((old) => old.remove());
        const places = new Map();
        for (const { field, text } of told()) {
            const input = document.getElementById(`id_${field}`);
            const where = input?.closest("tr.form-row, .fieldBox, .form-row");
            if (where) {
                places.set(where, [...(places.get(where) ?? []), text]);
            }
        }
        for (const [where, texts] of places) {
            if (where.matches("tr")) {
                const row = Object.assign(document.createElement("tr"), { className: "row-warnings" });
                row.append(Object.assign(document.createElement("td"), { colSpan: where.cells.length }));
                row.firstChild.append(list(texts));
                where.after(row);
            } else {
                where.append(list(texts));
            }
        }
    }

    /** Write what is told anew, unless it is the same: what is written there is read out. */
    function tell(warnings) {
        const items = warnings.map(({ field, of, text }) => {
            const item = document.createElement("li");
            item.dataset.field = field;
            const link = Object.assign(document.createElement("a"), { href: `#id_${field}`, textContent: of });
            item.append(link, `: ${text}`);
            return item;
        });
        const before = [...all.querySelectorAll("li")].map((item) => item.dataset.field + item.textContent);
        if (before.join() !== items.map((item) => item.dataset.field + item.textContent).join()) {
            all.replaceChildren();
            if (items.length) {
                const found = document.createElement("ul");
                found.append(...items);
                all.append(document.getElementById("warnings-words").content.cloneNode(true), found);
            }
        }
        place();
    }

    async function ask() {
        asking?.abort();
        asking = new AbortController();
        const written = new FormData(form);
        form.querySelectorAll("input[type=file]").forEach((input) => written.delete(input.name));
        try {
            const answer = await fetch(all.dataset.asked, {
                method: "POST",
                body: new URLSearchParams(written),
                signal: asking.signal,
            });
            if (answer.ok) {
                tell((await answer.json()).warnings);
            }
        } catch (away) {
            // It is told again after saving.
        }
    }

    function askSoon() {
        clearTimeout(waiting);
        waiting = setTimeout(ask, rest);
    }

    place();
    // Of Django's own, because what is searched for tells of its changes to it alone.
    window.django.jQuery(form).on("input change", askSoon);
    document.addEventListener("formset:removed", askSoon);
});
