/** The daily look at the models that upstreams list, where the setting is on. */
import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '../../core/clock.ts'
import { DAY_MS } from '../../core/durations.ts'
import type { Logger } from '../../core/log.ts'
import type { CatalogStore, Upstream } from '../../routing/catalog.ts'
import { isLookDue, type ListedModelStore, withList } from '../../routing/listed-models.ts'
import type { KeptSettings } from '../changeable-stores.ts'
import { readUpkeepSettings } from '../settings/upkeep-settings.ts'
import { namesServedFrom } from '../models/model-lists.ts'
import { readIgnoredModels } from '../models/upstream-models.ts'
import type { UpstreamModelList } from '../parts.ts'

export interface ModelCheckOptions {
  readonly store: {
    readonly catalog: Pick<CatalogStore, 'models' | 'upstreams'>
    readonly settings: KeptSettings
    readonly listedModels: ListedModelStore
  }
  /** Asks an upstream for its list; null: it cannot be asked now. */
  lookAt(upstreamId: string): (() => Promise<UpstreamModelList>) | null
  readonly clock: Pick<Clock, 'now'>
  readonly log: Pick<Logger, 'info'>
}

/** Looks at the upstreams that are due, one after the other. */
export async function checkModels(options: ModelCheckOptions, isStopped: () => boolean = () => false): Promise<void> {
  const { store, lookAt, clock } = options
  if (!(await readUpkeepSettings(store.settings)).check_models) return
  const [upstreams, standings] = await Promise.all([store.catalog.upstreams(), store.listedModels.standings()])
  const looks = new Map(standings.map((standing) => [standing.upstreamId, standing]))
  const ids = new Set(upstreams.map(({ id }) => id))
  const goneIds = standings.map(({ upstreamId }) => upstreamId).filter((id) => !ids.has(id))
  if (goneIds.length > 0) await store.listedModels.forget(goneIds)
  for (const upstream of upstreams) {
    if (isStopped()) return
    const last = looks.get(upstream.id)
    // Whether it is really due is decided where one of the nodes takes the look.
    if (last !== undefined && !isLookDue(last, { nowMs: clock.now(), everyMs: DAY_MS })) continue
    const ask = lookAt(upstream.id)
    if (ask !== null) await checkOne(upstream, ask, options)
  }
}

async function checkOne(
  { id, name, baseUrl }: Upstream,
  ask: () => Promise<UpstreamModelList>,
  { store, clock, log }: ModelCheckOptions,
): Promise<void> {
  const { listedModels } = store
  if (!(await listedModels.claimLook(id, { nowMs: clock.now(), everyMs: DAY_MS }))) return
  const { result, listed: list } = await ask()
  // One without any models says nothing of what was there: a provider that has none answers no request either.
  if (list === null || list.names.length === 0) {
    await listedModels.noteLook(id, { result, listed: null })
    log.info({ upstream: name, result }, 'found no models in the list of an upstream; it is asked again in a day')
    return
  }
  // Read after the answer, since an admin may have changed what is served and ignored meanwhile.
  const [before, models, ignored] = await Promise.all([
    listedModels.listedModels(id),
    store.catalog.models(),
    readIgnoredModels(store.settings, id),
  ])
  const served = namesServedFrom(models).get(id) ?? new Set<string>()
  const listed = withList(before, { baseUrl, ...list }, { served, ignored: new Set(ignored) })
  await listedModels.noteLook(id, { result, listed })
  const { added, gone } = listed
  if (!isDeepStrictEqual([before?.added ?? [], before?.gone ?? []], [added, gone])) {
    log.info(
      { upstream: name, added: added.length, gone: gone.length },
      'found changes in the list of an upstream’s models',
    )
  }
}
