/** What is wrong with the machines that the gateway runs on. */
import { STORE_FAILURE_TEXTS, type StoreFailure } from '../../core/store-failures.ts'
import { daysUntilFull, type DiskStanding, type NodeView } from '../system.ts'
import type { RawItem } from './attention-item.ts'

/** A disk is full when it has no more than this part left. */
const LITTLE_LEFT = 0.1
const CLOCK_OFF_MS = 2_000
const MOST_HOSTS = 20
/** A node in good order follows each change at once; a few may be on their way. */
const FAR_BEHIND = 50
const NAMES = { data: 'the data directory', backups: 'the backups', archive: 'the archive of records' } as const

export function fullDisks(disks: readonly DiskStanding[]): readonly RawItem[] {
  return disks.flatMap((disk): RawItem[] => {
    const { of, bytes, freeBytes } = disk
    if (freeBytes > bytes * LITTLE_LEFT) return []
    const days = daysUntilFull(disk)
    const left = `The disk of ${NAMES[of]} is ${Math.floor((1 - freeBytes / bytes) * 100)} % full, with ${Math.floor(freeBytes / 2 ** 20)} MiB left`
    const until = days === null ? '' : `; at its growth it is full in ${days} ${days === 1 ? 'day' : 'days'}`
    const detail = `${left}${until}: make room, or enlarge it. A full disk stops what is written there.`
    return [
      {
        kind: 'disk_full',
        disk: { of, bytes, free_bytes: freeBytes, full_in_days: days },
        detail,
      },
    ]
  })
}

/** `failure`: see the parts of the control plane. */
export function failingStore(failure: StoreFailure | null): readonly RawItem[] {
  if (failure === null) return []
  const { cause, remedy } = STORE_FAILURE_TEXTS[failure]
  const detail = `${cause} Until it can be used, every call is refused with store_unavailable. ${remedy}`
  return [{ kind: 'store_failing', store: failure, detail }]
}

/** Nodes that are far behind the changes of others: what they hold in memory is old. */
export function nodesBehind(nodes: readonly Pick<NodeView, 'host' | 'process_id' | 'behind'>[]): readonly RawItem[] {
  return nodes
    .filter(({ behind }) => behind >= FAR_BEHIND)
    .slice(0, MOST_HOSTS)
    .map(({ host, process_id: processId, behind }) => ({
      kind: 'node_behind',
      node: { host: `${host} (${processId})`, behind },
      detail: `The node ${processId} on ${host} has not followed ${behind} changes: look at its load and its connection to the database, or restart it.`,
    }))
}

/** `areLimitsExact`: see the parts of the control plane. */
export function redisDown(areLimitsExact: boolean | null): readonly RawItem[] {
  if (areLimitsExact !== false) return []
  const detail =
    'Redis does not answer, so that each node enforces its share of the limits on requests, tokens and concurrency: look at the server of REDIS_URL and at the log of this one.'
  return [{ kind: 'redis_down', detail }]
}

/** One for each host, by the node there that sees the largest difference. */
export function clocksOff(nodes: readonly Pick<NodeView, 'host' | 'standing'>[]): readonly RawItem[] {
  const worst = new Map<string, { readonly aheadMs: number; readonly of: 'database' | 'providers' }>()
  for (const { host, standing } of nodes) {
    for (const side of ['database', 'providers'] as const) {
      const aheadMs = standing?.clock[side] ?? 0
      const known = Math.abs(worst.get(host)?.aheadMs ?? 0)
      if (Math.abs(aheadMs) > Math.max(CLOCK_OFF_MS, known)) worst.set(host, { aheadMs, of: side })
    }
  }
  return [...worst].slice(0, MOST_HOSTS).map(([host, difference]) => clockItem(host, difference))
}

/** The host that answers, beside the OIDC provider: sign-ins fail where they differ by more than a minute. */
export function oidcClockOff(
  nodes: readonly Pick<NodeView, 'host' | 'here'>[],
  aheadMs: number | null,
): readonly RawItem[] {
  const host = nodes.find(({ here }) => here)?.host
  if (host === undefined || aheadMs === null || Math.abs(aheadMs) <= CLOCK_OFF_MS) return []
  return [clockItem(host, { aheadMs, of: 'oidc' })]
}

type ClockSide = 'database' | 'providers' | 'oidc'

const CLOCKS_OF = {
  database: { than: 'the database’s', andOf: 'on that machine and the database’s' },
  providers: { than: 'those of most providers', andOf: 'on that machine and the database’s' },
  oidc: { than: 'the OIDC provider’s', andOf: 'on that machine and the provider’s' },
} as const satisfies Record<ClockSide, unknown>

function clockItem(host: string, { aheadMs, of }: { readonly aheadMs: number; readonly of: ClockSide }): RawItem {
  const { than, andOf } = CLOCKS_OF[of]
  const seconds = Math.floor(Math.abs(aheadMs) / 1_000)
  const detail = `The clock of ${host} is at least ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} ${than}: have it set over the network (NTP), ${andOf}.`
  return { kind: 'clock_off', clock: { host, ahead_ms: aheadMs, of }, detail }
}
