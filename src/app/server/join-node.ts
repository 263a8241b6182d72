import { randomUUID } from 'node:crypto'
import type { KeyWithOwner } from '../../access/api-key.ts'
import type { DeviceTokens } from '../../access/device-tokens.ts'
import { KeyRing } from '../../access/key-ring.ts'
import { KeyAddresses } from '../../access/key-addresses.ts'
import { PreviousSecretUse } from '../../access/previous-secret-use.ts'
import { ChangeFollower } from '../../cluster/change-follower.ts'
import type { ThisProcess } from '../../cluster/dead-nodes.ts'
import { thisHost } from '../../cluster/host-process.ts'
import { NodeMembership } from '../../cluster/node-membership.ts'
import { type Clock, processClock, systemClock as clock } from '../../core/clock.ts'
import type { Fault } from '../../core/faults.ts'
import { newId } from '../../core/ids.ts'
import { MONEY_PATIENCE_MS } from '../../core/limits.ts'
import type { Logger } from '../../core/log.ts'
import type { Sealer } from '../../core/secret-box.ts'
import { ImplausibleUsage } from '../../gateway/implausible-usage.ts'
import { plainFault } from '../../core/plain-fault.ts'
import { StoreStanding } from './store-standing.ts'
import type { IgnoredLimits } from '../../gateway/ignored-limits.ts'
import type { LearnedRefusals } from '../../gateway/learned-refusals.ts'
import { MissingEndpoints } from '../../gateway/missing-endpoints.ts'
import { gatewayParts, type GatewayParts } from '../../gateway/parts.ts'
import { recheckRunning } from '../../gateway/recheck-running.ts'
import { RequestFigures } from '../../gateway/request-figures.ts'
import type { RequestObserver } from '../../gateway/request-observer.ts'
import { RunningRequests } from '../../gateway/running-requests.ts'
import { Admission } from '../../metering/admission/admission.ts'
import { LeaseBook } from '../../metering/budgets/lease-book.ts'
import type { ClusterCounts } from '../../metering/limits/cluster-counts.ts'
import { KeyLimits } from '../../metering/limits/key-limits.ts'
import type { Uses } from '../../metering/limits/key-use.ts'
import { SharedUses } from '../../metering/limits/shared-uses.ts'
import { SettleQueue } from '../../metering/settle/settle-queue.ts'
import { ThreadTokenCounter } from '../../metering/usage/token-counter.ts'
import type { Store } from '../../store/store.ts'
import type { Settings } from '../installation/environment.ts'
import { captureKeeper } from './capture-keeper.ts'
import { PeriodicTask, writingTask } from '../periodic-task.ts'
import { requestOrigins } from './gateway-origin.ts'
import type { SnapshotKeeper } from './snapshot-keeper.ts'
import type { WorkerSlot } from './worker-slot.ts'
import { UnknownTryLog, type UnknownTry } from '../../access/unknown-tries.ts'

export interface NodeOptions {
  readonly settings: Settings
  readonly store: Store
  readonly hashSecret: (secret: string) => string
  readonly deviceTokens: DeviceTokens
  readonly sealer: Sealer
  readonly log: Logger
  /** The slot of this thread, where several carry requests; absent: this one does alone. */
  readonly slot?: WorkerSlot
  /** Where it runs; absent: in this process of this host, as the only one but for those in other slots. */
  readonly process?: ThisProcess
  /** Follows this node's requests; absent: nothing does. */
  readonly observer?: RequestObserver | undefined
  /** Hears of each id that this node is about to join under. */
  onNewNodeId?(id: string): void
}

/** What of this node's parts is needed beside the gateway itself. */
export interface JoinedNode {
  readonly parts: GatewayParts
  readonly leases: LeaseBook
  readonly membership: NodeMembership
  readonly ring: KeyRing
  readonly tokenCounter: ThreadTokenCounter
  /** What requests leave to be written of their keys. */
  readonly writers: readonly PeriodicTask[]
  readonly state: { phase: NodePhase }
  /** What keeps this node from using its database. */
  readonly standing: StoreStanding
}

/** `leaving`: it serves, but is to get no new requests. `closed`: it refuses them. */
export type NodePhase = 'serving' | 'leaving' | 'closed'

/** A node with the catalogue that it serves, which follows what is changed. */
export interface FollowingNode {
  readonly node: JoinedNode
  readonly snapshots: SnapshotKeeper
  readonly follower: ChangeFollower
}

function callersOf(
  { hashSecret, deviceTokens }: Pick<NodeOptions, 'hashSecret' | 'deviceTokens'>,
  { ring, previousUse, snapshots }: { ring: KeyRing; previousUse: PreviousSecretUse; snapshots: SnapshotKeeper },
) {
  return {
    ring,
    hashSecret,
    tokens: { readAccessToken: (text: string) => deviceTokens.readAccessToken(text), now: () => clock.now() },
    hasImportedKeys: () => snapshots.hasImportedKeys,
    hasBroughtKeys: () => snapshots.hasBroughtKeys,
    onPreviousSecret: (caller: KeyWithOwner): void => previousUse.note(caller, clock.now()),
  }
}

/** What requests leave to be written of their keys, and what writes it. */
function keyUses({ store: { keys }, log }: NodeOptions) {
  const keyAddresses = new KeyAddresses(keys)
  const previousUse = new PreviousSecretUse(keys, () => setImmediate(() => void previous.run()))
  const addresses = writingTask(() => keyAddresses.write(), {
    log,
    failed: 'failed to write the last addresses of keys',
  })
  const previous = new PeriodicTask({
    run: () => previousUse.write(clock.now()),
    finish: () => previousUse.finish(),
    onError: (error) => log.warn({ err: error }, 'failed to write the use of rotated secrets; will retry'),
  })
  return { keyAddresses, previousUse, writers: [addresses, previous] }
}

/** What a node knows of its upstreams, and counts with others. */
interface NodeKnows {
  readonly snapshots: SnapshotKeeper
  readonly ignoredLimits: IgnoredLimits
  readonly learnedRefusals: LearnedRefusals
  readonly clusterCounts: ClusterCounts | null
}

/** Joins the parts of one node. None of them does anything by itself yet. */
export function joinNode(options: NodeOptions, given: NodeKnows): JoinedNode {
  const { snapshots, clusterCounts: cluster, ...learned } = given
  const { settings, store, log } = options
  const ring = new KeyRing(store.keys)
  const running = new RunningRequests()
  const membership = new NodeMembership({
    store,
    clock,
    log,
    ...processOf(options),
    onRetired: () => leases.loseAll(),
    forgetEverything: async () => {
      ring.forgetAll()
      const rechecked = recheckRunning('all', { running, store, nowMs: clock.now() })
      await Promise.all([snapshots.reload(), leases.reconsider(() => true), rechecked])
    },
    maintainLeases: () => leases.maintain(),
  })
  const leases = new LeaseBook({ store: store.leases, clock, node: membership.life })
  const keyLimits = new KeyLimits({ share: () => membership.watch.share(), cluster, ...countingOf(options.slot) })
  const figures = new RequestFigures()
  const settleQueue = settleQueueOf(options, figures)
  const tokenCounter = new ThreadTokenCounter()
  const { keyAddresses, previousUse, writers } = keyUses(options)
  const state: JoinedNode['state'] = { phase: 'serving' }
  const standing = new StoreStanding({ store, settleQueue, membership, leases })
  const parts = gatewayParts({
    clock,
    ...amongThreads(options.slot?.count ?? 1),
    random: Math.random,
    newRequestId: (nowMs) => newId('req', nowMs),
    snapshot: () => snapshots.current,
    maintenance: () => snapshots.maintenance,
    callers: callersOf(options, { ring, previousUse, snapshots }),
    keyAddresses,
    keys: store.keys,
    admission: new Admission({ leases, limits: keyLimits, clock, patienceMs: MONEY_PATIENCE_MS }),
    keyLimits,
    leases,
    ...learned,
    missingEndpoints: new MissingEndpoints(clock),
    saysBalances: () => settings.saysBalances ?? snapshots.hasImportedKeys,
    ...givenBy(settings),
    implausibleUsage: implausibleUsage({ store, log }),
    settleQueue,
    usage: store.usage,
    budgets: store.budgets,
    storedResponses: store.storedResponses,
    tokenCounter,
    running,
    figures,
    observer: options.observer ?? null,
    captureKeeper: captureKeeper(options, clock),
    closedBecause: () => closedBecause(state, standing),
    ...requestOrigins(settings),
    log: { failure: (event, { error: err, ...about }) => log.warn({ ...about, err }, event) },
  })
  return { parts, leases, membership, ring, tokenCounter, writers, state, standing }
}

/** What an admin has set of the gateway's parts. */
function givenBy(settings: Settings) {
  const { heldInputTokens, heldOutputTokens, chargesUnanswered, storedIds, unpricedTools } = settings
  const { idleTimeoutMs, streamBeginsWithinMs } = settings
  const forwardsAlso = new Set(settings.forwardedHeaders)
  const held = { heldInputTokens, heldOutputTokens }
  return { ...held, idleTimeoutMs, streamBeginsWithinMs, chargesUnanswered, storedIds, unpricedTools, forwardsAlso }
}

function settleQueueOf({ store, log }: NodeOptions, figures: RequestFigures): SettleQueue {
  return new SettleQueue({
    store: store.settlements,
    clock,
    onStored: (ms) => figures.settled(ms),
    onError: (error) => log.error({ err: error }, 'failed to store settlements'),
  })
}

/** What depends on how many threads of the process carry requests. */
function amongThreads(threads: number) {
  return { threads, unknownTries: unknownTries(threads) }
}

/** Where this node runs: only the first of a process clears up after the process's earlier lives. */
function processOf({ slot, process: given, onNewNodeId }: NodeOptions) {
  return {
    process: given ?? { host: slot?.host ?? thisHost(randomUUID), processId: process.pid },
    isLaterOfProcess: (slot?.index ?? 0) > 0,
    onNewId: (id: string) => onNewNodeId?.(id),
  }
}

/** Threads of one process count together, by one clock. */
function countingOf(slot: WorkerSlot | undefined): { clock: Clock; uses?: Uses } {
  if (slot === undefined) return { clock }
  return { clock: processClock, uses: new SharedUses(slot.limits, slot.index) }
}

function implausibleUsage({ store, log }: Pick<NodeOptions, 'store' | 'log'>): ImplausibleUsage {
  return new ImplausibleUsage({
    clock,
    log: ({ requestId, upstreamName, notes, count }) =>
      log.warn({ requestId, upstream: upstreamName, notes, count }, 'received implausible usage from an upstream'),
    logUnpriced: ({ requestId, upstreamName, notes, count }) =>
      log.warn(
        { requestId, upstream: upstreamName, count },
        notes.includes('calls_unpriced')
          ? 'left calls of a tool without a price uncharged'
          : 'charged the plain price for a service tier or place without one',
      ),
    alert: (upstreamName) => {
      store.alerts.tellAdmins({ kind: 'doubted_usage', about: upstreamName }, clock.now()).catch((error: unknown) => {
        log.error({ err: error }, 'failed to alert admins of implausible usage')
      })
    },
  })
}

/** Starts to read what other nodes and the console change, and has this node forget it. */
export function followChanges(
  options: NodeOptions,
  about: { seq: number; node: JoinedNode; snapshots: SnapshotKeeper },
): ChangeFollower {
  const { store, log } = options
  const follower = new ChangeFollower(
    {
      node: about.node.membership.life,
      nodes: store.nodes,
      ring: about.node.ring,
      leases: about.node.leases,
      recheckRunning: (changes) =>
        recheckRunning(changes, { running: about.node.parts.running, store, nowMs: clock.now() }),
      reloadCatalog: () => about.snapshots.reload(),
      onError: (error) => log.error({ err: error }, 'failed to read changes; will retry'),
    },
    about.seq,
  )
  follower.start()
  return follower
}

function closedBecause({ phase }: JoinedNode['state'], standing: StoreStanding): Fault | null {
  if (phase === 'closed') return plainFault('draining')
  return standing.closed === null ? null : plainFault('store_unavailable')
}

interface Noted {
  readonly address: string
  readonly tried: UnknownTry
}

/**
 * The refused requests without a key, of all threads of this process: whichever refused one, the thread that answers the
 * console knows it. `threads`: how many carry requests. With several processes each knows its own.
 */
function unknownTries(threads: number): UnknownTryLog {
  if (threads === 1) return new UnknownTryLog()
  const others = new BroadcastChannel('refused requests without a key')
  const log = new UnknownTryLog((address, tried) => others.postMessage({ address, tried } satisfies Noted))
  others.addEventListener('message', ({ data }: MessageEvent) => {
    const { address, tried } = data as Noted
    log.take(address, tried)
  })
  // It must not keep the process from ending.
  ;(others as unknown as { unref(): void }).unref()
  return log
}
