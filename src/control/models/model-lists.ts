/** What the daily look at the lists of upstreams has found, as far as it still holds. */
import type { ListedModelStore, ModelListStanding } from '../../routing/listed-models.ts'
import type { Model, Upstream } from '../../routing/catalog.ts'
import type { KeptSettings } from '../changeable-stores.ts'
import { readUpkeepSettings } from '../settings/upkeep-settings.ts'
import { readAllIgnoredModels } from './upstream-models.ts'

interface ModelListStores {
  readonly settings: Pick<KeptSettings, 'read' | 'write'>
  readonly listedModels: Pick<ListedModelStore, 'standings'>
  readonly catalog: { models(): Promise<readonly Model[]> }
}

/**
 * Lists by the ids of upstreams; none where the setting is off. What is served or ignored since is not new, what is not served not
 * gone, and what was found at another address is neither.
 */
export async function readModelLists(
  store: ModelListStores,
  upstreams: readonly Pick<Upstream, 'id' | 'baseUrl'>[],
): Promise<ReadonlyMap<string, ModelListStanding>> {
  if (!(await readUpkeepSettings(store.settings)).check_models) return new Map()
  const addresses = new Map(upstreams.map(({ id, baseUrl }) => [id, baseUrl]))
  const standings = (await store.listedModels.standings()).map((standing) =>
    standing.baseUrl === addresses.get(standing.upstreamId) ? standing : { ...standing, added: [], gone: [] },
  )
  const isQuiet = standings.every(({ added, gone }) => added.length + gone.length === 0)
  const [served, ignored] = isQuiet
    ? [new Map<string, ReadonlySet<string>>(), new Map<string, readonly string[]>()]
    : [namesServedFrom(await store.catalog.models()), await readAllIgnoredModels(store.settings)]
  return new Map(
    standings.map((standing) => {
      const { upstreamId: id } = standing
      const [isServed, isIgnored] = [served.get(id) ?? new Set(), new Set(ignored.get(id))]
      const added = standing.added.filter((name) => !isServed.has(name) && !isIgnored.has(name))
      return [id, { ...standing, added, gone: standing.gone.filter((name) => isServed.has(name)) }]
    }),
  )
}

/** The names that models have at each upstream, by its id. */
export function namesServedFrom(models: readonly Model[]): ReadonlyMap<string, ReadonlySet<string>> {
  const names = new Map<string, Set<string>>()
  for (const { upstreamId, model } of models.flatMap(({ targets }) => targets)) {
    const known = names.get(upstreamId) ?? new Set()
    names.set(upstreamId, known.add(model))
  }
  return names
}
