import { hostname } from 'node:os'
import type { AddressInfo } from 'node:net'
import type { Server } from 'node:http'
import { KeyRing } from '../access/key-ring.ts'
import { systemClock as clock } from '../core/clock.ts'
import { Fault } from '../core/faults.ts'
import { newId } from '../core/ids.ts'
import { LEASE_LIFE_MS } from '../core/limits.ts'
import type { Logger } from '../core/log.ts'
import type { Sealer } from '../core/secret-box.ts'
import { BadCredentialThrottle } from '../gateway/bad-credentials.ts'
import { createGateway } from '../gateway/gateway.ts'
import type { GatewayParts } from '../gateway/parts.ts'
import { OpenRequestLog } from '../gateway/open-request-log.ts'
import { RefusalLog } from '../gateway/refusal-log.ts'
import { BodiesUnderWay } from '../gateway/request-body.ts'
import { RunningRequests } from '../gateway/running-requests.ts'
import { Admission } from '../metering/admission.ts'
import { LeaseBook } from '../metering/lease-book.ts'
import { SettleQueue } from '../metering/settle-queue.ts'
import { ThreadTokenCounter } from '../metering/token-counter.ts'
import type { Store } from '../store/store.ts'
import { createDemoUpstream } from '../upstreams/demo-upstream.ts'
import { IdleCollector } from './collector.ts'
import { ChangeFollower } from './change-follower.ts'
import { buryDeadNodes } from './dead-nodes.ts'
import type { Settings } from './environment.ts'
import { requestOrigins } from './gateway-origin.ts'
import { createFront } from './http-server.ts'
import { recordInterrupted } from './interrupted-requests.ts'
import { NodeLife } from './node-life.ts'
import { recheckRunning } from './recheck-running.ts'
import { SnapshotKeeper } from './snapshot-keeper.ts'

const TICK_MS = 100
const RENEWAL_MS = 5_000
const READY_WITHIN_MS = 2_000
/** What is left to settle when the last stream has ended gets this long. */
const LAST_SETTLES_MS = 10_000

export interface StartOptions {
  readonly settings: Settings
  readonly store: Store
  readonly sealer: Sealer
  readonly hashSecret: (secret: string) => string
  isSetupToken(token: string): Promise<boolean>
  readonly log: Logger
}

export interface RunningGateway {
  /** `http://host:port`, with the port that was really taken. */
  readonly origin: string
  /** Takes no new requests, lets running ones end within `settings.drainMs`, settles and gives everything back. The store stays open. */
  drain(): Promise<void>
}

/** Joins the concrete parts into a running gateway, and listens. Rejects when the address can't be taken. */
export async function startGateway(options: StartOptions): Promise<RunningGateway> {
  const { settings, store, log } = options
  await clearAfterCrash(options)
  const nodeId = newId('nod', clock.now())
  const { seq } = await store.nodes.join({
    id: nodeId,
    host: hostname(),
    processId: process.pid,
    nowMs: clock.now(),
    aliveUntilMs: clock.now() + LEASE_LIFE_MS,
  })
  const snapshots = new SnapshotKeeper({
    groups: store.groups,
    catalog: store.catalog,
    openCredential: (sealed) => options.sealer.open(sealed),
    demoUpstream: () => createDemoUpstream({ clock }),
    onError: (upstream, error) => log.error({ upstream, err: error }, 'this upstream can not be used'),
  })
  await snapshots.reload()
  const node = joinParts(options, { nodeId, snapshots })
  const follower = followChanges(options, { nodeId, seq, node, snapshots })
  const server = createFront({
    gateway: createGateway(node.parts),
    isReady: () => store.check(READY_WITHIN_MS).then(yes, no),
    isDraining: () => node.state.isDraining,
    newRequestId: () => newId('req', clock.now()),
    isSetupToken: options.isSetupToken,
  })
  const origin = await listen(server, settings)
  const openRequests = new OpenRequestLog({
    store: store.openRequests,
    nodeId,
    onError: (error) => log.error({ err: error }, 'the running requests could not be noted; this will be tried again'),
  })
  const ticking = setInterval(() => {
    node.parts.running.tick(clock.elapsed())
    openRequests.look(node.parts.running, clock.elapsed())
  }, TICK_MS)
  const idle = new IdleCollector()
  const renewing = setInterval(() => {
    idle.look(node.parts.running)
    Promise.all([node.life.renew(), node.leases.maintain(), store.leases.closeExpired(clock.now())]).catch(
      (error: unknown) =>
        log.error({ err: error }, 'the leases of this node could not be renewed; this will be tried again'),
    )
  }, RENEWAL_MS)

  const drain = async () => {
    await finishRequests(options, node)
    clearInterval(ticking)
    clearInterval(renewing)
    follower.stop()
    await node.leases.closeAll()
    await store.nodes.leave(nodeId)
    await Promise.all([node.tokenCounter.close(), snapshots.close()])
    server.close()
    server.closeAllConnections()
  }
  return { origin, drain }
}

/** What an earlier life of this gateway, or another dead one of this host, left behind. */
async function clearAfterCrash({ store, log }: StartOptions): Promise<void> {
  await buryDeadNodes(store, { host: hostname(), processId: process.pid, nowMs: clock.now() })
  const interrupted = await recordInterrupted(store, clock.now())
  if (interrupted > 0)
    log.warn({ interrupted }, 'requests that an earlier life left unfinished were recorded as interrupted')
}

/** What of this node's parts is needed beside the gateway itself. */
interface Node {
  readonly parts: GatewayParts
  readonly leases: LeaseBook
  readonly life: NodeLife
  readonly ring: KeyRing
  readonly tokenCounter: ThreadTokenCounter
  readonly state: { isDraining: boolean }
}

function joinParts(options: StartOptions, about: { nodeId: string; snapshots: SnapshotKeeper }): Node {
  const { settings, store, log } = options
  const { nodeId, snapshots } = about
  const ring = new KeyRing(store.keys)
  const leases = new LeaseBook({ store: store.leases, clock, nodeId })
  const settleQueue = new SettleQueue({
    store: store.settlements,
    clock,
    onError: (error) => log.error({ err: error }, 'a batch of settlements could not be stored; it will be tried again'),
  })
  const forgetEverything = async () => {
    ring.forgetAll()
    await snapshots.reload()
  }
  const life = new NodeLife({ nodeId, nodes: store.nodes, clock, forgetEverything })
  const tokenCounter = new ThreadTokenCounter()
  const state = { isDraining: false }
  const parts: GatewayParts = {
    clock,
    random: Math.random,
    newRequestId: (nowMs) => newId('req', nowMs),
    snapshot: () => snapshots.current,
    callers: { ring, hashSecret: options.hashSecret, throttle: new BadCredentialThrottle(clock) },
    admission: new Admission({ leases, clock }),
    settleQueue,
    refusals: new RefusalLog({ queue: settleQueue, clock }),
    tokenCounter,
    bodies: new BodiesUnderWay(),
    running: new RunningRequests(),
    closedBecause: () => closedBecause(state.isDraining, { settleQueue, life }),
    ...requestOrigins(settings),
    log: {
      failure: (event, { requestId, upstream, error }) => log.warn({ requestId, upstream, err: error }, event),
    },
  }
  return { parts, leases, life, ring, tokenCounter, state }
}

function followChanges(
  options: StartOptions,
  about: { nodeId: string; seq: number; node: Node; snapshots: SnapshotKeeper },
): ChangeFollower {
  const { store, log } = options
  const follower = new ChangeFollower(
    {
      nodeId: about.nodeId,
      nodes: store.nodes,
      ring: about.node.ring,
      recheckRunning: (changes) =>
        recheckRunning(changes, { running: about.node.parts.running, store, nowMs: clock.now() }),
      reloadCatalog: () => about.snapshots.reload(),
      onError: (error) => log.error({ err: error }, 'changes could not be read; they will be asked for again'),
    },
    about.seq,
  )
  follower.start()
  return follower
}

/** It goes on listening meanwhile, so that whoever comes now is told to try again rather than met by silence. */
async function finishRequests({ settings, log }: StartOptions, { state, parts }: Node): Promise<void> {
  state.isDraining = true
  if (!(await parts.running.idle(settings.drainMs))) parts.running.cut(() => draining())
  await parts.running.idle(LAST_SETTLES_MS)
  const isSettled = await parts.settleQueue.drain(LAST_SETTLES_MS)
  if (!isSettled)
    log.error({ unsettled: parts.settleQueue.length }, 'some settlements could not be stored before the end')
  parts.settleQueue.close()
}

function closedBecause(isDraining: boolean, state: { settleQueue: SettleQueue; life: NodeLife }): Fault | null {
  if (isDraining) return draining()
  if (state.settleQueue.accepts && state.life.isAlive) return null
  return new Fault('store_unavailable', 'The gateway cannot write to its database right now. Try again in a moment.', {
    retryAfterSeconds: 2,
  })
}

function draining(): Fault {
  return new Fault('draining', 'The gateway is shutting down. Send the request again in a moment.', {
    retryAfterSeconds: 5,
  })
}

function listen(server: Server, settings: Settings): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port: settings.port, host: settings.host }, () => {
      server.off('error', reject)
      const { port } = server.address() as AddressInfo
      const host = settings.host.includes(':') ? `[${settings.host}]` : settings.host
      resolve(`http://${host}:${port}`)
    })
  })
}

function yes(): boolean {
  return true
}

function no(): boolean {
  return false
}
