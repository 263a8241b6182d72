/** The bench's command line. */
import { parseArgs } from 'node:util'
import type { Plan } from './measure/interleave.ts'
import type { WorkloadName } from './workload.ts'

export interface BenchOptions {
  readonly workloads: readonly WorkloadName[]
  readonly plan: Plan
  /** How often `npm start` is timed. */
  readonly starts: number
  /** Name of the results file, or null. */
  readonly saveAs: string | null
  /** Null: this checkout's own gateway. */
  readonly entry: string | null
}

const USAGE = `node bench/run.ts [options]
  --quick            a minute, for a first look
  --only <workload>  plain, stream, large, latency or translated
  --save <what>      keep the figures as bench/results/<date>-<what>.json
  --entry <file>     the file of another gateway to measure, in place of bin/tollgate.js`

const FULL: Plan = { turns: 5, durationMs: 2_000, spareTurns: 2 }
const QUICK: Plan = { turns: 2, durationMs: 1_000, spareTurns: 0 }

const CHOICES: Readonly<Record<string, readonly WorkloadName[]>> = {
  plain: ['plain'],
  stream: ['stream', 'paced'],
  large: ['large'],
  latency: ['latency'],
  translated: [
    'translated-stream',
    'translated-gemini',
    'translated-responses',
    'translated-messages',
    'translated-paced',
    'translated-plain',
    'translated-large',
  ],
}
const QUICK_WORKLOADS: readonly WorkloadName[] = ['plain', 'stream', 'large', 'latency', 'translated-stream']

/** Throws an Error that says what is wrong, and how it is called. */
export function readOptions(argv: readonly string[]): BenchOptions {
  try {
    return choose(parse(argv))
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`, { cause: error })
  }
}

function parse(argv: readonly string[]) {
  return parseArgs({
    args: [...argv],
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string' },
      save: { type: 'string' },
      entry: { type: 'string' },
    },
  }).values
}

function choose({ quick, only, save, entry }: ReturnType<typeof parse>): BenchOptions {
  const chosen = only === undefined ? undefined : CHOICES[only]
  if (only !== undefined && chosen === undefined) throw new Error(`--only takes ${Object.keys(CHOICES).join(', ')}`)
  if (save !== undefined && !/^[a-z0-9][a-z0-9-]{0,60}$/.test(save)) {
    throw new Error('--save takes a name of lower-case letters, digits and dashes')
  }
  const starts = quick ? 1 : 3
  return {
    workloads: chosen ?? (quick ? QUICK_WORKLOADS : Object.values(CHOICES).flat()),
    plan: quick ? QUICK : FULL,
    starts: chosen === undefined ? starts : 0,
    saveAs: save ?? null,
    entry: entry ?? null,
  }
}
