import type { ModelView } from '../../../../src/contract/models.ts'
import type { UpstreamTrialView, UpstreamView } from '../../../../src/contract/upstreams.ts'
import { ApiProblem } from '../../../api/api-problem.ts'
import { scaled, sumOf } from '../../../format/money.ts'

/** One model with one credential. */
export interface Cell {
  readonly model: string
  /** null: the upstream wants none. */
  readonly credential: string | null
}

/** `waiting`: not sent yet; `error`: the gateway sent nothing, with what it said. */
export type CellState =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'running' }
  | { readonly kind: 'done'; readonly trial: UpstreamTrialView }
  | { readonly kind: 'error'; readonly error: unknown }

export interface MatrixParts {
  send(cell: Cell): Promise<UpstreamTrialView>
  report(cell: Cell, state: CellState): void
  pause(ms: number): Promise<void>
  /** Asked before each request. */
  isStopped(): boolean
}

/** Tests at a time, of those that the gateway lets run. */
const AT_ONCE = 4
/** A gateway with too many tests under way is asked again so often, for each cell. */
const MOST_WAITS = 3
const LONGEST_WAIT_MS = 60_000

/** So many cells in one go: fewer than the gateway lets begin in a minute. */
export const MOST_CELLS = 96

export function cellKey({ model, credential }: Cell): string {
  return JSON.stringify([model, credential])
}

/** Sends each cell's request, in order and a few at a time; once it is stopped those under way end, and no other begins. */
export async function runMatrix(cells: readonly Cell[], parts: MatrixParts): Promise<void> {
  const waiting = cells.slice(0, MOST_CELLS)
  let next = 0
  const lane = async (): Promise<void> => {
    for (let cell = waiting[next++]; cell !== undefined && !parts.isStopped(); cell = waiting[next++]) {
      await runCell(cell, parts)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
}

async function runCell(cell: Cell, { send, report, pause, isStopped }: MatrixParts): Promise<void> {
  report(cell, { kind: 'running' })
  for (let waits = 0; ; waits += 1) {
    try {
      return report(cell, { kind: 'done', trial: await send(cell) })
    } catch (error) {
      const seconds = error instanceof ApiProblem && error.status === 429 ? (error.retryAfterSeconds ?? 1) : null
      if (seconds === null || waits >= MOST_WAITS) return report(cell, { kind: 'error', error })
      await pause(Math.min(seconds * 1_000, LONGEST_WAIT_MS))
      if (isStopped()) return report(cell, { kind: 'waiting' })
    }
  }
}

/** The chosen models with the chosen credentials; one that is for some models alone is tested with these. */
export function matrixCells(
  { name: upstream, models, credentials: pool }: Pick<UpstreamView, 'name' | 'models' | 'credentials'>,
  chosen: {
    readonly models: readonly string[]
    readonly credentials: readonly string[]
    readonly known: readonly ModelView[]
  },
): readonly Cell[] {
  const wanted = models.filter((model) => chosen.models.includes(model))
  if (pool.length === 0) return wanted.map((model) => ({ model, credential: null }))
  const usable = pool.filter(({ name }) => chosen.credentials.includes(name))
  return wanted.flatMap((model) => {
    const there = (chosen.known.find(({ name }) => name === model)?.targets ?? [])
      .filter((target) => target.upstream === upstream)
      .map((target) => target.model)
    return usable
      .filter((credential) => credential.models === null || there.some((name) => credential.models?.includes(name)))
      .map(({ name }) => ({ model, credential: name }))
  })
}

/** About what a test reads, and the most that it writes. A text of the admin's own has at most a token a character. */
const INPUT_TOKENS = 30
const OUTPUT_TOKENS = '16'

/** `usd`: at the most, of the models whose prices are known. */
interface MatrixCost {
  readonly usd: string
  /** Models of which neither a cost nor a price is known. */
  readonly unknown: readonly string[]
}

/** About what tests cost at the provider: by the dearest target of each model there, or else by the model’s own price. */
export function matrixCost(
  counts: ReadonlyMap<string, number>,
  of: { readonly models: readonly ModelView[]; readonly upstream: string; readonly textLength?: number },
): MatrixCost {
  const { models, upstream, textLength = 0 } = of
  const inputTokens = String(INPUT_TOKENS + textLength)
  const known = [...counts].map(([name, count]) => {
    const model = models.find((each) => each.name === name)
    return { name, count, usd: model === undefined ? null : costOf(model, { upstream, inputTokens }) }
  })
  return {
    usd: sumOf(known.map(({ usd, count }) => (usd === null ? '0' : scaled(usd, String(count), '1')))),
    unknown: known.filter(({ usd }) => usd === null).map(({ name }) => name),
  }
}

type Amounts = Pick<NonNullable<ModelView['price']>, 'input' | 'output' | 'per_request'>

interface Test {
  readonly upstream: string
  readonly inputTokens: string
}

function costOf({ price, targets }: ModelView, { upstream, inputTokens }: Test): string | null {
  const own = price === null ? null : ofRequest(price, inputTokens)
  const ofTargets = (targets ?? [])
    .filter((target) => target.upstream === upstream)
    .map(({ cost }) => {
      if (cost === null) return own
      if (cost.factor !== null) return own === null ? null : scaled(own, cost.factor, '1')
      return ofRequest(cost, inputTokens)
    })
    .filter((usd) => usd !== null)
  return ofTargets.toSorted((a, b) => Number(b) - Number(a))[0] ?? own
}

function ofRequest({ input, output, per_request: fee }: Amounts, inputTokens: string): string | null {
  if (input === null && output === null && fee === null) return null
  const tokens = (amount: string | null, count: string): string => scaled(amount ?? '0', count, '1000000')
  return sumOf([tokens(input, inputTokens), tokens(output, OUTPUT_TOKENS), fee ?? '0'])
}
