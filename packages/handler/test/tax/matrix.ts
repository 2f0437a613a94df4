/** What the tests over all routes need to know of taxes. */
import { below, both, none, type RoomMatrix } from "../matrix/RoomMatrix.ts"

export const matrix: RoomMatrix = {
  fill: async ({ admin }) => {
    const rate = await admin("POST", "/v1/tax/rates", { name: "Theirs", country: "US", rate: 5 })
    const taxClass = await admin("POST", "/v1/tax/classes", { name: "Theirs" })
    return { rates: rate.body.id, classes: taxClass.body.id }
  },
  failingBodies: [
    ...both(
      ["POST /v1/tax/rates", "PATCH /v1/tax/rates/:rateId"],
      () => ({ name: " ", country: "XX", rate: 101, taxClassId: none }),
      ["name", "country", "rate", "taxClassId"]
    )
  ],
  idCases: {
    ...below(["POST /v1/tax/rates", "PATCH /v1/tax/rates/:rateId"], {
      taxClassId: { body: () => ({ name: "Named", country: "US", rate: 5 }), kind: "classes" }
    })
  }
}
