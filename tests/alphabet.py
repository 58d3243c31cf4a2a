"""Names in the order of the Swedish alphabet."""

SWEDISH = [
    *("Aalto", "apan", "Écran", "Eken", "Zebran", "Ådalen", "Ågården", "Älven", "Ängen", "Ærø", "Øland"),
    "Östra",
]
