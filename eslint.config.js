// JavaScript: modules, which are strict and make no globals.

import js from "@eslint/js";
import globals from "globals";

export default [
    { ignores: ["**/node_modules/", ".venv/", "var/", "pages/static/pages/snowball.js"] },
    js.configs.recommended,
    {
        linterOptions: { reportUnusedDisableDirectives: "error" },
        rules: {
            "consistent-return": "error",
            eqeqeq: "error",
            "no-implicit-globals": "error",
            "no-restricted-globals": ["error", "event", "name"],
            "no-shadow": "error",
            "no-var": "error",
            "object-shorthand": "error",
            "prefer-const": ["error", { destructuring: "all" }],
            "prefer-template": "error",
            strict: ["error", "safe"],
        },
    },
    {
        files: [
            ...["festival/accounts/static/**", "programme/static/**", "pages/static/**"],
            "pages/parts/component.js",
        ],
        languageOptions: { globals: globals.browser },
    },
    {
        // Not every browser takes a module for a service worker.
        files: ["pages/parts/worker.js"],
        languageOptions: {
            sourceType: "script",
            globals: { ...globals.serviceworker, SETTINGS: "readonly" },
        },
        rules: { strict: ["error", "global"], "no-implicit-globals": "off" },
    },
    { files: ["tests/consumers/*.js"], languageOptions: { globals: globals.node } },
    {
        files: ["tests/consumers/**/thunderbird.js"],
        languageOptions: {
            globals: Object.fromEntries(
                ["ChromeUtils", "NetUtil", "PORT", "Services", "user_pref"].map((each) => [each, "readonly"]),
            ),
        },
    },
];
