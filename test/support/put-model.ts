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

/** Puts up a model with an upstream of its own for each target. */
export async function putModelOf(
  store: Store,
  model: { name: string; targets: readonly ServerTarget[]; prices?: TokenPrices; serving?: Serving },
): Promise<void> {
  const { name, targets, prices = TEST_PRICES, serving } = model
  const now = Date.now()
  const entries = []
  for (const [index, target] of targets.entries()) {
    const { port, model: nameThere = 'm', protocol = 'openai', priority = 0, weight = 1, settings, more } = target
    const upstreamId = newId('ups', now)
    entries.push({ upstreamId, model: nameThere, priority, weight, ...more })
    await store.catalog.putUpstream({
      id: upstreamId,
      name: `${name}-${index}`,
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
  }
  await store.catalog.putModel({
    id: newId('mdl', now),
    name,
    prices,
    contextTokens: 200_000,
    maxOutputTokens: 64_000,
    ...(serving === undefined ? {} : { serving }),
    targets: entries,
    createdAt: now,
    isManaged: false,
  })
}
