/** The demo store in German: its departments, the sentences about their goods, and the names of the goods. */

interface DepartmentText {
  readonly name: string
  readonly description: string
  readonly promise: string
}

export const departmentsInGerman: Readonly<Record<string, DepartmentText>> = {
  home: { name: "Wohnen", description: "Dinge zum Wohnen.", promise: "Gemacht, um damit zu leben." },
  outdoor: { name: "Draußen", description: "Dinge für unterwegs.", promise: "Gemacht, um mitgenommen zu werden." },
  apparel: { name: "Kleidung", description: "Dinge zum Anziehen.", promise: "Gemacht, um lange getragen zu werden." },
  cookware: {
    name: "Kochgeschirr",
    description: "Töpfe, Pfannen und was daneben gehört.",
    promise: "Für Gas, Ceran und Induktion."
  },
  tableware: {
    name: "Geschirr",
    description: "Teller, Gläser und Besteck für jeden Tag.",
    promise: "Spülmaschinenfest und einzeln nachzukaufen."
  },
  bedding: {
    name: "Bettwaren",
    description: "Laken, Bezüge und Decken.",
    promise: "Aus langstapliger Baumwolle, schon einmal gewaschen."
  },
  lighting: {
    name: "Leuchten",
    description: "Lampen für Schreibtisch, Tisch und Ecke.",
    promise: "Für übliche Leuchtmittel, mit dem Schalter dort, wo die Hand ihn sucht."
  },
  storage: {
    name: "Aufbewahrung",
    description: "Kisten, Körbe und Regale.",
    promise: "Stapelbar und fertig montiert."
  },
  camping: {
    name: "Camping",
    description: "Zelte, Kocher und Schlafsäcke.",
    promise: "Klein verpackt und mit Bordmitteln zu flicken."
  },
  hiking: {
    name: "Wandern",
    description: "Rucksäcke, Stöcke und Flaschen.",
    promise: "Ohne Verpackung gewogen und ein Leben lang repariert."
  },
  cycling: {
    name: "Radfahren",
    description: "Licht, Taschen und Werkzeug fürs Fahrrad.",
    promise: "Passt ohne Werkzeug oder bringt es mit."
  },
  shirts: {
    name: "Hemden",
    description: "Hemden und Oberteile.",
    promise: "Vorgewaschen, mit fest angenähten Knöpfen."
  },
  knitwear: {
    name: "Strickwaren",
    description: "Pullover, Strickjacken und was den Hals wärmt.",
    promise: "Wo es geht in einem Stück gestrickt, aus Garn, dessen Herkunft wir kennen."
  },
  trousers: {
    name: "Hosen",
    description: "Lange und kurze Hosen.",
    promise: "Mit Zwickel geschnitten, und der Saum lässt sich auslassen."
  },
  accessories: {
    name: "Accessoires",
    description: "Mützen, Handschuhe, Gürtel und Taschen.",
    promise: "Von Hand fertiggestellt und in einer Schachtel geliefert, die man behält."
  },
  stationery: {
    name: "Schreibwaren",
    description: "Papier, Stifte und der Tisch, auf dem sie liegen.",
    promise: "Säurefreies Papier, und alles lässt sich nachfüllen."
  },
  garden: {
    name: "Garten",
    description: "Werkzeug, Töpfe und Samen.",
    promise: "Stiele aus Esche, geschmiedete Köpfe und lieferbare Ersatzteile."
  },
  bathroom: {
    name: "Bad",
    description: "Handtücher, Seife und die Ablage dazu.",
    promise: "Trocknet schnell und hinterlässt keinen Rand."
  },
  leisure: {
    name: "Spiele und Freizeit",
    description: "Spiele für Tisch, Rasen und Bahn.",
    promise: "Die Regeln passen auf eine Karte, und fehlende Teile lassen sich bestellen."
  }
}

/** `English = German`. The name of a series in front of a thing stays as it is. */
const words = `
skillet = Bratpfanne
saucepan = Stielkasserolle
stockpot = Suppentopf
casserole = Schmortopf
steamer basket = Dämpfeinsatz
grill pan = Grillpfanne
roasting tin = Bräter
griddle = Grillplatte
milk pan = Milchtopf
egg poacher = Eierpochierer
wok lid = Wokdeckel
wok = Wokpfanne
lasagne dish = Lasagneform
ramekin set = Auflaufförmchen
dinner plate = Speiseteller
side plate = Beilagenteller
pasta bowl = Pastateller
mug = Becher
water glass = Wasserglas
wine glass = Weinglas
carafe = Karaffe
dinner fork = Menügabel
table knife = Tafelmesser
soup spoon = Suppenlöffel
teaspoon set = Teelöffel-Set
serving bowl = Servierschüssel
platter = Servierplatte
butter dish = Butterdose
linen napkin pair = Leinenservietten, zwei
table runner = Tischläufer
percale duvet cover = Perkal-Bettbezug
percale fitted sheet = Perkal-Spannbettlaken
sateen duvet cover = Satin-Bettbezug
sateen flat sheet = Satin-Bettlaken
wool blanket = Wolldecke
cotton throw = Baumwollplaid
blackout curtain = Verdunkelungsvorhang
mattress protector = Matratzenschoner
desk lamp = Schreibtischlampe
clamp lamp = Klemmleuchte
table lamp = Tischlampe
floor lamp = Stehlampe
Wick lantern = Wick Windlicht
candle pair = Kerzenpaar
pendant small = Hängeleuchte klein
pendant large = Hängeleuchte groß
night light = Nachtlicht
bedside lamp = Nachttischlampe
wall lamp = Wandleuchte
picture light = Bilderleuchte
Crate small = Kiste klein
Crate medium = Kiste mittel
Crate large = Kiste groß
basket round = Korb rund
basket square = Korb eckig
laundry basket = Wäschekorb
wall shelf = Wandregal
Peg rail five = Hakenleiste mit fünf
Peg rail eight = Hakenleiste mit acht
Tin canister set = Vorratsdosen-Set
Tin bread bin = Brotkasten
tent two = Zelt für zwei
tent four = Zelt für vier
footprint two = Zeltunterlage für zwei
gas stove = Gaskocher
wood stove = Holzkocher
windshield = Windschutz
sleeping bag summer = Sommerschlafsack
sleeping bag winter = Winterschlafsack
silk liner = Seideninlett
sleeping mat = Isomatte
pillow = Kissen
cook set = Kochset
kettle = Kessel
spork pair = Göffel, zwei
head torch = Stirnlampe
Guyline lantern = Guyline Laterne
daypack = Tagesrucksack
trekking pack = Trekkingrucksack
rain cover = Regenhülle
trekking poles = Wanderstöcke
gaiters = Gamaschen
bottle cage = Flaschenhalter
bottle = Trinkflasche
flask = Thermosflasche
water filter = Wasserfilter
map case = Kartentasche
compass = Kompass
whistle = Pfeife
first aid kit = Erste-Hilfe-Set
repair kit = Flickset
blister plasters = Blasenpflaster
front light = Vorderlicht
rear light = Rücklicht
light set = Lichtset
Dynamo bell = Fahrradklingel
Dynamo mirror = Rückspiegel
Pannier roll = Radtasche Rolle
Pannier commuter = Radtasche Pendler
tool roll = Werkzeugrolle
multitool = Multiwerkzeug
pump = Luftpumpe
tyre levers = Reifenheber
lock plus = Schloss Plus
Velo cable = Velo Kabelschloss
Oxford shirt = Oxfordhemd
Poplin shirt = Popelinehemd
Linen shirt = Leinenhemd
Chambray shirt = Chambrayhemd
Flannel shirt = Flanellhemd
Heavy tee = Schweres T-Shirt
Light tee = Leichtes T-Shirt
Long-sleeved tee = Langarmshirt
Henley = Henley-Shirt
Polo = Poloshirt
Rugby shirt = Rugbyhemd
Guernsey jumper = Guernsey-Pullover
Lambswool crew = Lammwollpullover, runder Hals
Lambswool v-neck = Lammwollpullover, V-Ausschnitt
Merino base layer = Unterhemd aus Merino
Cotton cardigan = Baumwolljacke
Shawl cardigan = Strickjacke mit Schalkragen
Cable jumper = Zopfpullover
Rollneck = Rollkragenpullover
Straight chino = Chino, gerade
Tapered chino = Chino, schmal
Work trouser = Arbeitshose
Walking trouser = Wanderhose
Five-pocket jean = Jeans mit fünf Taschen
Linen trouser = Leinenhose
Corduroy trouser = Cordhose
Chino short = Chinoshorts
Swim short = Badeshorts
Watch cap = Fischermütze
Bobble hat = Bommelmütze
Sun hat = Sonnenhut
Flat cap = Schiebermütze
Lambswool scarf = Lammwollschal
Silk scarf = Seidentuch
Leather gloves = Lederhandschuhe
Knitted gloves = Strickhandschuhe
Bridle belt = Ledergürtel
Webbing belt = Stoffgürtel
Canvas tote = Einkaufstasche aus Segeltuch
Roll-top backpack = Rollrucksack
Card wallet = Kartenetui
Key loop = Schlüsselschlaufe
Umbrella = Regenschirm
Wool socks pair = Wollsocken
Field notebook plain = Notizbuch blanko
Field notebook ruled = Notizbuch liniert
Field notebook dotted = Notizbuch gepunktet
sketchbook = Skizzenbuch
diary = Kalender
fountain pen = Füller
ink bottle = Tintenglas
rollerball = Tintenroller
Graphite pencil dozen = Bleistifte, zwölf
Graphite sharpener = Anspitzer
Graphite eraser = Radiergummi
letter set = Briefset
wax and seal = Siegelwachs und Petschaft
Desk tray = Schreibtischablage
Desk blotter = Schreibunterlage
Desk paper knife = Brieföffner
Digging spade = Spaten
Border fork = Grabegabel
Hand trowel = Handschaufel
Hand fork = Handgabel
Dibber = Pflanzholz
Pruning shears = Gartenschere
Hedge shears = Heckenschere
Watering can = Gießkanne
Terracotta pot small = Tontopf klein
Terracotta pot large = Tontopf groß
Seed tin wildflowers = Samendose Wildblumen
Seed tin herbs = Samendose Kräuter
Seed tin salads = Samendose Salate
Kneeling pad = Kniekissen
Bird feeder = Vogelhaus
hand towel = Handtuch
bath towel = Badetuch
bath sheet = Saunatuch
bath mat = Badematte
Pumice soap bar = Bimssteinseife
Lather soap bar = Haferseife
soap dish = Seifenschale
shower curtain = Duschvorhang
curtain rings = Vorhangringe
tumbler = Zahnputzbecher
toothbrush stand = Zahnbürstenhalter
soap pump = Seifenspender
back brush = Rückenbürste
nail brush = Nagelbürste
hamper = Wäschetruhe
waste basket = Papierkorb
travel chess = Reiseschach
chess set = Schachspiel
draughts = Damespiel
Backgammon roll = Backgammon zum Rollen
Domino set = Dominospiel
Dice cup and five = Würfelbecher mit fünf Würfeln
Playing cards pair = Spielkarten, zwei Sätze
Cribbage board = Cribbage-Brett
Kubb = Kubb-Wurfspiel
Boule set = Boule-Set
Croquet for four = Krocket für vier
Badminton pair = Federballset für zwei
Kite delta = Deltadrachen
Kite line winder = Drachenspule
Jigsaw one thousand = Puzzle, tausend Teile
Jigsaw five hundred = Puzzle, fünfhundert Teile
breakfast for two = Frühstück für zwei
cutlery for four = Besteck für vier
First kitchen set = Set für die erste Küche`

const dictionary = words
  .trim()
  .split("\n")
  .map((line) => {
    const [english = "", german = ""] = line.split(" = ")
    return { english, german }
  })
  .toSorted((a, b) => b.english.length - a.english.length)

/** The name in German: the longest words of the dictionary that it has are replaced. */
export const inGerman = (name: string): string => {
  const found = dictionary.find(({ english }) => ` ${name} `.includes(` ${english} `))
  return found === undefined ? name : name.replace(found.english, found.german)
}
