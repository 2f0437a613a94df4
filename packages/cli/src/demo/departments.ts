/**
 * The demo store's shelves: invented goods of an invented shop. A row is `name | price | kilograms | what is special
 * about it | its colours`; colours, and the `options` of a department, make a product VARIABLE.
 */
export interface Department {
  readonly id: string
  readonly name: string
  readonly parent?: string
  readonly description: string
  /** A sentence that is true of every product here, at the end of each description. */
  readonly promise: string
  readonly options?: Readonly<Record<string, ReadonlyArray<string>>>
  readonly goods: string
}

export const departments: ReadonlyArray<Department> = [
  { id: "home", name: "Home", description: "Things to live with.", promise: "Made to be lived with.", goods: "" },
  {
    id: "outdoor",
    name: "Outdoor",
    description: "Things to go out with.",
    promise: "Made to be taken along.",
    goods: ""
  },
  { id: "apparel", name: "Apparel", description: "Things to wear.", promise: "Made to be worn for years.", goods: "" },
  {
    id: "cookware",
    name: "Cookware",
    parent: "home",
    description: "Pots, pans and what belongs beside them.",
    promise: "Works on gas, ceramic and induction.",
    goods: `Fenwick skillet 20 cm|34.90|1.4|Forged carbon steel that seasons with use
Fenwick skillet 28 cm|52.00|2.3|A wide pan with a long, cool handle
Harrow saucepan 1.5 l|39.50|1.1|Tri-ply steel with a pouring rim
Harrow stockpot 8 l|84.00|3.2|Deep enough for a whole chicken and its bones
Orchard casserole 4 l|119.00|4.9|Enamelled iron that keeps its heat to the table|Rust, Forest, Navy
Orchard casserole 6 l|149.00|6.1|The one for Sundays and second helpings|Rust, Forest
Tidewater steamer basket|18.75|0.4|Folds flat and fits three sizes of pot
Bellweather grill pan|46.20|2.6|High ridges, and a lip to pour off the fat
Linden roasting tin|41.00|1.8|A rack inside and handles that fold
Quarry griddle|58.30|3.9|Two burners long, flat on one side and ridged on the other
Ambrook milk pan|22.40|0.6|Small, narrow and kind to custard
Ambrook egg poacher|27.90|0.8|Four cups and a lid you can see through
Cinder wok 32 cm|44.60|1.9|Thin spun steel that answers at once
Cinder wok lid|14.25|0.7|Domed, so steam runs back to the rim
Hollis lasagne dish|32.10|2.0|Stoneware that goes from freezer to oven
Hollis ramekin set|19.80|1.2|Six, stacking, for soufflés and salt`
  },
  {
    id: "tableware",
    name: "Tableware",
    parent: "home",
    description: "Plates, glasses and cutlery for every day.",
    promise: "Safe in the dishwasher and replaced piece by piece.",
    goods: `Marlow dinner plate|12.90|0.7|A wide rim that frames what is on it
Marlow side plate|8.40|0.4|The size for toast, cake and second thoughts
Marlow pasta bowl|11.60|0.6|Shallow, with room for sauce
Marlow mug|9.90|0.35|Holds 35 cl and sits square in the hand
Pell water glass|5.80|0.25|Thick at the foot, thin at the lip
Pell wine glass|11.20|0.18|One shape that suits red and white
Pell carafe 1 l|24.50|0.9|Cork stopper, and a neck a brush can reach
Kestrel dinner fork|6.30|0.06|Brushed steel, a little heavier than it looks
Kestrel table knife|7.10|0.09|A blade that still cuts after a year
Kestrel soup spoon|6.30|0.07|Deep enough to be worth lifting
Kestrel teaspoon set|21.00|0.2|Six, and one of them always goes missing
Saltmarsh serving bowl|36.70|1.5|Hand-glazed, no two rims alike
Saltmarsh platter|42.00|1.8|Long enough for a whole fish
Saltmarsh butter dish|23.30|0.6|Lid and base both fit a full block
Fern linen napkin pair|18.40|0.15|Stone-washed, softer each time
Fern table runner|34.00|0.4|Half linen, half cotton, wholly forgiving`
  },
  {
    id: "bedding",
    name: "Bedding",
    parent: "home",
    description: "Sheets, covers and blankets.",
    promise: "Woven from long-staple cotton and washed before it leaves us.",
    options: { Size: ["Single", "Double", "King"] },
    goods: `Drift percale duvet cover|79.00|1.3|Crisp, cool and quiet|White, Sky
Drift percale fitted sheet|45.00|0.8|Deep corners that stay where they are put|White, Stone
Hush sateen duvet cover|96.00|1.5|A soft sheen that drapes|Stone, White, Sage
Hush sateen flat sheet|52.00|0.9|Generous enough to tuck in twice|Stone, White
Loft wool blanket|128.00|1.9|Undyed wool from a single flock|Oatmeal, Charcoal
Loft cotton throw|64.00|1.1|A waffle weave for the end of the bed|White, Sage, Mustard
Nocturne blackout curtain|88.00|2.1|Lined, so mornings begin when you do|Navy, Stone
Nocturne mattress protector|39.00|1.2|Quilted cotton over a breathing membrane`
  },
  {
    id: "lighting",
    name: "Lighting",
    parent: "home",
    description: "Lamps for desks, tables and corners.",
    promise: "Takes a standard bulb, and the switch is where a hand finds it.",
    goods: `Beacon desk lamp|69.00|1.6|A counterweighted arm that stays put
Beacon clamp lamp|54.50|1.1|Grips a shelf up to six centimetres thick
Glowstone table lamp|82.00|2.4|A ceramic foot with a reactive glaze
Glowstone floor lamp|148.00|5.2|Reading height, with a shade that tilts
Wick lantern|37.60|0.9|Brass and glass, for a candle or a battery
Wick candle pair|16.80|0.4|Beeswax, eight hours each
Halden pendant small|92.00|1.3|Spun aluminium on a cloth cord
Halden pendant large|134.00|2.2|The same, for over a table
Murmur night light|19.40|0.2|Dims itself an hour after dusk
Murmur bedside lamp|48.90|1.0|Touch it once for light, twice for less
Arbor wall lamp|76.30|1.2|An oak arm that swings half a circle
Arbor picture light|63.70|0.8|Warm, and narrow enough not to be seen`
  },
  {
    id: "storage",
    name: "Storage",
    parent: "home",
    description: "Boxes, baskets and shelves.",
    promise: "Stacks with its own kind and comes assembled.",
    goods: `Crate small|17.90|1.1|Birch ply with finger joints
Crate medium|24.90|1.7|The size of a box of records
Crate large|32.90|2.4|Takes a winter's worth of jumpers
Rush basket round|28.40|0.7|Sea grass on a steel hoop
Rush basket square|31.20|0.9|Made to fit a cube shelf
Rush laundry basket|56.00|1.8|A lid, two handles and a cotton liner
Ledge wall shelf 60|38.50|2.0|Oak, on two hidden rods
Ledge wall shelf 90|49.50|2.9|Carries thirty paperbacks without comment
Peg rail five|34.70|1.0|Five turned pegs on one plank
Peg rail eight|46.70|1.5|For the hall of a larger family
Tin canister set|29.80|1.3|Three sizes, airtight, no labels to peel
Tin bread bin|44.20|1.9|A ridged wooden lid to cut on`
  },
  {
    id: "camping",
    name: "Camping",
    parent: "outdoor",
    description: "Tents, stoves and sleeping bags.",
    promise: "Packs down small and can be mended with what is in the pouch.",
    goods: `Skylark tent two|289.00|2.1|Two doors, two porches, one long weekend
Skylark tent four|419.00|4.3|Room to stand up and put on trousers
Skylark footprint two|39.00|0.4|Keeps the groundsheet off the ground
Ember gas stove|49.90|0.2|Folds into a fist and boils in four minutes
Ember wood stove|79.00|0.9|Burns twigs and charges nothing
Ember windshield|14.50|0.15|Five hinged plates of aluminium
Burrow sleeping bag summer|99.00|0.8|Good to eight degrees
Burrow sleeping bag winter|219.00|1.6|Good to minus nine, with a hood like a hug
Burrow silk liner|54.00|0.12|Adds three degrees and takes no room
Raft sleeping mat|84.00|0.5|Eight centimetres that roll into a bottle's size
Raft pillow|24.00|0.08|Three breaths and it is full
Tarn cook set|62.30|0.7|Two pots, a pan and one gripper
Tarn kettle|31.40|0.25|Flat, fast and hard to knock over
Tarn spork pair|9.20|0.03|Titanium, and it is both
Guyline head torch|42.00|0.09|Red light for maps, white for paths
Guyline lantern|36.80|0.3|Hangs, stands and charges a phone`
  },
  {
    id: "hiking",
    name: "Hiking",
    parent: "outdoor",
    description: "Packs, poles and bottles.",
    promise: "Weighed without its packaging, and repaired for life.",
    goods: `Cairn daypack 18|79.00|0.6|A zip that opens flat
Cairn daypack 26|98.00|0.8|Hip fins with a pocket each
Cairn trekking pack 48|189.00|1.5|A back that adjusts while you walk
Cairn rain cover|19.50|0.1|Bright, so you are found
Fell trekking poles|94.00|0.5|Carbon, three sections, cork grips
Fell gaiters|44.00|0.25|Keep bog where it belongs
Becks bottle 0.6 l|22.50|0.2|Steel, wide-mouthed, dented with pride
Becks bottle 1 l|27.50|0.3|The same, for longer days
Becks flask 0.75 l|36.00|0.4|Tea at noon as it was at seven
Becks water filter|48.00|0.07|Screws onto any bottle of ours
Contour map case|16.90|0.1|Reads through rain
Contour compass|32.00|0.05|Sighting mirror and a declination screw
Contour whistle|6.40|0.01|Heard across a valley
Scree first aid kit|39.00|0.4|Laid out in the order you need it
Scree repair kit|21.00|0.15|Tape, thread, two needles and a buckle
Scree blister plasters|8.90|0.02|Ten, in three shapes`
  },
  {
    id: "cycling",
    name: "Cycling",
    parent: "outdoor",
    description: "Lights, bags and tools for the bicycle.",
    promise: "Fits without tools, or brings the tool along.",
    goods: `Spoke front light|44.00|0.1|Sees, and is seen, for six hours
Spoke rear light|29.00|0.06|Brightens as you brake
Spoke light set|66.00|0.16|Both, with one cable
Dynamo bell|15.50|0.08|One clear note in brass
Dynamo mirror|18.20|0.07|Folds away at a touch
Pannier roll 20 l|89.00|0.8|Welded seams, and a roll that keeps rain out
Pannier commuter|112.00|1.1|A sleeve for a laptop and a rail for the bus
Saddle tool roll|34.00|0.2|Waxed canvas with six pockets
Saddle multitool|39.50|0.15|Fourteen tools and none of them a toy
Saddle pump|31.80|0.12|Pushes to seven bar without pleading
Saddle tyre levers|5.90|0.03|Three, and they nest
Velo lock plus|72.00|1.4|Hardened steel with a key for everyone
Velo cable|18.00|0.5|For the front wheel
Velo bottle cage|12.60|0.04|Grips on cobbles`
  },
  {
    id: "shirts",
    name: "Shirts",
    parent: "apparel",
    description: "Shirts and tops.",
    promise: "Pre-shrunk, with buttons sewn on by the shank.",
    options: { Size: ["S", "M", "L", "XL"] },
    goods: `Oxford shirt|68.00|0.3|Brushed inside, buttoned down outside|White, Sky, Navy
Poplin shirt|64.00|0.25|Smooth, sharp and easy to iron|White, Sky
Linen shirt|78.00|0.22|Creases honestly|Oatmeal, White, Navy
Chambray shirt|72.00|0.3|Softens and fades to yours alone|Sky, Indigo
Flannel shirt|74.00|0.38|For the week the clocks change|Rust, Forest, Navy
Heavy tee|32.00|0.24|A collar that keeps its shape|Charcoal, White, Navy, Olive
Light tee|28.00|0.16|Long enough to stay tucked|White, Navy, Sage
Long-sleeved tee|38.00|0.28|Cuffs that push up and stay there|Navy, Oatmeal
Henley|44.00|0.3|Three buttons and no fuss|Oatmeal, Charcoal, Navy
Polo|48.00|0.26|Piqué cotton and a side vent|Forest, Navy, White
Rugby shirt|82.00|0.5|Rubber buttons, twill collar|Navy, Forest`
  },
  {
    id: "knitwear",
    name: "Knitwear",
    parent: "apparel",
    description: "Jumpers, cardigans and what keeps the neck warm.",
    promise: "Knitted in one piece where it can be, from yarn we can name.",
    options: { Size: ["S", "M", "L", "XL"] },
    goods: `Guernsey jumper|129.00|0.7|Tight, square and weatherproof|Navy, Oatmeal
Lambswool crew|89.00|0.4|Fine gauge, warm as two|Forest, Charcoal, Rust
Lambswool v-neck|89.00|0.4|The same, with room for a collar|Charcoal, Oatmeal
Merino base layer|74.00|0.2|Worn for three days and nobody knew|Charcoal, Navy
Cotton cardigan|84.00|0.5|Horn buttons, patch pockets|Oatmeal, Navy
Shawl cardigan|139.00|0.9|A collar to turn up against the wind|Forest, Charcoal
Cable jumper|149.00|0.8|Six cables and a moss-stitch hem|Oatmeal, Forest
Rollneck|98.00|0.45|Stands up by itself|Rust, Charcoal, Oatmeal`
  },
  {
    id: "trousers",
    name: "Trousers",
    parent: "apparel",
    description: "Trousers and shorts.",
    promise: "Cut with a gusset, and the hem has enough to let down.",
    options: { Waist: ["30", "32", "34", "36"] },
    goods: `Straight chino|79.00|0.5|A clean line that is not tight|Stone, Navy, Olive
Tapered chino|79.00|0.48|Narrower from the knee|Olive, Stone, Charcoal
Work trouser|94.00|0.7|Double knees and a loop for a hammer|Charcoal, Olive
Walking trouser|99.00|0.4|Dries while you eat your sandwich|Forest, Charcoal
Five-pocket jean|98.00|0.7|Twelve-ounce denim, chain-stitched|Indigo, Charcoal
Linen trouser|88.00|0.35|A drawstring that looks like a waistband|Oatmeal, Navy
Corduroy trouser|92.00|0.6|Eight wales to the inch|Rust, Forest, Mustard
Chino short|59.00|0.3|Ends where the knee begins|Stone, Navy, Olive
Swim short|49.00|0.2|Made of bottles, lined with mesh|Navy, Rust`
  },
  {
    id: "accessories",
    name: "Accessories",
    parent: "apparel",
    description: "Hats, gloves, belts and bags.",
    promise: "Finished by hand and sent in a box worth keeping.",
    goods: `Watch cap|29.00|0.08|Ribbed merino, cuffed once|Charcoal, Forest, Mustard
Bobble hat|34.00|0.1|The bobble comes off for the wash|Rust, Navy, Oatmeal
Sun hat|42.00|0.12|A brim as wide as an afternoon
Flat cap|48.00|0.15|Tweed from one mill and no other
Lambswool scarf|52.00|0.25|Long enough to go round twice|Forest, Navy, Rust
Silk scarf|68.00|0.06|Printed with a map of nowhere
Leather gloves|79.00|0.15|Lined in cashmere, cut for the thumb
Knitted gloves|28.00|0.08|Two fingers that work a screen|Navy, Oatmeal
Bridle belt|64.00|0.25|Nine holes of one thick hide
Webbing belt|24.00|0.1|A brass buckle that clicks
Canvas tote|32.00|0.4|Carries a week of groceries|Oatmeal, Navy
Roll-top backpack|118.00|0.9|Waxed cotton over a padded sleeve|Olive, Navy
Card wallet|38.00|0.04|Four cards and a folded note
Key loop|14.00|0.02|Harness leather and a solid ring
Umbrella|59.00|0.5|Ash shaft, eight ribs, no gust yet|Navy, Rust
Wool socks pair|18.00|0.09|Cushioned where you need it|Charcoal, Rust`
  },
  {
    id: "stationery",
    name: "Stationery",
    parent: "home",
    description: "Paper, pens and the desk they lie on.",
    promise: "Acid-free paper, refillable everything.",
    goods: `Field notebook plain|12.50|0.2|Stitched, so it lies open
Field notebook ruled|12.50|0.2|Seven millimetres between the lines
Field notebook dotted|12.50|0.2|Dots that disappear when you write
Folio sketchbook|26.00|0.6|Paper that takes a wash
Folio diary|29.00|0.4|A week on two pages, no holidays but yours
Nib fountain pen|58.00|0.03|A steel nib that forgives
Nib ink bottle|14.80|0.15|Blue-black, dry in nine seconds
Nib rollerball|32.00|0.03|Uncapped with a thumb
Graphite pencil dozen|15.60|0.08|HB, cedar, sharpened once
Graphite sharpener|8.20|0.03|Brass, and it bites
Graphite eraser|3.40|0.02|Leaves no shadow
Post letter set|22.00|0.3|Thirty sheets and the envelopes for them
Post wax and seal|27.50|0.1|Two sticks and a plain oak seal
Desk tray|36.00|0.9|Walnut, for the things that wander
Desk blotter|44.00|0.8|Felt below, linen above
Desk paper knife|19.00|0.07|Opens envelopes and little else`
  },
  {
    id: "garden",
    name: "Garden",
    parent: "outdoor",
    description: "Tools, pots and seeds.",
    promise: "Ash handles, forged heads, and parts you can order.",
    goods: `Digging spade|62.00|2.1|A tread for the boot
Border fork|54.00|1.7|Lighter, for crowded beds
Hand trowel|18.50|0.3|Marked in centimetres down the blade
Hand fork|18.50|0.3|Three tines that do not spread
Dibber|12.00|0.2|Beech, with a steel point
Pruning shears|48.00|0.25|Bypass blades you can sharpen
Hedge shears|59.00|0.9|A shock stop that saves the wrists
Watering can 5 l|44.00|1.2|A rose that turns both ways
Watering can 9 l|52.00|1.6|Balanced when it is full
Terracotta pot small|7.50|0.8|Fired twice, so frost leaves it alone
Terracotta pot large|28.00|4.6|Room for a lemon tree
Seed tin wildflowers|11.00|0.1|Forty kinds that bees like
Seed tin herbs|11.00|0.1|Nine for the kitchen sill
Seed tin salads|11.00|0.1|Cut, and it comes again
Kneeling pad|21.00|0.3|Wipes clean and hangs by the door
Bird feeder|33.00|0.7|Squirrels have tried`
  },
  {
    id: "bathroom",
    name: "Bathroom",
    parent: "home",
    description: "Towels, soap and the shelf they sit on.",
    promise: "Dries quickly and leaves no ring.",
    goods: `Cove hand towel|16.00|0.25|Terry on one side, waffle on the other|White, Sage
Cove bath towel|34.00|0.6|Six hundred grams to the metre|Sage, White, Navy
Cove bath sheet|48.00|0.9|Wraps once and a half
Cove bath mat|29.00|0.8|Thick enough to leave footprints in
Pumice soap bar|7.80|0.1|Olive oil and crushed stone
Lather soap bar|6.90|0.1|Oat and honey, no perfume
Lather soap dish|17.50|0.3|Drains into itself
Tide shower curtain|39.00|0.6|Hemp canvas, weighted at the hem
Tide curtain rings|14.00|0.2|Twelve, in brushed brass
Basin tumbler|13.20|0.3|Stoneware with a felt foot
Basin toothbrush stand|15.40|0.3|Four slots and a gap for air
Basin soap pump|26.00|0.5|Glass, so you see when to refill
Bristle back brush|24.00|0.2|Beech with a handle as long as a forearm
Bristle nail brush|8.60|0.05|Both sides do something
Reed hamper|72.00|2.2|Woven willow on four short legs
Reed waste basket|28.00|0.7|The same willow, knee high`
  },
  {
    id: "leisure",
    name: "Games and leisure",
    parent: "home",
    description: "Games for tables, lawns and trains.",
    promise: "The rules fit on one card, and lost pieces can be ordered.",
    goods: `Gambit chess set|89.00|1.8|Weighted pieces on a folding board
Gambit travel chess|34.00|0.4|Magnetic, for trains and windy parks
Gambit draughts|42.00|1.1|Stones that stack with a click
Backgammon roll|64.00|0.9|A felt board that rolls up with its dice
Domino set|28.00|0.7|Double nine, in a sliding box
Dice cup and five|22.00|0.25|Leather outside, velvet inside
Playing cards pair|18.00|0.2|Linen finish, red and blue
Cribbage board|36.00|0.5|Ash, with a drawer for the pegs
Kubb|58.00|3.6|Ten blocks, six batons, one king
Boule set|74.00|4.4|Six steel balls and a jack
Croquet for four|159.00|7.8|Four mallets, six hoops and an argument
Badminton pair|48.00|0.6|Two rackets and three shuttlecocks
Kite delta|38.00|0.4|Flies in what others call no wind
Kite line winder|12.00|0.15|Sixty metres of braided line
Jigsaw one thousand|26.00|0.8|A harbour with too much sky
Jigsaw five hundred|21.00|0.5|A map of an island that is not there`
  }
]
