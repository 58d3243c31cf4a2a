// JavaScript: modules, which are strict and make no globals.

import js from "@eslint/js";
import globals from "globals";

// Browsers of the last four years run the scripts, so there is nothing in them of 2023 and later: no syntax after
// ES2022, and none of these.
const STATIC = {
    AbortSignal: ["any"],
    Array: ["fromAsync"],
    Map: ["groupBy"],
    Object: ["groupBy"],
    Promise: ["try", "withResolvers"],
    URL: ["canParse", "parse"],
};
const METHODS = [
    ...[
        "findLast",
        "findLastIndex",
        "toReversed",
        "toSorted",
        "toSpliced",
        "with",
        "isWellFormed",
        "toWellFormed",
    ],
    ...["union", "intersection", "difference", "symmetricDifference", "isSubsetOf", "isSupersetOf"],
    ...[
        "isDisjointFrom",
        "drop",
        "take",
        "toArray",
        "transfer",
        "checkVisibility",
        "togglePopover",
        "getSetCookie",
    ],
];
const NEWER = [
    [
        `CallExpression > MemberExpression[property.type=Identifier][property.name=/^(${METHODS.join("|")})$/]`,
        "It is of 2023 or later.",
    ],
    [
        "MemberExpression[object.name=/query|params/i][property.name=size]",
        "Addresses' parameters got it in 2023.",
    ],
    ["MemberExpression[property.name=/^(aria[A-Z].*|role)$/]", "Firefox got it in 2023: set the attribute."],
    ["Property[key.name=/^(aria[A-Z].*|role)$/]", "Firefox got it in 2023: set the attribute."],
];

export default [
    { ignores: ["**/node_modules/", ".venv/", ".venv-debian/", "var/"] },
    js.configs.recommended,
    {
        languageOptions: { ecmaVersion: 2022 },
        linterOptions: { reportUnusedDisableDirectives: "error" },
        rules: {
            "consistent-return": "error",
            eqeqeq: "error",
            "no-implicit-globals": "error",
            "no-restricted-globals": ["error", "event", "name"],
            "no-restricted-properties": [
                "error",
                ...Object.entries(STATIC).flatMap(([object, names]) =>
                    names.map((property) => ({ object, property })),
                ),
            ],
            "no-restricted-syntax": ["error", ...NEWER.map(([selector, message]) => ({ selector, message }))],
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
