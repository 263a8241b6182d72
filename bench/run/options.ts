/** The bench's command line. */
import { parsed, UsageError } from '../../tools/sub-commands.ts'
import type { Plan } from './measure/interleave.ts'
import type { PeerWish } from './peers/peer.ts'
import type { WorkloadName } from './workload.ts'
import { BESIDE_NGINX_WORKLOADS, WORKLOADS } from './workloads.ts'

export interface BenchOptions {
  readonly workloads: readonly WorkloadName[]
  readonly plan: Plan
  /** In place of the number that the workloads have; null: theirs. */
  readonly connections: number | null
  /** How often a start is timed. 0: neither starts nor memory are asked for. */
  readonly starts: number
  /** Name of the results file, or null. */
  readonly saveAs: string | null
  /** Null: this checkout's own gateway. */
  readonly entry: string | null
  /** The file of another gateway of ours, measured in the same turns; null: none. */
  readonly beside: string | null
  /** How many threads of the gateway beside carry requests; null: as many as it has by itself. */
  readonly workers: number | null
  readonly peers: PeerWish
}

const USAGE = `npm run bench -- run [options]
  --quick            a minute, for a first look
  --table            every figure that has a goal beside nginx, in less than six minutes
  --only <names>     some of ${Object.keys(WORKLOADS).join(', ')}, with commas between; translated: all of those;
                     or one of hot-path, protocols, settle, which are measured in one process
  --profile          where the microseconds of one workload go; it has options of its own
  --connections <n>  another number of connections for those workloads
  --save <what>      keep the figures as bench/results/<date>-<what>.json
  --entry <file>     the file of another gateway to measure, in place of bin/tollgate.js
  --beside <file>    the file of another gateway of ours, measured in the same turns: before and after a change
  --workers <n>      n threads for the gateway beside; without --beside, that is the measured one again
  --peers            other people's gateways in the same turns: those that npm and PyPI have are installed for this run
  --peer <name=file> a gateway that is here already (bench/README.md says how it is started); may be given again
  --peer bare        a proxy of node:net that passes bytes on and reads none: the floor of Node`

const FULL: Plan = { turns: 5, durationMs: 2_000, spareTurns: 2 }
const TABLE: Plan = { turns: 3, durationMs: 1_500, spareTurns: 2 }
const QUICK: Plan = { turns: 2, durationMs: 1_000, spareTurns: 2 }
const MOST_CONNECTIONS = 1_000
const MOST_WORKERS = 64
const BARE = 'bare'

/** Names that stand for several workloads. */
const GROUPS: Readonly<Record<string, readonly WorkloadName[]>> = {
  stream: ['stream', 'paced'],
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
      table: { type: 'boolean', default: false },
      only: { type: 'string' },
      connections: { type: 'string' },
      beside: { type: 'string' },
      workers: { type: 'string' },
      peers: { type: 'boolean', default: false },
      peer: { type: 'string', multiple: true, default: [] },
      save: { type: 'string' },
      entry: { type: 'string' },
    },
  }).values
}

function choose(given: ReturnType<typeof parse>): BenchOptions {
  const { quick, table, only, save } = given
  if (quick && table) throw new Error('--quick or --table, not both')
  const chosen = only === undefined ? null : workloadsNamed(only)
  if (save !== undefined && !/^[a-z0-9][a-z0-9-]{0,60}$/.test(save)) {
    throw new Error('--save takes a name of lower-case letters, digits and dashes')
  }
  const starts = quick ? 1 : table ? 2 : 3
  return {
    workloads: chosen ?? (quick ? QUICK_WORKLOADS : table ? besideNginx() : allWorkloads()),
    connections: countOf('--connections', given.connections, MOST_CONNECTIONS),
    plan: quick ? QUICK : table ? TABLE : FULL,
    starts: chosen === null ? starts : 0,
    saveAs: save ?? null,
    entry: given.entry ?? null,
    beside: given.beside ?? null,
    workers: countOf('--workers', given.workers, MOST_WORKERS),
    peers: {
      fromRegistries: given.peers,
      isBareWanted: given.peer.includes(BARE),
      given: given.peer.filter((text) => text !== BARE).map(readPeer),
    },
  }
}

function besideNginx(): WorkloadName[] {
  return Object.values(BESIDE_NGINX_WORKLOADS).map(({ name }) => name)
}

function allWorkloads(): WorkloadName[] {
  return Object.values(WORKLOADS).map(({ name }) => name)
}

function workloadsNamed(only: string): readonly WorkloadName[] {
  const parts = only.split(',').map((part) => GROUPS[part] ?? allWorkloads().filter((name) => name === part))
  if (parts.every((part) => part.length > 0)) return [...new Set(parts.flat())]
  throw new Error(`--only takes ${[...new Set([...allWorkloads(), ...Object.keys(GROUPS)])].join(', ')}`)
}

function countOf(option: string, text: string | undefined, most: number): number | null {
  if (text === undefined) return null
  const count = Number(text)
  if (Number.isInteger(count) && count > 0 && count <= most) return count
  throw new Error(`${option} takes a number from 1 to ${most}`)
}

function readPeer(text: string): { name: string; path: string } {
  const [, name, path] = /^([a-z0-9][a-z0-9.-]{0,30})=(.+)$/.exec(text) ?? []
  if (name === undefined || path === undefined) throw new Error('--peer takes name=/path/to/program')
  return { name, path }
}
