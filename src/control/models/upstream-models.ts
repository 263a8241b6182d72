import type { UpstreamModelsView } from '../../contract/upstream-models.ts'
import { MODEL_LIST_LIMIT } from '../../core/limits.ts'
import type { Model } from '../../routing/catalog.ts'
import { kindByName } from '../../routing/kind-by-name.ts'
import type { ChangeableStores, KeptSettings } from '../changeable-stores.ts'
import type { UpstreamModelList } from '../parts.ts'

/** Ignored models by the id of their upstream. */
const IGNORED = 'ignored_models'

/** What an upstream lists beside what is served from it: what is new there first, then what is gone. */
export function comparedModels(
  { isGood, status, totalMs, result, said, detail, listed }: UpstreamModelList,
  {
    upstreamId,
    models,
    ignored,
  }: { readonly upstreamId: string; readonly models: readonly Model[]; readonly ignored: readonly string[] },
): UpstreamModelsView {
  const about = { ok: isGood, status, total_ms: totalMs, result, said, detail }
  if (listed === null) return { ...about, whole: false, data: [] }
  const served = Map.groupBy(
    models.flatMap(({ name, targets }) =>
      targets.filter((target) => target.upstreamId === upstreamId).map(({ model }) => ({ model, name })),
    ),
    ({ model }) => model,
  )
  const namesOf = (model: string) => [...new Set(served.get(model)?.map(({ name }) => name))]
  const kindOf = (model: string) => kindByName(model) ?? 'chat'
  const there = listed.names.map((model) => {
    const names = namesOf(model)
    const state = names.length > 0 ? 'served' : ignored.includes(model) ? 'ignored' : 'new'
    return { model, state, kind: kindOf(model), models: names } as const
  })
  const gone = [...served.keys()]
    .filter((model) => listed.isWhole && !listed.names.includes(model))
    .map((model) => ({ model, state: 'gone', kind: kindOf(model), models: namesOf(model) }) as const)
  const order = ['new', 'gone', 'served', 'ignored']
  const data = [...there, ...gone].toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state))
  return { ...about, whole: listed.isWhole, data }
}

export async function readIgnoredModels(
  settings: Pick<KeptSettings, 'read'>,
  upstreamId: string,
): Promise<readonly string[]> {
  return (await readAllIgnoredModels(settings)).get(upstreamId) ?? []
}

/** Ignored models by the ids of their upstreams. */
export async function readAllIgnoredModels(
  settings: Pick<KeptSettings, 'read'>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  return ignoredIn(await settings.read(IGNORED))
}

/** Within a change. Returns those that were ignored before, and those that are now; upstreams that are gone are forgotten. */
export async function ignoreModels(
  { settings, catalog }: Pick<ChangeableStores, 'settings' | 'catalog'>,
  wish: { readonly upstreamId: string; readonly names: readonly string[]; readonly isIgnored: boolean },
): Promise<{ readonly before: readonly string[]; readonly after: readonly string[] }> {
  const all = ignoredIn(await settings.lock(IGNORED, '{}'))
  const before = all.get(wish.upstreamId) ?? []
  const others = before.filter((name) => !wish.names.includes(name))
  const after = wish.isIgnored ? [...others, ...new Set(wish.names)].slice(-MODEL_LIST_LIMIT) : others
  const ids = new Set((await catalog.upstreams()).map(({ id }) => id))
  const kept = [...all, [wish.upstreamId, after] as const].filter(([id]) => ids.has(id))
  await settings.write(IGNORED, JSON.stringify(Object.fromEntries(kept)))
  return { before, after }
}

/** Reads what is stored without a schema, which a plain start does not load. */
function ignoredIn(text: string | null): ReadonlyMap<string, readonly string[]> {
  const stored: unknown = JSON.parse(text ?? '{}')
  const entries = typeof stored === 'object' && stored !== null ? Object.entries(stored) : []
  return new Map(entries.every(isList) ? entries : [])
}

function isList(entry: [string, unknown]): entry is [string, string[]] {
  return Array.isArray(entry[1]) && entry[1].every((name) => typeof name === 'string')
}
