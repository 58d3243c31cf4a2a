"""Words that Swedish and English passwords are made of, and rows of keys, for `password_rules`."""

KEYBOARD_ROWS = (
    "1234567890",
    "qwertyuiopå",
    "asdfghjklöä",
    "zxcvbnm",
    "1qaz2wsx3edc4rfv",
    "abcdefghijklmnopqrstuvwxyzåäö",
)

_SEASONS = (
    "vinter vår sommar höst winter spring summer autumn jul julen påsk påsken midsommar valborg nyår semester"
)
_MONTHS = """
    januari februari mars april juni juli augusti september oktober november december january february march
    june july august october
"""
_DAYS = """
    måndag tisdag onsdag torsdag fredag lördag söndag monday tuesday wednesday thursday friday saturday sunday
    idag imorgon helg weekend
"""
_PASSWORDS = """
    lösenord losenord lösen losen hemlig hemligt hemlis password passwort passord secret welcome välkommen
    valkommen admin administrator inloggning logga login user användare användarnamn editor redaktör redaktor
    guest gäst test testar tester changeme letmein access master root server dator datorn computer internet
    wifi standard default temp tillfällig
"""
_FESTIVALS = """
    festival festivalen festivaler program programme programmet programpunkt konsert konserten scen scenen
    stage music musik musiken kultur kulturen kulturnatt kulturnatten teater dans pride stad staden stadens
    parken event evenemang biljett biljetter artist artister vecka veckan kväll natten
"""
_PLACES = """
    sverige sweden swedish svensk svenska stockholm göteborg goteborg malmö malmo uppsala linköping linkoping
    västerås vasteras örebro orebro helsingborg norrköping norrkoping jönköping jonkoping umeå umea lund borås
    boras gävle gavle sundsvall karlstad växjö vaxjo halmstad kalmar visby gotland luleå lulea europe europa
    norge danmark finland
"""
_PEOPLE = """
    anna maria eva karin kristina lars anders johan erik karl emma elin sara linnea sofia alexander oscar
    oskar william lucas elias hugo oliver liam alice maja vera ella wilma astrid mamma pappa familj familjen
    barn barnen bebis kärlek karlek älskling alskling älskar alskar hjärta hjarta vänner love lovely iloveyou
    sunshine princess prinsessa
"""
_LIKED = """
    hund hunden katt katten häst hästen fotboll football hockey djurgården djurgarden hammarby allsvenskan
    liverpool arsenal chelsea superman batman pokemon minecraft starwars fisken blomma blommor solen sommaren
    havet skogen kaffe choklad kanelbulle godis pizza glass
"""
_COLOURS = "röd grön blå gul svart vit rosa lila guld silver green blue yellow black white purple orange"
_SMALL = "detta inte mitt bästa hejhej hejsan hello tjena alla till från with this that mycket bara också"

_GROUPS = (_SEASONS, _MONTHS, _DAYS, _PASSWORDS, _FESTIVALS, _PLACES, _PEOPLE, _LIKED, _COLOURS, _SMALL)

WORDS = tuple(word for group in _GROUPS for word in group.split())
