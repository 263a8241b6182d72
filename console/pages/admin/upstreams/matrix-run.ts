import type { ModelView } from '../../../../src/contract/models.ts'
import type { UpstreamTrialView, UpstreamView } from '../../../../src/contract/upstreams.ts'
import { ApiProblem } from '../../../api/api-problem.ts'

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
