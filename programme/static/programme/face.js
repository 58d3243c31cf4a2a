// Shows the festival's pages as they will be with what is typed into its form, which is not saved.

const DELAY = 300;
const face = document.querySelector(".face");
const form = face?.closest("form");
const frame = face?.querySelector("iframe");
let last = 0;
let timer;

/** Say beside a colour what stands where it could not be read. */
function showNotes(notes) {
    form.querySelectorAll(".face-note").forEach((each) => each.remove());
    for (const [name, text] of Object.entries(notes)) {
        const note = Object.assign(document.createElement("div"), {
            className: "help face-note",
            textContent: text,
        });
        note.setAttribute("role", "status");
        const box = document.getElementById(`id_${name}`)?.closest(".fieldBox, .form-row");
        // After a refused save it stands there.
        if (!box?.textContent.includes(text)) box?.append(note);
    }
}

async function show() {
    const body = new FormData(form);
    const own = [];
    for (const [name, value] of [...body]) {
        if (value instanceof File) {
            body.delete(name);
            if (value.size) {
                // A picture is shown from where it is: it is sent when it is saved.
                body.set(`chosen-${name}`, "on");
                own.push([`https://chosen.invalid/${name}`, URL.createObjectURL(value)]);
            }
        }
    }
    last += 1;
    const mine = last;
    const response = await fetch(face.dataset.url, { method: "POST", body }).catch(() => null);
    const { page, notes } = response?.ok ? await response.json() : {};
    if (mine !== last) return;
    if (notes) showNotes(notes);
    if (!page) return;
    const top = frame.contentWindow?.scrollY ?? 0;
    const nonced = page.replaceAll("<style>", `<style nonce="${face.dataset.nonce}">`);
    frame.addEventListener("load", () => frame.contentWindow.scrollTo(0, top), { once: true });
    frame.srcdoc = own.reduce((text, [from, to]) => text.replaceAll(from, to), nonced);
}

if (face) {
    face.hidden = false;
    form.addEventListener("input", () => {
        clearTimeout(timer);
        timer = setTimeout(show, DELAY);
    });
    show();
}
