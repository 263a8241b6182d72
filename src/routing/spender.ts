import type { NanoUsd } from '../core/money.ts'

/** What may have a cap on its spending in a day: known by this in all processes, whatever else of it is changed. */
export interface Spender {
  readonly kind: 'upstream' | 'target' | 'credential'
  readonly upstreamId: string
  /** The name of a credential; of a target, its model and the model's name at the upstream; empty for a whole upstream. */
  readonly name: string
}

export interface Spending extends Spender {
  readonly amount: NanoUsd
}

export interface SpendStore {
  /** Adds to what was spent on a day, counted from 1970 in UTC, and returns all that was spent on it by all processes. */
  shareSpend(day: number, spent: readonly Spending[]): Promise<readonly Spending[]>
}

interface Identified {
  readonly id: string
}

export function upstreamSpender({ id }: Identified): Spender {
  return { kind: 'upstream', upstreamId: id, name: '' }
}

export function targetSpender(
  { id }: Identified,
  { upstreamId, model }: { readonly upstreamId: string; readonly model: string },
): Spender {
  return { kind: 'target', upstreamId, name: `${id}\n${model}` }
}

export function credentialSpender({ id }: Identified, { name }: { readonly name: string }): Spender {
  return { kind: 'credential', upstreamId: id, name }
}

/** One text for each. */
export function spenderKey({ kind, upstreamId, name }: Spender): string {
  return `${kind}\n${upstreamId}\n${name}`
}
