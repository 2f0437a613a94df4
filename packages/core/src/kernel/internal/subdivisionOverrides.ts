/**
 * Corrections of the generated subdivision table, so that the main countries carry the codes of ISO 3166-2: `add`
 * brings entries the source lacks (or renames them), `drop` removes withdrawn codes and codes that never were ISO. Rows
 * are "CODE Name|CODE Name". The United States keep AA, AE and AP, the armed-forces "states" of the postal service,
 * which are not ISO but stand in real addresses. Source: ISO 3166-2 as of 2023.
 */
export interface SubdivisionOverride {
  readonly add?: string
  readonly drop?: ReadonlyArray<string>
}

const FRENCH_DEPARTMENTS =
  "01 Ain|02 Aisne|03 Allier|04 Alpes-de-Haute-Provence|05 Hautes-Alpes|06 Alpes-Maritimes|07 Ardèche|08 Ardennes|" +
  "09 Ariège|10 Aube|11 Aude|12 Aveyron|13 Bouches-du-Rhône|14 Calvados|15 Cantal|16 Charente|17 Charente-Maritime|" +
  "18 Cher|19 Corrèze|20R Corse|21 Côte-d'Or|22 Côtes-d'Armor|23 Creuse|24 Dordogne|25 Doubs|26 Drôme|27 Eure|" +
  "28 Eure-et-Loir|29 Finistère|2A Corse-du-Sud|2B Haute-Corse|30 Gard|31 Haute-Garonne|32 Gers|33 Gironde|" +
  "34 Hérault|35 Ille-et-Vilaine|36 Indre|37 Indre-et-Loire|38 Isère|39 Jura|40 Landes|41 Loir-et-Cher|42 Loire|" +
  "43 Haute-Loire|44 Loire-Atlantique|45 Loiret|46 Lot|47 Lot-et-Garonne|48 Lozère|49 Maine-et-Loire|50 Manche|" +
  "51 Marne|52 Haute-Marne|53 Mayenne|54 Meurthe-et-Moselle|55 Meuse|56 Morbihan|57 Moselle|58 Nièvre|59 Nord|" +
  "60 Oise|61 Orne|62 Pas-de-Calais|63 Puy-de-Dôme|64 Pyrénées-Atlantiques|65 Hautes-Pyrénées|" +
  "66 Pyrénées-Orientales|67 Bas-Rhin|68 Haut-Rhin|69 Rhône|70 Haute-Saône|71 Saône-et-Loire|72 Sarthe|73 Savoie|" +
  "74 Haute-Savoie|75 Paris|76 Seine-Maritime|77 Seine-et-Marne|78 Yvelines|79 Deux-Sèvres|80 Somme|81 Tarn|" +
  "82 Tarn-et-Garonne|83 Var|84 Vaucluse|85 Vendée|86 Vienne|87 Haute-Vienne|88 Vosges|89 Yonne|" +
  "90 Territoire de Belfort|91 Essonne|92 Hauts-de-Seine|93 Seine-Saint-Denis|94 Val-de-Marne|95 Val-d'Oise|" +
  "971 Guadeloupe|972 Martinique|973 Guyane|974 La Réunion|976 Mayotte|PF Polynésie française|RE La Réunion"

const ITALIAN_PROVINCES =
  "AG Agrigento|AL Alessandria|AN Ancona|AP Ascoli Piceno|AQ L'Aquila|AR Arezzo|AT Asti|AV Avellino|BA Bari|" +
  "BG Bergamo|BI Biella|BL Belluno|BN Benevento|BO Bologna|BR Brindisi|BS Brescia|BT Barletta-Andria-Trani|" +
  "BZ Bolzano|CA Cagliari|CB Campobasso|CE Caserta|CH Chieti|CL Caltanissetta|CN Cuneo|CO Como|CR Cremona|" +
  "CS Cosenza|CT Catania|CZ Catanzaro|EN Enna|FC Forlì-Cesena|FE Ferrara|FG Foggia|FI Firenze|FM Fermo|" +
  "FR Frosinone|GE Genova|GO Gorizia|GR Grosseto|IM Imperia|IS Isernia|KR Crotone|LC Lecco|LE Lecce|LI Livorno|" +
  "LO Lodi|LT Latina|LU Lucca|MB Monza e Brianza|MC Macerata|ME Messina|MI Milano|MN Mantova|MO Modena|" +
  "MS Massa-Carrara|MT Matera|NA Napoli|NO Novara|NU Nuoro|OR Oristano|PA Palermo|PC Piacenza|PD Padova|" +
  "PE Pescara|PG Perugia|PI Pisa|PN Pordenone|PO Prato|PR Parma|PT Pistoia|PU Pesaro e Urbino|PV Pavia|PZ Potenza|" +
  "RA Ravenna|RC Reggio Calabria|RE Reggio Emilia|RG Ragusa|RI Rieti|RM Roma|RN Rimini|RO Rovigo|SA Salerno|" +
  "SI Siena|SO Sondrio|SP La Spezia|SR Siracusa|SS Sassari|SU Sud Sardegna|SV Savona|TA Taranto|TE Teramo|" +
  "TN Trento|TO Torino|TP Trapani|TR Terni|TS Trieste|TV Treviso|UD Udine|VA Varese|VB Verbano-Cusio-Ossola|" +
  "VC Vercelli|VE Venezia|VI Vicenza|VR Verona|VT Viterbo|VV Vibo Valentia"

export const SUBDIVISION_OVERRIDES: Readonly<Record<string, SubdivisionOverride>> = Object.freeze({
  BE: {
    add:
      "VAN Antwerpen|VBR Vlaams-Brabant|VLI Limburg|VOV Oost-Vlaanderen|VWV West-Vlaanderen|WBR Brabant wallon|" +
      "WHT Hainaut|WLG Liège|WLX Luxembourg|WNA Namur"
  },
  BO: {
    add: "B El Beni|C Cochabamba|H Chuquisaca|L La Paz|N Pando|O Oruro|P Potosí|S Santa Cruz|T Tarija",
    drop: ["BE", "CB", "CH", "LP", "OR", "PD", "PT", "SC", "TJ"]
  },
  CN: { add: "TW Taiwan" },
  CR: {
    add: "A Alajuela|C Cartago|G Guanacaste|H Heredia|L Limón|P Puntarenas|SJ San José",
    drop: ["1", "2", "3", "4", "5", "6", "7"]
  },
  ES: {
    add:
      "AN Andalucía|AR Aragón|AS Asturias, Principado de|CB Cantabria|CL Castilla y León|CM Castilla-La Mancha|" +
      "CT Catalunya|EX Extremadura|GA Galicia|IB Illes Balears|MC Murcia, Región de|MD Madrid, Comunidad de|" +
      "NC Navarra, Comunidad Foral de|PV País Vasco|RI La Rioja|VC Valenciana, Comunidad"
  },
  FR: { add: FRENCH_DEPARTMENTS, drop: ["COR"] },
  GB: { add: "ENG England|NIR Northern Ireland|SCT Scotland|WLS Wales", drop: ["BRK"] },
  IT: { add: ITALIAN_PROVINCES },
  MX: { add: "QUE Querétaro" },
  NO: { add: "42 Agder", drop: ["09"] },
  RU: {
    add: "KGD Kaliningrad|MUR Murmansk|SE North Ossetia|TY Tuva|YEV Jewish Autonomous Oblast",
    drop: ["JEW", "KLN", "MU", "NOA", "TU"]
  },
  US: { add: "UM United States Minor Outlying Islands|VI U.S. Virgin Islands", drop: ["FM", "MH", "PW"] },
  ZA: { add: "GP Gauteng|KZN KwaZulu-Natal", drop: ["GT", "NL"] }
})
