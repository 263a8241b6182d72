/** What upstreams list, looked at once a day: which names came, and which of those that are served went. */
import { MODEL_LIST_LIMIT } from '../core/limits.ts'
import type { ModelListResult } from '../core/model-list-results.ts'

/** What is kept of the lists of one upstream. */
export interface ListedModels {
  /** The base URL when the upstream gave them. */
  readonly baseUrl: string
  /** What its newest list had, and what was usual there before. */
  readonly known: readonly string[]
  /** What its first list did not have, and a later one does, neither served nor ignored. */
  readonly added: readonly string[]
  /** What is served from it, and was listed before. */
  readonly gone: readonly string[]
}

/** How the last look at an upstream ended, and what has changed there since the first. */
export interface ModelListStanding extends Pick<ListedModels, 'added' | 'gone'> {
  readonly upstreamId: string
  /** The base URL of what has changed; null: it has given no list yet. */
  readonly baseUrl: string | null
  /** Epoch milliseconds. */
  readonly checkedAt: number
  /** null: it goes on. */
  readonly result: ModelListResult | null
}

export interface ListedModelStore {
  /** Takes the next look at an upstream where it is due (`isLookDue`); false: another node has taken it. */
  claimLook(upstreamId: string, when: { readonly nowMs: number; readonly everyMs: number }): Promise<boolean>
  /** null: it has given no list yet. */
  listedModels(upstreamId: string): Promise<ListedModels | null>
  /** `listed` null: it gave no list, and what is known stays. */
  noteLook(
    upstreamId: string,
    look: { readonly result: ModelListResult; readonly listed: ListedModels | null },
  ): Promise<void>
  standings(): Promise<readonly ModelListStanding[]>
  /** `upstreamIds`: at least one. */
  forget(upstreamIds: readonly string[]): Promise<void>
}

/** Clocks differ; a look from further ahead was made by a wrong one. */
export const LOOK_AHEAD_MS = 3_600_000
/** A look takes seconds: one that has not ended by then was broken off. */
export const LOOK_ENDS_MS = 300_000

/** Whether an upstream is to be looked at again. */
export function isLookDue(
  { checkedAt, result }: Pick<ModelListStanding, 'checkedAt' | 'result'>,
  { nowMs, everyMs }: { readonly nowMs: number; readonly everyMs: number },
): boolean {
  const ageMs = nowMs - checkedAt
  return ageMs >= everyMs || ageMs < -LOOK_AHEAD_MS || (result === null && ageMs >= LOOK_ENDS_MS)
}

/**
 * Adds the list that came now. The first one says what is usual there: of hundreds of models a few may be served, and some
 * that are served may never be listed. Only what differs from that later is named, until it is served, ignored or back.
 */
export function withList(
  before: ListedModels | null,
  list: { readonly baseUrl: string; readonly names: readonly string[]; readonly isWhole: boolean },
  { served, ignored }: { readonly served: ReadonlySet<string>; readonly ignored: ReadonlySet<string> },
): ListedModels {
  const { baseUrl } = list
  if (before?.baseUrl !== baseUrl) return { baseUrl, known: list.names, added: [], gone: [] }
  const listed = new Set(list.names)
  const usual = new Set(before.known.filter((name) => !before.added.includes(name)))
  const added = list.names.filter((name) => !usual.has(name) && !served.has(name) && !ignored.has(name))
  const wereThere = list.isWhole ? new Set([...before.gone, ...before.known]) : before.gone
  const gone = [...wereThere].filter((name) => !listed.has(name) && served.has(name))
  // A list that is short for once makes nothing new of what was usual; what one that goes on lacks may be on its next page.
  const kept = list.isWhole ? usual : before.known
  const known = [...new Set([...list.names, ...kept])].slice(0, 2 * MODEL_LIST_LIMIT)
  return { baseUrl, known, added, gone }
}
