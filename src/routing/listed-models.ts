/** What upstreams list, looked at once a day: which names came, and which of those that are served went. */
import { MODEL_LIST_LIMIT } from '../core/limits.ts'
import type { ModelListResult } from '../core/model-list-results.ts'

/** What is kept of the lists of one upstream. */
export interface ListedModels {
  /** Its base URL when it gave them. */
  readonly baseUrl: string
  /** What its newest list had. */
  readonly known: readonly string[]
  /** What its first list did not have, and a later one does, neither served nor ignored. */
  readonly added: readonly string[]
  /** What is served from it, and was listed before. */
  readonly gone: readonly string[]
}

/** How the last look at an upstream ended, and what has changed there since the first. */
export interface ModelListStanding extends Pick<ListedModels, 'added' | 'gone'> {
  readonly upstreamId: string
  /** Epoch milliseconds. */
  readonly checkedAt: number
  /** null: it goes on. */
  readonly result: ModelListResult | null
}

export interface ListedModelStore {
  /** Takes the next look at an upstream; false: another node has, less than `everyMs` ago. */
  claimLook(upstreamId: string, when: { readonly nowMs: number; readonly everyMs: number }): Promise<boolean>
  /** null: it has given no list yet. */
  listedModels(upstreamId: string): Promise<ListedModels | null>
  /** `listed` null: it gave no list, and what is known stays. */
  noteLook(
    upstreamId: string,
    look: { readonly result: ModelListResult; readonly listed: ListedModels | null },
  ): Promise<void>
  standings(): Promise<readonly ModelListStanding[]>
  /** Forgets the upstreams that are not among these. */
  keepOnly(upstreamIds: readonly string[]): Promise<void>
}

/**
 * With the list that came now. The first one says what is usual there: of hundreds of models a few may be served, and some
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
  // What a list that goes on does not have may be on its next page.
  const names = list.isWhole ? list.names : [...new Set([...list.names, ...before.known])].slice(0, MODEL_LIST_LIMIT)
  return { baseUrl, known: names, added, gone }
}
