import { newId } from '../../core/ids.ts'
import { parseUsd } from '../../core/money.ts'
import type { CatalogStore } from '../../routing/catalog.ts'

/** Adds the built-in demo upstream and its three models, as far as nothing has these names yet. */
export async function createDemoCatalog(catalog: CatalogStore, nowMs: number): Promise<void> {
  const upstreams = await catalog.upstreams()
  const upstreamId = upstreams.find(({ name }) => name === UPSTREAM)?.id ?? newId('ups', nowMs)
  if (!upstreams.some(({ name }) => name === UPSTREAM)) {
    await catalog.putUpstream({
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
    })
  }
  const existing = new Set((await catalog.models()).map(({ name }) => name))
  for (const { name, input, output } of MODELS) {
    if (existing.has(name)) continue
    await catalog.putModel({
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
    })
  }
}

const UPSTREAM = 'demo'

/** Small prices, in USD per million tokens, and different ones, so that a first look at the costs shows something. */
const MODELS = [
  { name: 'demo/echo', input: '0.50', output: '1.50' },
  { name: 'demo/reasoner', input: '1', output: '4' },
  { name: 'demo/tools', input: '0.75', output: '3' },
] as const
