// Keeps a colour's code and the picker beside it the same.

const CODE = /^#[0-9a-f]{6}$/i;

document.addEventListener("input", ({ target }) => {
    const [code, picker] = target.closest(".color")?.querySelectorAll("input") ?? [];
    if (target === picker) {
        code.value = picker.value;
    } else if (picker && CODE.test(code.value.trim())) {
        picker.value = code.value.trim();
    }
});
