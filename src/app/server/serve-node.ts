import { performance } from 'node:perf_hooks'
import { systemClock as clock } from '../../core/clock.ts'
import { ClockWatch } from '../../cluster/clock-watch.ts'
import { OpenRequestLog } from '../../gateway/open-request-log.ts'
import { mintedCredentials } from './node-credentials.ts'
import { createDemoUpstream } from '../../upstreams/demo-upstream.ts'
import { IgnoredLimits } from '../../gateway/ignored-limits.ts'
import type { Environment } from '../installation/environment.ts'
import { version } from '../installation/version.ts'
import { newestUrl } from '../installation/newest-url.ts'
import { CREDENTIAL_SPEND_SHARED_MS } from '../../core/limits.ts'
import { LearnedRefusals } from '../../gateway/learned-refusals.ts'
import { CredentialHoldWriter, outputLimitWriter, refusalWriter } from './learned-writers.ts'
import { PeriodicTask, writingTask } from '../periodic-task.ts'
import { IdleCollector } from './collector.ts'
import { joinFront } from './join-front.ts'
import { listen } from './listen.ts'
import { followChanges, type FollowingNode, joinNode, type JoinedNode, type NodeOptions } from './join-node.ts'
import type { Listener } from './lazy-listener.ts'
import { OpenConnections } from './open-connections.ts'
import { SharedSpend } from './shared-spend.ts'
import { SnapshotKeeper } from './snapshot-keeper.ts'
import { stopServing } from './stop-serving.ts'
import { startTicking } from './ticking.ts'

const IDLE_LOOK_MS = 5_000
/** A start waits for Redis for so long. */
const FIRST_ANSWER_MS = 2_000

export interface ServeOptions extends NodeOptions {
  /** What the settings were read from: a login in a file may be written anew. Absent: nothing was set. */
  readonly environment?: Environment
  /** Answers everything under /api/. */
  control(node: FollowingNode): Listener
}

/** One thread that carries requests: a node of its own, which listens. */
export interface ServedNode {
  readonly node: JoinedNode
  /** `http://host:port`, with the port that was really taken. */
  readonly origin: string
  readonly port: number
  readonly snapshots: SnapshotKeeper
  /** The listener of the control plane, as the server has it. */
  readonly control: Listener
  /** Stops serving: after `delayMs`, in which it serves but is not ready, requests have `settings.drainMs` to end, settled. */
  finish(delayMs: number): Promise<void>
  /** Gives everything back and stops listening. To be called after `finish`. The store stays open. */
  leave(): Promise<void>
}

/** Joins the nodes and listens. Rejects when the address cannot be taken. */
export async function serveNode(options: ServeOptions): Promise<ServedNode> {
  const { settings, log } = options
  const clocks = new ClockWatch(clock)
  const { holds, spends, limits, refusals, ignoredLimits, learnedRefusals, snapshots } = keepSnapshots(options, clocks)
  const clusterCounts = await clusterCountsOf(options)
  const node = joinNode(options, { snapshots, ignoredLimits, learnedRefusals, clusterCounts })
  const { seq } = await node.membership.join()
  await snapshots.reload()
  const spending = writingTask(() => spends.share(), { log, failed: 'failed to store what was spent under caps' })
  await spending.run()
  spending.start({ everyMs: CREDENTIAL_SPEND_SHARED_MS })
  const follower = followChanges(options, { seq, node, snapshots })
  const control = options.control({ node, snapshots, follower })
  const front = joinFront(options, node, control)
  const connections = new OpenConnections(front.server)
  const { origin, port } = await listen(front.server, settings, options.slot !== undefined)
  const openRequests = openRequestLog(options, node)
  const ticking = startTicking(() => {
    const { running, bodies } = node.parts
    node.membership.tick()
    running.tick(clock.elapsed())
    bodies.look(clock.elapsed())
    openRequests.look(running, clock.elapsed())
    return running.size > 0 || bodies.bytes > 0
  })
  const idle = new IdleCollector()
  const writers = [statusWriter(options, node, clocks), ...node.writers, ...missedWriters(node, log)]
  for (const writer of writers) writer.start({ everyMs: IDLE_LOOK_MS })
  const idling = setInterval(() => {
    idle.look(node.parts.running)
    node.parts.keyLimits.forgetIdle()
  }, IDLE_LOOK_MS)

  const leave = async () => {
    ticking.stop()
    clearInterval(idling)
    follower.stop()
    await node.membership.stop()
    await openRequests.finish()
    await node.parts.captures?.finish()
    await Promise.all([...writers, spending].map((writer) => writer.stop()))
    holds.close()
    limits.close()
    refusals.close()
    await node.leases.closeAll()
    await node.membership.leave()
    clusterCounts?.close()
    await Promise.all([node.tokenCounter.close(), snapshots.close()])
    await connections.emptied(settings.drainMs)
    front.server.close()
    connections.close()
  }
  const finish = (delayMs: number) => stopServing({ front, node, settings, clock, log }, delayMs)
  return { node, snapshots, origin, port, control, finish, leave }
}

/** What counts for all nodes; null: it is not asked for. A server that does not answer yet is waited for a moment. */
async function clusterCountsOf({ settings: { redisUrl }, environment = {}, log }: ServeOptions) {
  if (redisUrl === null) return null
  const onTrouble = (error: Error) => log.warn({ err: error }, 'failed to read the URL of Redis again')
  const url = redisUrl
  const newest = newestUrl('redisUrl', { given: url, environment, onTrouble })
  const { openClusterCounts } = await import('../../store/open-cluster-counts.ts')
  const counts = openClusterCounts({ url, newestUrl: newest, clock, log })
  await counts.untilReachable(FIRST_ANSWER_MS)
  return counts
}

/** Writes how many requests could not be captured, where requests are captured. */
function missedWriters({ parts: { captures } }: JoinedNode, log: ServeOptions['log']): readonly PeriodicTask[] {
  if (captures == null) return []
  return [
    writingTask(() => captures.writeMissed(), { log, failed: 'failed to write how many requests were not captured' }),
  ]
}

function openRequestLog({ store, log }: ServeOptions, { membership }: JoinedNode): OpenRequestLog {
  return new OpenRequestLog({
    store: store.openRequests,
    node: membership.life,
    onError: (error) => log.error({ err: error }, 'failed to write the running requests; will retry'),
  })
}

/** Writes the status of this node, for admins; on PostgreSQL the answer compares its clock with the server’s. */
function statusWriter(
  { store, log }: ServeOptions,
  { membership, parts }: JoinedNode,
  clocks: ClockWatch,
): PeriodicTask {
  const own = version()
  let used = performance.eventLoopUtilization()
  return new PeriodicTask({
    async run() {
      const now = performance.eventLoopUtilization()
      const { utilization: busy } = performance.eventLoopUtilization(now, used)
      used = now
      const sent = clocks.reading()
      const status = { version: own, inFlight: parts.running.size, busy, clock: clocks.read() }
      const serverMs = await store.nodes.report(membership.life.id, status)
      if (serverMs !== null) clocks.heardDatabase(serverMs, sent)
    },
    onError: (error) => log.warn({ err: error }, 'failed to write node status'),
  })
}

/** The catalogue as this node serves it, with what is written of its credentials, limits and refusals. */
function keepSnapshots(options: ServeOptions, dates: ClockWatch) {
  const { store, log } = options
  const holds = new CredentialHoldWriter(store.catalog, log)
  const spends = new SharedSpend({ store: store.catalog, clock })
  const limits = outputLimitWriter(store.catalog, log)
  const ignoredLimits = new IgnoredLimits((note) => void limits.add(note))
  const refusals = refusalWriter(store.catalog, { clock, log })
  const learnedRefusals = new LearnedRefusals({ clock, onNews: (note) => refusals.add(note) })
  const snapshots = new SnapshotKeeper({
    holds,
    minted: mintedCredentials(options, store.mintedTokens),
    limits: ignoredLimits,
    refusals: learnedRefusals,
    dates,
    spends,
    groups: store.groups,
    catalog: store.catalog,
    announcements: store.announcements,
    settings: store.settings,
    keys: store.keys,
    openCredential: (sealed) => options.sealer.open(sealed),
    demoUpstream: () => createDemoUpstream({ clock }),
    threads: options.slot?.count ?? 1,
    onError: (upstream, error) => log.error({ upstream, err: error }, 'failed to set up an upstream'),
  })
  return { holds, spends, limits, refusals, ignoredLimits, learnedRefusals, snapshots }
}
