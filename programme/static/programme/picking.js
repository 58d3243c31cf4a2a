// Boxes that put an event or an occasion on a list as soon as they are ticked, without leaving the form.

const section = document.getElementById("picking");

async function save(box) {
    const form = new FormData(box.form);
    form.set("list", box.value);
    form.set("listed", box.checked ? "1" : "");
    const response = await fetch(box.form.action, { method: "POST", body: form, redirect: "manual" });
    return response.status === 204;
}

section?.addEventListener("change", async ({ target }) => {
    const isSaved = await save(target).catch(() => false);
    section.querySelector("[role=status]").textContent = isSaved ? "" : section.dataset.failed;
    if (!isSaved) {
        target.checked = !target.checked;
    }
});
