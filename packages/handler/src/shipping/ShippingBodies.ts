/** Bodies of requests about shipping zones, rates and classes, and what a storefront is shown of them. */
import { PickupLocation } from "@effect-commerce/core/shipping/PickupLocation"
import {
  classCalculationSentence,
  classCostsSentence,
  rateConfigSentence,
  rateTaxStatusSentence,
  rateTypeSentence,
  ShippingClassCalculation,
  ShippingRateType,
  ShippingTaxStatus
} from "@effect-commerce/core/shipping/ShippingRate"
import { zoneSentences } from "@effect-commerce/core/shipping/ShippingZone"
import {
  arrayOf,
  boolean,
  clearable,
  Decimal,
  described,
  optional,
  storedAs,
  string,
  text
} from "@effect-commerce/core/kernel/Fields"
import { Schema } from "effect"

const texts = Schema.Array(Schema.String)
const listsByCountry = Schema.Record(Schema.String, texts)
const zoneName = described(Schema.String, "Name of the zone, for the merchant.", "United States")
const countries = described(texts, zoneSentences.countries, ["US"])
const zoneFields = {
  regions: clearable(listsByCountry, zoneSentences.regions, { US: ["CA"] }),
  postalCodes: clearable(listsByCountry, zoneSentences.postalCodes, { US: ["941*"] }),
  geometry: clearable(Schema.Json, zoneSentences.geometry),
  geometryLabels: clearable(texts, zoneSentences.geometryLabels),
  regionIds: clearable(texts, zoneSentences.regionIds),
  salesChannelIds: clearable(texts, zoneSentences.salesChannelIds),
  priority: optional(Schema.Int, zoneSentences.priority + " Default: 0.", 0),
  isActive: optional(Schema.Boolean, zoneSentences.isActive + " Default: true.")
}
export const NewShippingZone = Schema.Struct({ name: zoneName, countries, ...zoneFields }).annotate({
  identifier: "NewShippingZone",
  description: "A zone to create."
})
export const ChangeShippingZone = Schema.Struct({
  name: Schema.optionalKey(zoneName),
  countries: Schema.optionalKey(countries),
  ...zoneFields
}).annotate({
  identifier: "ChangeShippingZone",
  description: "What to change. An absent field stays as it is, null clears it."
})

const rateName = described(Schema.String, "Name that shoppers see.", "Standard")
const rateType = described(ShippingRateType, rateTypeSentence)
const rateFields = {
  description: clearable(Schema.String, "A sentence that shoppers see.", "3 to 5 working days"),
  rateConfig: optional(
    storedAs(Schema.Record(Schema.String, Schema.Json)),
    rateConfigSentence + " In a request they may be numbers too.",
    { amount: "6.90" }
  ),
  minDeliveryDays: clearable(Schema.Int, "Days until delivery, at least.", 3),
  maxDeliveryDays: clearable(Schema.Int, "Days until delivery, at most.", 5),
  handlingTime: clearable(Schema.Int, "Days until the parcel leaves.", 1),
  taxStatus: optional(ShippingTaxStatus, rateTaxStatusSentence + " Default: taxable."),
  minOrderAmount: clearable(Decimal, "The rate is offered from this value of goods on.", "50.00"),
  maxCost: clearable(Decimal, "The price is never above this.", "25.00"),
  classCosts: clearable(Schema.Record(Schema.String, Decimal), classCostsSentence),
  classCalculationType: optional(ShippingClassCalculation, classCalculationSentence + " Default: PER_CLASS."),
  isActive: optional(Schema.Boolean, "Whether the rate is offered. Default: true.")
}
export const NewShippingRate = Schema.Struct({ name: rateName, type: rateType, ...rateFields }).annotate({
  identifier: "NewShippingRate",
  description: "A shipping rate to create."
})
export const ChangeShippingRate = Schema.Struct({
  name: Schema.optionalKey(rateName),
  type: Schema.optionalKey(rateType),
  ...rateFields
}).annotate({
  identifier: "ChangeShippingRate",
  description: "What to change. An absent field stays as it is, null clears it; rateConfig is replaced as a whole."
})

const slug = clearable(
  Schema.String.pipe(Schema.check(Schema.isMaxLength(190))),
  "Short name; unique in the store. Made from the name where it is absent.",
  "bulky-goods"
)
const className = described(text(200), "Name of the class.", "Bulky goods")
export const NewShippingClass = Schema.Struct({ name: className, slug }).annotate({
  identifier: "NewShippingClass",
  description: "A shipping class to create."
})
export const ChangeShippingClass = Schema.Struct({ name: Schema.optionalKey(className), slug }).annotate({
  identifier: "ChangeShippingClass",
  description: "What to change. An absent field stays as it is."
})

const Place = Schema.Struct({
  code: string("Code of the country (ISO 3166-1 alpha-2) or of the subdivision.", "US"),
  name: string("Name of it.", "United States")
}).annotate({ identifier: "Destination", description: "A country or a subdivision." })
export const Destinations = Schema.Struct({
  worldwide: boolean("Whether the store ships to every country; countries then lists all of them."),
  countries: arrayOf(Place, "Countries that the store ships to, by name."),
  regions: described(
    Schema.Record(Schema.String, Schema.Array(Place)),
    "Country code to the only subdivisions served there. A country without an entry is served as a whole."
  )
}).annotate({ identifier: "ShippingDestinations", description: "Where a storefront ships to." })
export const PickupLocations = Schema.Struct({
  pickupLocations: arrayOf(PickupLocation, "The places; empty where nothing can be picked up.")
}).annotate({ identifier: "PickupLocationList", description: "Where shoppers can pick up their orders." })
