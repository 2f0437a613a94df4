import { ExportWork } from "@effect-commerce/core/export/ExportWork"
import { every, type Room } from "../middleware/Room.ts"
import { exportEndpoints } from "./ExportEndpoints.ts"
import { exportErrors } from "./exportErrors.ts"

export const exportRoom = {
  endpoints: exportEndpoints,
  errors: exportErrors,
  workers: [
    every(
      "2 seconds",
      "Writing exports",
      ExportWork.use((work) => work.pass)
    ),
    every(
      "600 seconds",
      "Deleting the files of exports",
      ExportWork.use((work) => work.sweep)
    )
  ]
} as const satisfies Room
