import type {
  AppAlreadyInstalled,
  BotNotBuilt,
  InstallationNamed,
  InstallationNotFound,
  MappingNotFound,
  MappingTaken
} from "@effect-commerce/core/app/AppErrors"
import { type ErrorRows, missing } from "../middleware/ErrorRow.ts"

export const appErrors: ErrorRows<
  InstallationNotFound | AppAlreadyInstalled | InstallationNamed | MappingNotFound | MappingTaken | BotNotBuilt
> = {
  InstallationNotFound: missing("installation"),
  AppAlreadyInstalled: {
    code: "ALREADY_INSTALLED",
    message: (e) => `The store has installed an app called ${e.name}`,
    details: (e) => ({ name: e.name })
  },
  InstallationNamed: {
    code: "CONFLICT",
    message: (e) => `${e.regionCount} regions list this installation`,
    details: (e) => ({ reason: "installation_in_use", regionCount: e.regionCount })
  },
  MappingNotFound: missing("mapping"),
  MappingTaken: {
    code: "CONFLICT",
    message: (e) => `The ${e.resourceType} ${e.internalId} is mapped to ${e.platformCode}`,
    details: ({ mappingId, resourceType, internalId, platformCode }) => ({
      mappingId,
      resourceType,
      internalId,
      platformCode
    })
  },
  BotNotBuilt: { code: "NOT_IMPLEMENTED", message: () => "This server has no storefront bot" }
}
