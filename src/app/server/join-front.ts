import { fileURLToPath } from 'node:url'
import type { DeviceTokens } from '../../access/device-tokens.ts'
import { systemClock as clock } from '../../core/clock.ts'
import { newId } from '../../core/ids.ts'
import type { Logger } from '../../core/log.ts'
import type { Sealer } from '../../core/secret-box.ts'
import type { StoreFailure } from '../../core/store-failures.ts'
import { createGateway } from '../../gateway/gateway.ts'
import { answeredFailure } from '../../store/store-failure.ts'
import type { Store } from '../../store/store.ts'
import type { Figures } from '../../telemetry/figures.ts'
import type { ControlHashes } from '../installation/control-hashes.ts'
import type { Environment, Settings } from '../installation/environment.ts'
import { explainRoute } from '../../gateway/explain-route.ts'
import { KeyMessages } from '../../gateway/key-messages.ts'
import { UpstreamTrials } from '../../gateway/upstream-trials.ts'
import { readBackupStanding } from './backup-age.ts'
import { capsNow, upstreamNow, credentialsNow } from './upstream-now.ts'
import { shadowCountsIn, failuresIn, nodeFigures } from './metrics/node-figures.ts'
import { listUpstreamModels, testUpstream } from './check-upstream.ts'
import type { ControlParts } from '../../control/parts.ts'
import { findLocalServers } from './local-servers.ts'
import { mintedCredentials } from './node-credentials.ts'
import { probeAddress } from './probe-address.ts'
import { disksNow } from './disks-now.ts'
import { createConsoleFiles } from './console-files.ts'
import { createFront, type Front } from './http-server.ts'
import { type WorkerSlot, isRaised } from './worker-slot.ts'
import type { RetentionNotes } from '../retention/retention-notes.ts'
import type { Maintenance } from './maintenance.ts'
import { nodesNow, systemNow } from './system-now.ts'
import type { FollowingNode, JoinedNode } from './join-node.ts'
import { lazyListener, type Listener } from './lazy-listener.ts'

/** Where the console is built to; the same from the sources as from what is compiled. */
const CONSOLE_DIRECTORY = fileURLToPath(new URL('../../../dist/console', import.meta.url))

export interface FrontOptions {
  readonly settings: Settings
  readonly store: Store
  /** The slot of this thread, where several carry requests; absent: this one does alone. */
  readonly slot?: WorkerSlot
}

export interface ControlPlaneOptions extends FrontOptions {
  /** What the settings were read from. */
  readonly environment: Environment
  readonly sealer: Sealer
  readonly controlHashes: ControlHashes
  readonly deviceTokens: DeviceTokens
  readonly log: Logger
  /** Backups that admins begin. */
  readonly maintenance: Maintenance
  /** What is deleted once it is too old. */
  readonly retentionNotes: RetentionNotes
  /** The threads beside this one that carry requests; absent: there are none. */
  readonly workers?: { figures(): Promise<readonly Figures[]>; readonly running: number }
}

/** The console API of this process, loaded with its first request. */
export function joinControlPlane(options: ControlPlaneOptions, following: FollowingNode): Listener {
  return lazyListener(
    () => loadControl(options, following),
    (error) => options.log.error({ err: error }, 'failed to load the console API'),
  )
}

/** The front of a node, with its gateway, `control` as the console API, and the console. It does not listen yet. */
export function joinFront({ settings, slot }: FrontOptions, node: JoinedNode, control: Listener): Front {
  return createFront({
    gateway: createGateway(node.parts),
    hasCors: settings.hasCors,
    control,
    saysBalances: () => node.parts.saysBalances?.() === true,
    hasMetrics: settings.metricsPort === null,
    console: createConsoleFiles(CONSOLE_DIRECTORY),
    storeFailure: () => node.standing.failure(),
    isStarting: () => slot !== undefined && !isRaised(slot.start),
    isDraining: () => node.state.phase !== 'serving',
    clock,
    newRequestId: () => newId('req', clock.now()),
  })
}

/** What is asked of addresses that are not upstreams yet. */
function addressLooks(options: ControlPlaneOptions): Pick<ControlParts, 'probeAddress' | 'localServers'> {
  return {
    probeAddress: (question) => probeAddress(question, clock, { minted: mintedCredentials(options, null) }),
    localServers: () => findLocalServers(),
  }
}

async function loadControl(
  options: ControlPlaneOptions,
  { node, snapshots, follower }: FollowingNode,
): Promise<Listener> {
  const { settings, store, sealer, log, maintenance } = options
  const { parts, state } = node
  const [{ joinControl }, { joinSignIn }] = await Promise.all([
    import('./join-control.ts'),
    import('./join-sign-in.ts'),
  ])
  const trials = new UpstreamTrials(parts)
  const messages = new KeyMessages(parts)
  return joinControl({
    settings,
    environment: options.environment,
    store,
    sealer,
    ...secretsOf(options),
    clock,
    log,
    follower,
    signIn: joinSignIn({ settings, store, keys: options.controlHashes.signIn, clock, log }),
    limitStates: (of) => parts.keyLimits.statesNow(of),
    areLimitsExact: () => parts.keyLimits.isExact,
    unknownTries: (address, sinceMs) => parts.unknownTries.since(address, sinceMs, clock.now()),
    explainRoute: (question) =>
      explainRoute(question, {
        snapshot: parts.snapshot(),
        now: clock.elapsed(),
        random: parts.random,
        learnedRefusals: parts.learnedRefusals,
      }),
    capsNow: (id) => capsNow(id, snapshots.current, clock),
    backupStanding: () => readBackupStanding(settings, clock.now()),
    shadowCounts: async () => shadowCountsIn([parts.figures.read(), ...((await options.workers?.figures()) ?? [])]),
    credentialsNow: (id) => credentialsNow(snapshots.current.upstreamsById.get(id), clock),
    upstreamNow: (id) => upstreamNow(snapshots.current.upstreamsById.get(id), clock),
    testUpstream: (id) => testUpstream(snapshots.current.upstreamsById.get(id), clock),
    listUpstreamModels: (id) => listUpstreamModels(snapshots.current.upstreamsById.get(id), clock),
    tryUpstream: (question) => trials.run(question),
    ...addressLooks(options),
    sendKeyMessage: (question) => messages.send(question),
    system: {
      begin: (kind) => maintenance.begin(kind),
      nodes: () => nodesNow({ store, nodeId: node.membership.life.id }),
      disks: () => disksNow(settings, store, clock.now()),
      retention: async () => {
        const { retentionNow } = await import('../retention/retention-now.ts')
        return retentionNow(clock.now(), { store, settings, notes: options.retentionNotes })
      },
      read: () => {
        const figures = async () => [nodeFigures(node, snapshots), ...((await options.workers?.figures()) ?? [])]
        const threads = 1 + (options.workers?.running ?? 0)
        return systemNow({ settings, store, clock, maintenance, figures, threads, nodeId: node.membership.life.id })
      },
    },
    ...stopOf(state),
    ...storeFailures(options, node),
  })
}

/** What is derived from the secrets of the installation. */
function secretsOf({ controlHashes: hashes, deviceTokens }: ControlPlaneOptions) {
  return { hashes, deviceTokens }
}

/** How far a node is that stops, as the console API asks. */
function stopOf(state: JoinedNode['state']) {
  return { isDraining: () => state.phase !== 'serving', isClosed: () => state.phase === 'closed' }
}

function storeFailures(options: ControlPlaneOptions, node: JoinedNode) {
  return { storeFailure: () => ofAnyThread(options, node), answeredFailure }
}

/** What keeps this process from using its database: the thread that answers, or another that carries requests. */
async function ofAnyThread({ workers }: ControlPlaneOptions, node: JoinedNode): Promise<StoreFailure | null> {
  const [own, others] = await Promise.all([node.standing.failure(), workers?.figures() ?? []])
  return own ?? failuresIn(others)[0] ?? null
}
