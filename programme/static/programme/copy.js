// Copies links that are to be handed over: a button after each, where the browser lets a page copy.

const { copy, copied } = document.querySelector("[data-copy]")?.dataset ?? {};

for (const link of navigator.clipboard ? document.querySelectorAll("code.link, .made input") : []) {
    const button = Object.assign(document.createElement("button"), { type: "button", className: "button" });
    button.textContent = copy;
    button.addEventListener("click", async () => {
        await navigator.clipboard.writeText(link.value ?? link.textContent);
        button.textContent = copied;
    });
    link.after(" ", button);
}
