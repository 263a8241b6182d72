import type { HubWire } from '../core/wire.ts'
import type { FactName, ModelFacts, ModelRules } from './facts.ts'
import { ROWS } from './rows.ts'
import { type FactSource, type FamilyRow, valuesOf } from './row.ts'
import { lackedBy, unknownOn } from './unknown.ts'

/** A model as it is asked for: its name at its provider, and what an admin says of it. */
export interface AskedModel {
  readonly name: string
  /** Rules that replace what the table says. */
  readonly rules?: ModelRules | undefined
}

/** The row of the first family that a name fits; null: none is known. */
export function rowOf(name: string): FamilyRow | null {
  const plain = name.toLowerCase()
  return ROWS.find(({ names }) => names.test(plain)) ?? null
}

/** Names that are asked for again and again; with more than these the oldest go. */
const KEPT_LIMIT = 1_000
const kept = new Map<string, ModelFacts>()

/** Everything that the model takes on the wire: the admin's rules, else its family's facts, else what the wire takes. */
export function factsOf({ name, rules }: AskedModel, wire: HubWire): ModelFacts {
  const facts = shippedFacts(name, wire)
  return rules === undefined ? facts : { ...facts, ...rules, ...lackedBy(wire) }
}

/** The facts as they are shipped. */
export function shippedFacts(name: string, wire: HubWire): ModelFacts {
  const key = `${wire} ${name}`
  const found = kept.get(key)
  if (found !== undefined) return found
  const row = rowOf(name)
  const facts = { ...unknownOn(wire), ...valuesOf(row?.facts), ...valuesOf(row?.on?.[wire]), ...lackedBy(wire) }
  if (kept.size >= KEPT_LIMIT) kept.delete(kept.keys().next().value ?? '')
  kept.set(key, facts)
  return facts
}

/** Where a family's fact is from; null: its row does not state it, and what the wire takes is taken for granted. */
export function sourceOf(row: FamilyRow | null, fact: FactName, wire: HubWire): FactSource | null {
  return row?.on?.[wire]?.[fact]?.source ?? row?.facts[fact]?.source ?? null
}
