import { systemClock as clock } from '../../core/clock.ts'
import { plainFault } from '../../core/plain-fault.ts'
import { OpenRequestLog } from '../../gateway/open-request-log.ts'
import { createDemoUpstream } from '../../upstreams/demo-upstream.ts'
import { IdleCollector } from './collector.ts'
import { type FrontOptions, joinFront, listen } from './join-front.ts'
import { followChanges, joinNode, type JoinedNode, type NodeOptions } from './join-node.ts'
import { OpenConnections } from './open-connections.ts'
import { SnapshotKeeper } from './snapshot-keeper.ts'
import { startAlertSender } from './start-alert-sender.ts'

const TICK_MS = 100
const IDLE_LOOK_MS = 5_000
/** How often stored responses that have grown too old are forgotten. */
const PRUNING_MS = 600_000
/** What is left to settle when the last stream has ended gets this long. */
const LAST_SETTLES_MS = 10_000

export interface StartOptions extends NodeOptions, FrontOptions {}

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
  const node = joinNode(options, snapshots)
  const { seq } = await node.membership.join()
  await snapshots.reload()
  const follower = followChanges(options, { seq, node, snapshots })
  const server = joinFront(options, node, snapshots)
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
    node.parts.bodies.look(clock.elapsed())
    openRequests.look(node.parts.running, clock.elapsed())
  }, TICK_MS)
  const idle = new IdleCollector()
  const idling = setInterval(() => {
    idle.look(node.parts.running)
    node.parts.keyLimits.forgetIdle()
    node.previousUse
      .write(clock.now())
      .catch((error: unknown) => log.warn({ err: error }, 'the use of rotated secrets could not be noted'))
  }, IDLE_LOOK_MS)
  const pruning = setInterval(() => {
    store.storedResponses
      .prune(clock.now())
      .catch((error: unknown) => log.warn({ err: error }, 'old stored responses could not be forgotten'))
  }, PRUNING_MS)

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
    connections.close()
  }
  return { origin, drain }
}

/** It goes on listening meanwhile, so that new clients get «try again» rather than silence. */
async function finishRequests({ settings, log }: StartOptions, { state, parts }: JoinedNode): Promise<void> {
  state.isDraining = true
  if (!(await parts.running.idle(settings.drainMs))) parts.running.cut(() => plainFault('draining'))
  await parts.running.idle(LAST_SETTLES_MS)
  const isSettled = await parts.settleQueue.drain(LAST_SETTLES_MS)
  if (!isSettled)
    log.error({ unsettled: parts.settleQueue.length }, 'some settlements could not be stored before the end')
  parts.settleQueue.close()
}
