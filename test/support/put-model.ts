import { newId } from '../../src/core/ids.ts'
import type { TokenPrices } from '../../src/core/prices.ts'
import type { UpstreamProtocol } from '../../src/core/upstream-protocol.ts'
import type { Target, Upstream } from '../../src/routing/catalog.ts'
import type { Serving } from '../../src/routing/serving.ts'
import type { Store } from '../../src/store/store.ts'
import { TEST_PRICES } from './gateway-under-test.ts'

/** One target of a model that is put up for a test. */
export interface ServerTarget {
  readonly port: number
  /** The model's name there. */
  readonly model?: string
  readonly protocol?: UpstreamProtocol
  readonly priority?: number
  readonly weight?: number
  /** What else is set on it. */
  readonly more?: Pick<Target, 'groupIds' | 'cost' | 'minMargin' | 'droppedSettings' | 'fieldsLike' | 'rules'>
  readonly settings?: Partial<Upstream>
}

interface ModelUnderTest {
  readonly name: string
  readonly prices?: TokenPrices
  readonly serving?: Serving
}

/** Puts up a model with an upstream of its own for each target. */
export async function putModelOf(
  store: Store,
  { targets, ...model }: ModelUnderTest & { readonly targets: readonly ServerTarget[] },
): Promise<void> {
  const entries = []
  for (const [index, target] of targets.entries()) {
    const { model: nameThere = 'm', priority = 0, weight = 1, more } = target
    const upstreamId = await putUpstreamOf(store, `${model.name}-${index}`, target)
    entries.push({ upstreamId, model: nameThere, priority, weight, ...more })
  }
  await putTargetsOf(store, { ...model, targets: entries })
}

/** Puts up an upstream at which models may be put up, and resolves with its id. */
export async function putUpstreamOf(
  store: Store,
  name: string,
  { port, protocol = 'openai', settings }: Pick<ServerTarget, 'port' | 'protocol' | 'settings'>,
): Promise<string> {
  const id = newId('ups', Date.now())
  await store.catalog.putUpstream({
    id,
    name,
    protocol,
    baseUrl: `http://127.0.0.1:${port}/v1`,
    credentials: [],
    connectTimeoutMs: null,
    firstByteTimeoutMs: null,
    timeoutMs: null,
    maxConcurrency: null,
    headers: {},
    isManaged: false,
    ...settings,
  })
  return id
}

/** Puts up a model with targets at upstreams that are there. */
export async function putTargetsOf(
  store: Store,
  { name, targets, prices = TEST_PRICES, serving }: ModelUnderTest & { readonly targets: readonly Target[] },
): Promise<void> {
  const now = Date.now()
  await store.catalog.putModel({
    id: newId('mdl', now),
    name,
    prices,
    contextTokens: 200_000,
    maxOutputTokens: 64_000,
    ...(serving === undefined ? {} : { serving }),
    targets,
    createdAt: now,
    isManaged: false,
  })
}
