import type { HubWire } from '../core/wire.ts'
import type { FactName, ModelFacts, ModelRules } from './facts.ts'

/** Where a fact is from: a page of its provider, or a public report of what that answered. */
export interface FactSource {
  /** An address, or `owner/project#number`. */
  readonly from: string
  /** The month in which it said so, as `2026-11`. */
  readonly at: string
}

/** Facts of one source each. */
export type SourcedFacts = {
  readonly [Name in FactName]?: { readonly value: ModelFacts[Name]; readonly source: FactSource }
}

/** One family of models: its names, and what its models take beside what most do. */
export interface FamilyRow {
  readonly family: string
  /** Who makes it, as docs/models.md prints it. */
  readonly maker: string
  /** Names as providers and clouds spell them, in lower case, the last digits of a date or a version included. */
  readonly names: RegExp
  /** Some names that it fits, for the docs and the tests. */
  readonly examples: readonly [string, ...string[]]
  readonly facts: SourcedFacts
  /** What is otherwise where it is asked on that wire. */
  readonly on?: Partial<Readonly<Record<HubWire, SourcedFacts>>>
}

/** Facts that all stand in one source. */
export function said(source: FactSource, facts: ModelRules): SourcedFacts {
  return Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, { value, source }]))
}

/** The values alone. */
export function valuesOf(facts: SourcedFacts | undefined): ModelRules {
  return Object.fromEntries(Object.entries(facts ?? {}).map(([name, { value }]) => [name, value]))
}
