import type { NoteChange } from '../../access/audit.ts'
import type { GroupStore } from '../../access/group.ts'
import { modelNote, upstreamNote } from '../../control/audit/catalogue-notes.ts'
import { newId } from '../../core/ids.ts'
import { parseUsd } from '../../core/money.ts'
import type { CatalogStore, Model, Upstream } from '../../routing/catalog.ts'

/** Within a change: adds the built-in demo upstream and its three models, as far as nothing has these names yet. */
export async function createDemoCatalog(
  { catalog, groups }: { readonly catalog: CatalogStore; readonly groups: Pick<GroupStore, 'groups'> },
  audit: NoteChange,
  nowMs: number,
): Promise<void> {
  const upstreams = await catalog.upstreams()
  const upstreamId = upstreams.find(({ name }) => name === UPSTREAM)?.id ?? newId('ups', nowMs)
  if (!upstreams.some(({ name }) => name === UPSTREAM)) {
    const upstream: Upstream = {
      id: upstreamId,
      name: UPSTREAM,
      protocol: 'demo',
      baseUrl: '',
      credentials: [],
      connectTimeoutMs: null,
      firstByteTimeoutMs: null,
      timeoutMs: null,
      maxConcurrency: null,
      headers: {},
      isManaged: false,
    }
    if (await catalog.putUpstream(upstream)) await audit(upstreamNote(null, upstream))
  }
  const names = { upstreams: await catalog.upstreams(), groups: await groups.groups() }
  const existing = new Set((await catalog.models()).map(({ name }) => name))
  for (const { name, input, output } of MODELS) {
    if (existing.has(name)) continue
    const model: Model = {
      id: newId('mdl', nowMs),
      name,
      prices: {
        input: parseUsd(input),
        output: parseUsd(output),
        cacheRead: null,
        cacheWrite: null,
        cacheWrite1h: null,
        other: null,
        units: null,
      },
      contextTokens: 128_000,
      maxOutputTokens: 16_384,
      targets: [{ upstreamId, model: name, priority: 0, weight: 1 }],
      createdAt: nowMs,
      isManaged: false,
    }
    if (await catalog.putModel(model)) await audit(modelNote(null, model, names))
  }
}

const UPSTREAM = 'demo'

/** Small prices, in USD per million tokens, and different ones, so that a first look at the costs shows something. */
const MODELS = [
  { name: 'demo/echo', input: '0.50', output: '1.50' },
  { name: 'demo/reasoner', input: '1', output: '4' },
  { name: 'demo/tools', input: '0.75', output: '3' },
] as const
