import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import type { Server } from 'node:http'
import { fileURLToPath } from 'node:url'
import type { KeyWithOwner } from '../../access/api-key.ts'
import { KeyRing } from '../../access/key-ring.ts'
import { PreviousSecretUse } from '../../access/previous-secret-use.ts'
import { systemClock as clock } from '../../core/clock.ts'
import { CONNECTION_BACKLOG } from '../../core/limits.ts'
import type { Fault } from '../../core/faults.ts'
import { plainFault } from '../../core/plain-fault.ts'
import { newId } from '../../core/ids.ts'
import type { Logger } from '../../core/log.ts'
import type { Sealer } from '../../core/secret-box.ts'
import { createGateway } from '../../gateway/gateway.ts'
import { gatewayParts, type GatewayParts } from '../../gateway/parts.ts'
import { OpenRequestLog } from '../../gateway/open-request-log.ts'
import { RunningRequests } from '../../gateway/running-requests.ts'
import { Admission } from '../../metering/admission/admission.ts'
import { KeyLimits } from '../../metering/limits/key-limits.ts'
import { LeaseBook } from '../../metering/budgets/lease-book.ts'
import { SettleQueue } from '../../metering/settle/settle-queue.ts'
import { ThreadTokenCounter } from '../../metering/usage/token-counter.ts'
import type { Store } from '../../store/store.ts'
import { createDemoUpstream } from '../../upstreams/demo-upstream.ts'
import { startAlertSender } from './start-alert-sender.ts'
import { IdleCollector } from './collector.ts'
import { ChangeFollower } from '../../cluster/change-follower.ts'
import type { Settings } from '../installation/environment.ts'
import { listeningOrigin, requestOrigins } from './gateway-origin.ts'
import { createConsoleFiles } from './console-files.ts'
import { createFront } from './http-server.ts'
import type { ControlHashes } from '../installation/control-hashes.ts'
import { lazyListener, type Listener } from './lazy-listener.ts'
import { NodeMembership } from '../../cluster/node-membership.ts'
import { OpenConnections } from './open-connections.ts'
import { recheckRunning } from '../../gateway/recheck-running.ts'
import { SnapshotKeeper } from './snapshot-keeper.ts'
import { testUpstream } from './check-upstream.ts'
import { thisHost } from '../../cluster/host-process.ts'

/** Where the console is built to; the same from the sources as from what is compiled. */
const CONSOLE_DIRECTORY = fileURLToPath(new URL('../../../dist/console', import.meta.url))
const TICK_MS = 100
const IDLE_LOOK_MS = 5_000
/** How often stored responses that have grown too old are forgotten. */
const PRUNING_MS = 600_000
const READY_WITHIN_MS = 2_000
/** What is left to settle when the last stream has ended gets this long. */
const LAST_SETTLES_MS = 10_000

export interface StartOptions {
  readonly settings: Settings
  readonly store: Store
  readonly sealer: Sealer
  readonly hashSecret: (secret: string) => string
  /** For the console API. */
  readonly controlHashes: ControlHashes
  readonly log: Logger
}

export interface RunningGateway {
  /** `http://host:port`, with the port that was really taken. */
  readonly origin: string
  /** Takes no new requests, lets running ones end within `settings.drainMs`, settles and gives everything back. The store stays open. */
  drain(): Promise<void>
}

/** Joins the concrete parts into a running gateway, and listens. Rejects when the address cannot be taken. */
export async function startGateway(options: StartOptions): Promise<RunningGateway> {
  const { settings, store, log } = options
  const snapshots = new SnapshotKeeper({
    groups: store.groups,
    catalog: store.catalog,
    openCredential: (sealed) => options.sealer.open(sealed),
    demoUpstream: () => createDemoUpstream({ clock }),
    onError: (upstream, error) => log.error({ upstream, err: error }, 'this upstream cannot be used'),
  })
  const node = joinParts(options, snapshots)
  const { seq } = await node.membership.join()
  await snapshots.reload()
  const follower = followChanges(options, { seq, node, snapshots })
  const server = frontOf(options, node, snapshots)
  const connections = new OpenConnections(server)
  const origin = await listen(server, settings)
  const alerts = await startAlertSender({ settings, store, clock, log })
  const openRequests = new OpenRequestLog({
    store: store.openRequests,
    node: node.membership.life,
    onError: (error) => log.error({ err: error }, 'the running requests could not be noted; this will be tried again'),
  })
  const ticking = setInterval(() => {
    node.membership.tick()
    node.parts.running.tick(clock.elapsed())
    openRequests.look(node.parts.running, clock.elapsed())
  }, TICK_MS)
  const pruning = setInterval(() => {
    store.storedResponses
      .prune(clock.now())
      .catch((error: unknown) => log.warn({ err: error }, 'old stored responses could not be forgotten'))
  }, PRUNING_MS)
  const idle = new IdleCollector()
  const idling = setInterval(() => {
    idle.look(node.parts.running)
    node.parts.keyLimits.forgetIdle()
    node.previousUse
      .write(clock.now())
      .catch((error: unknown) => log.warn({ err: error }, 'the use of rotated secrets could not be noted'))
  }, IDLE_LOOK_MS)

  const drain = async () => {
    await finishRequests(options, node)
    clearInterval(ticking)
    clearInterval(idling)
    clearInterval(pruning)
    follower.stop()
    await alerts.stop()
    await node.membership.stop()
    await openRequests.finish()
    await node.previousUse.finish().catch(() => {})
    await node.leases.closeAll()
    await node.membership.leave()
    await Promise.all([node.tokenCounter.close(), snapshots.close()])
    await connections.emptied(settings.drainMs)
    server.close()
    server.closeAllConnections()
  }
  return { origin, drain }
}

async function loadControl(options: StartOptions, { state }: Node, snapshots: SnapshotKeeper): Promise<Listener> {
  const { settings, store, sealer, log } = options
  const [{ joinControl }, { joinSignIn }] = await Promise.all([
    import('./join-control.ts'),
    import('./join-sign-in.ts'),
  ])
  return joinControl({
    settings,
    store,
    sealer,
    hashes: options.controlHashes,
    clock,
    log,
    signIn: joinSignIn({ settings, store, keys: options.controlHashes.signIn, clock, log }),
    testUpstream: (id) => testUpstream(snapshots.current.upstreamsById.get(id), clock),
    isDraining: () => state.isDraining,
    isReady: () => isReady(store),
  })
}

function frontOf(options: StartOptions, node: Node, snapshots: SnapshotKeeper): Server {
  const { settings, store, log } = options
  return createFront({
    gateway: createGateway(node.parts),
    hasCors: settings.hasCors,
    control: lazyListener(
      () => loadControl(options, node, snapshots),
      (error) => log.error({ err: error }, 'the console API could not be loaded'),
    ),
    console: createConsoleFiles(CONSOLE_DIRECTORY),
    isReady: () => isReady(store),
    isDraining: () => node.state.isDraining,
    newRequestId: () => newId('req', clock.now()),
  })
}

function isReady(store: Store): Promise<boolean> {
  return store.check(READY_WITHIN_MS).then(
    () => true,
    () => false,
  )
}

/** What of this node's parts is needed beside the gateway itself. */
interface Node {
  readonly parts: GatewayParts
  readonly leases: LeaseBook
  readonly membership: NodeMembership
  readonly ring: KeyRing
  readonly tokenCounter: ThreadTokenCounter
  readonly previousUse: PreviousSecretUse
  readonly state: { isDraining: boolean }
}

function joinParts(options: StartOptions, snapshots: SnapshotKeeper): Node {
  const { settings, store, log } = options
  const ring = new KeyRing(store.keys)
  const running = new RunningRequests()
  const membership = new NodeMembership({
    store,
    clock,
    log,
    process: { host: thisHost(randomUUID), processId: process.pid },
    onRetired: () => leases.loseAll(),
    forgetEverything: async () => {
      ring.forgetAll()
      const rechecked = recheckRunning('all', { running, store, nowMs: clock.now() })
      await Promise.all([snapshots.reload(), leases.reconsider(() => true), rechecked])
    },
    maintainLeases: () => leases.maintain(),
  })
  const leases = new LeaseBook({ store: store.leases, clock, node: membership.life })
  const keyLimits = new KeyLimits({ clock, share: () => membership.watch.share() })
  const settleQueue = new SettleQueue({
    store: store.settlements,
    clock,
    onError: (error) => log.error({ err: error }, 'settlements could not be stored'),
  })
  const tokenCounter = new ThreadTokenCounter()
  const previousUse = new PreviousSecretUse(store.keys)
  const state = { isDraining: false }
  const callers = {
    ring,
    hashSecret: options.hashSecret,
    onPreviousSecret: (caller: KeyWithOwner) => previousUse.note(caller, clock.now()),
  }
  const parts = gatewayParts({
    clock,
    random: Math.random,
    newRequestId: (nowMs) => newId('req', nowMs),
    snapshot: () => snapshots.current,
    callers,
    keys: store.keys,
    admission: new Admission({ leases, limits: keyLimits, clock }),
    keyLimits,
    heldOutputTokens: settings.heldOutputTokens,
    settleQueue,
    usage: store.usage,
    budgets: store.budgets,
    storedResponses: store.storedResponses,
    tokenCounter,
    running,
    closedBecause: () => closedBecause(state.isDraining, { settleQueue, life: membership.life }),
    ...requestOrigins(settings),
    log: {
      failure: (event, { requestId, upstream, error }) => log.warn({ requestId, upstream, err: error }, event),
    },
  })
  return { parts, leases, membership, ring, tokenCounter, previousUse, state }
}

function followChanges(
  options: StartOptions,
  about: { seq: number; node: Node; snapshots: SnapshotKeeper },
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
      onError: (error) => log.error({ err: error }, 'changes could not be read; they will be asked for again'),
    },
    about.seq,
  )
  follower.start()
  return follower
}

/** It goes on listening meanwhile, so that new clients get «try again» rather than silence. */
async function finishRequests({ settings, log }: StartOptions, { state, parts }: Node): Promise<void> {
  state.isDraining = true
  if (!(await parts.running.idle(settings.drainMs))) parts.running.cut(() => plainFault('draining'))
  await parts.running.idle(LAST_SETTLES_MS)
  const isSettled = await parts.settleQueue.drain(LAST_SETTLES_MS)
  if (!isSettled)
    log.error({ unsettled: parts.settleQueue.length }, 'some settlements could not be stored before the end')
  parts.settleQueue.close()
}

function closedBecause(
  isDraining: boolean,
  state: { settleQueue: SettleQueue; life: { readonly isAlive: boolean } },
): Fault | null {
  if (isDraining) return plainFault('draining')
  if (state.settleQueue.accepts && state.life.isAlive) return null
  return plainFault('store_unavailable')
}

function listen(server: Server, settings: Settings): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port: settings.port, host: settings.host, backlog: CONNECTION_BACKLOG }, () => {
      server.off('error', reject)
      const { port } = server.address() as AddressInfo
      resolve(listeningOrigin(settings.host, port))
    })
  })
}
