/** Results as files, so that figures of different days can be laid side by side. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Bar } from '../bars.ts'
import type { Machine } from '../machine/describe.ts'
import type { Books } from '../measure/books.ts'
import type { MemoryUse } from '../measure/memory.ts'
import type { Series } from '../measure/series.ts'

export interface Results {
  readonly machine: Machine
  readonly bars: readonly Bar[]
  readonly memory: readonly MemoryUse[]
  readonly books: readonly Books[]
  readonly series: readonly Series[]
}

/** Writes `bench/results/<date>-<what>.json` and answers that name. Numbers keep four digits that count. */
export async function saveResults(results: Results, { what, now }: { what: string; now: Date }): Promise<string> {
  const date = now.toISOString().slice(0, 10)
  const name = `${date}-${what}.json`
  const folder = fileURLToPath(new URL('../../results/', import.meta.url))
  await mkdir(folder, { recursive: true })
  const text = JSON.stringify({ date, what, ...results }, (_, value: unknown) => shorten(value), 2)
  await writeFile(join(folder, name), `${text}\n`)
  return name
}

function shorten(value: unknown): unknown {
  if (typeof value !== 'number' || Number.isInteger(value)) return value
  return Number(value.toPrecision(4))
}
