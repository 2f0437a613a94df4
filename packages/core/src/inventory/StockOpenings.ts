/** The stock a product or variant begins with: its row, and the movement that explains its total (`correction`, reference `initial`). */
import { Effect, Layer } from "effect"
import { StockOpening } from "../catalog/StockOpening.ts"
import { InventoryRepository } from "./InventoryRepository.ts"

export const stockOpeningLayer = Layer.effect(
  StockOpening,
  Effect.map(InventoryRepository, ({ open }) => StockOpening.of({ open }))
).pipe(Layer.provide(InventoryRepository.layer))
