// Keeps a colour's code and the picker beside it the same.

const CODE = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i;

document.addEventListener("input", ({ target }) => {
    const [code, picker] = target.closest(".color")?.querySelectorAll("input") ?? [];
    if (target === picker) {
        code.value = picker.value;
    } else if (picker) {
        const [, digits] = CODE.exec(code.value.trim()) ?? [];
        if (digits) picker.value = `#${digits.length === 3 ? digits.replace(/./g, "$&$&") : digits}`;
    }
});
