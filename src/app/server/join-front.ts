import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { systemClock as clock } from '../../core/clock.ts'
import { newId } from '../../core/ids.ts'
import { CONNECTION_BACKLOG } from '../../core/limits.ts'
import type { Logger } from '../../core/log.ts'
import type { Sealer } from '../../core/secret-box.ts'
import { createGateway } from '../../gateway/gateway.ts'
import type { Store } from '../../store/store.ts'
import type { ControlHashes } from '../installation/control-hashes.ts'
import type { Settings } from '../installation/environment.ts'
import { testUpstream } from './check-upstream.ts'
import { createConsoleFiles } from './console-files.ts'
import { listeningOrigin } from './gateway-origin.ts'
import { createFront } from './http-server.ts'
import type { JoinedNode } from './join-node.ts'
import { lazyListener, type Listener } from './lazy-listener.ts'
import type { SnapshotKeeper } from './snapshot-keeper.ts'

/** Where the console is built to; the same from the sources as from what is compiled. */
const CONSOLE_DIRECTORY = fileURLToPath(new URL('../../../dist/console', import.meta.url))
const READY_WITHIN_MS = 2_000

export interface FrontOptions {
  readonly settings: Settings
  readonly store: Store
  readonly sealer: Sealer
  /** For the console API. */
  readonly controlHashes: ControlHashes
  readonly log: Logger
}

/** The HTTP server of a node, with its gateway, console API and console. It does not listen yet. */
export function joinFront(options: FrontOptions, node: JoinedNode, snapshots: SnapshotKeeper): Server {
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
    clock,
    newRequestId: () => newId('req', clock.now()),
  })
}

/** Resolves with the origin, once it listens. Rejects when the address cannot be taken. */
export function listen(server: Server, settings: Settings): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port: settings.port, host: settings.host, backlog: CONNECTION_BACKLOG }, () => {
      server.off('error', reject)
      const { port } = server.address() as AddressInfo
      resolve(listeningOrigin(settings.host, port))
    })
  })
}

async function loadControl(
  options: FrontOptions,
  { parts, state }: JoinedNode,
  snapshots: SnapshotKeeper,
): Promise<Listener> {
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
    limitStates: (of) => parts.keyLimits.states(of),
    testUpstream: (id) => testUpstream(snapshots.current.upstreamsById.get(id), clock),
    isDraining: () => state.isDraining,
    isReady: () => isReady(store),
  })
}

function isReady(store: Store): Promise<boolean> {
  return store.check(READY_WITHIN_MS).then(
    () => true,
    () => false,
  )
}
