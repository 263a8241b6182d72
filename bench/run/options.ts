/** The bench's command line. */
import { resolve } from 'node:path'
import { parsed, UsageError } from '../../tools/sub-commands.ts'
import { wholeNumber } from '../command.ts'
import type { Plan } from './measure/interleave.ts'
import { BARE_PROXY, type Peer } from './peers/start-peers.ts'
import { TRANSLATED_NAMES, WORKLOAD_NAMES, type WorkloadName } from './workloads.ts'

export interface BenchOptions {
  readonly workloads: readonly WorkloadName[]
  readonly plan: Plan
  /** How often a start is timed. 0: neither starts nor memory are asked for. */
  readonly starts: number
  /** The file of another gateway of ours, measured in the same turns; null: none. */
  readonly beside: string | null
  /** How many threads of the gateway beside carry requests; null: as many as it has by itself. */
  readonly workers: number | null
  readonly peers: readonly Peer[]
}

const USAGE = `npm run bench -- run [options]
  --quick            a minute, for a first look
  --only <names>     some of ${WORKLOAD_NAMES.join(', ')}, with commas between; translated: all of those;
                     or protocols, which is measured in one process
  --beside <file>    the file of another gateway of ours, measured in the same turns: before and after a change
  --workers <n>      n threads for the gateway beside; without --beside, that is the measured one again
  --peer <name=file> another gateway in the same turns (bench/README.md says how it is started); may be given again
  --peer bare        a proxy of node:net that passes bytes on and reads none: the floor of Node`

const FULL: Plan = { turns: 3, durationMs: 1_500, spareTurns: 2 }
const QUICK: Plan = { turns: 2, durationMs: 1_000, spareTurns: 2 }

/** Names that stand for several workloads. */
const GROUPS: Readonly<Record<string, readonly WorkloadName[]>> = {
  stream: ['stream', 'paced'],
  translated: TRANSLATED_NAMES,
}
const QUICK_WORKLOADS: readonly WorkloadName[] = ['plain', 'stream', 'large', 'latency', 'translated-stream']

/** Throws a UsageError that says what is wrong, and how it is called. */
export function readOptions(argv: readonly string[]): BenchOptions {
  try {
    return choose(parse(argv))
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`, { cause: error })
  }
}

function parse(argv: readonly string[]) {
  return parsed({
    args: [...argv],
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string' },
      beside: { type: 'string' },
      workers: { type: 'string' },
      peer: { type: 'string', multiple: true, default: [] },
    },
  }).values
}

function choose({ quick, only, beside, workers, peer }: ReturnType<typeof parse>): BenchOptions {
  const usual = quick ? QUICK_WORKLOADS : WORKLOAD_NAMES
  return {
    workloads: only === undefined ? usual : workloadsNamed(only),
    plan: quick ? QUICK : FULL,
    starts: only !== undefined ? 0 : quick ? 1 : 2,
    beside: beside ?? null,
    workers: workers === undefined ? null : wholeNumber('workers', workers),
    peers: peer.map(readPeer),
  }
}

function workloadsNamed(only: string): readonly WorkloadName[] {
  const parts = only.split(',').map((part) => GROUPS[part] ?? WORKLOAD_NAMES.filter((name) => name === part))
  if (parts.every((part) => part.length > 0)) return [...new Set(parts.flat())]
  throw new Error(`--only takes ${[...new Set([...WORKLOAD_NAMES, ...Object.keys(GROUPS)])].join(', ')}`)
}

function readPeer(text: string): Peer {
  if (text === BARE_PROXY.name) return BARE_PROXY
  const [, name, path] = /^([a-z0-9][a-z0-9.-]{0,30})=(.+)$/.exec(text) ?? []
  if (name === undefined || path === undefined) throw new Error('--peer takes name=/path/to/program')
  return { name, command: [resolve(path)], isBare: false }
}
