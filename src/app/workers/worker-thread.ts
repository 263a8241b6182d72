import { parentPort, workerData } from 'node:worker_threads'
import { systemClock as clock } from '../../core/clock.ts'
import { createLogger } from '../../core/log.ts'
import { keyedHash, sealerOf } from '../../core/secret-box.ts'
import { tokensOfDevices } from '../installation/device-tokens.ts'
import { joinStore } from '../../store/open-store.ts'
import type { StoreLink } from '../../store/store.ts'
import type { Figures } from '../../telemetry/figures.ts'
import { newestDatabaseUrl } from '../installation/newest-url.ts'
import { openTelemetry } from '../open-telemetry/open-telemetry.ts'
import { nodeFigures } from '../server/metrics/node-figures.ts'
import { serveNode } from '../server/serve-node.ts'
import type { Settings } from '../installation/environment.ts'
import type { WorkerSlot } from '../server/worker-slot.ts'
import { passControl, type PassedConnection } from './control-handover.ts'

/** What a thread that carries requests is started with. `settings.port` is the one that is listened on. */
export interface WorkerData {
  readonly settings: Settings
  readonly secret: string
  /** See `OpenInstallation`. */
  readonly sealing: readonly string[]
  readonly link: StoreLink
  readonly slot: WorkerSlot
}

/** `figures`: what it counted, as it was asked. `node`: it is about to join the nodes under this id. `control`: a request for the control plane. */
export type FromWorker =
  | { readonly kind: 'node'; readonly id: string }
  | { readonly kind: 'ready' }
  | { readonly kind: 'control'; readonly connection: PassedConnection }
  | { readonly kind: 'figures'; readonly figures: Figures }

/** `drain`: after `delayMs` it takes no new requests, ends those it has, and ends itself. `figures`: it says what it has counted. */
export type ToWorker = { readonly kind: 'drain'; readonly delayMs: number } | { readonly kind: 'figures' }

// A thread that carries requests beside the main one: a node of its own on the same port, without a control plane.

const { settings, secret, sealing, link, slot } = workerData as WorkerData
const log = createLogger(settings.logLevel, { thread: slot.index })

// Asked before it serves, it has counted nothing.
let figures = (): Figures => ({ values: [], distributions: [] })
/** Resolves with the moment until which it is to serve. */
const drained = Promise.withResolvers<number>()
parentPort?.on('message', (message: ToWorker) => {
  if (message.kind === 'drain') drained.resolve(clock.elapsed() + message.delayMs)
  else tell({ kind: 'figures', figures: figures() })
})

const onTrouble = (error: Error) => log.warn({ err: error }, 'lost a connection to the database')
const store = await joinStore(link, {
  databaseUrl: settings.databaseUrl,
  databaseConnections: settings.databaseConnections,
  ...newestDatabaseUrl(settings, process.env, onTrouble),
  dataDirectory: settings.dataDir,
  clock,
  lowBalance: settings.lowBalance,
  onTrouble,
})
const startedAtMs = clock.now()
const telemetry = await openTelemetry({ settings: settings.telemetry, log, startedAtMs })
const served = await serveNode({
  settings,
  environment: process.env,
  store,
  log,
  slot,
  sealer: sealerOf(sealing),
  hashSecret: keyedHash(secret),
  deviceTokens: tokensOfDevices({ secret, sealing }),
  observer: telemetry?.observer,
  onNewNodeId: (id) => tell({ kind: 'node', id }),
  control: () =>
    passControl((connection) =>
      parentPort?.postMessage({ kind: 'control', connection } satisfies FromWorker, [connection.port]),
    ),
})
figures = () => nodeFigures(served.node, served.snapshots)
tell({ kind: 'ready' })
const servedUntil = await drained.promise
await served.finish(Math.max(0, servedUntil - clock.elapsed()))
await telemetry?.stop()
await served.leave()
await store.close()
parentPort?.close()

function tell(message: FromWorker): void {
  parentPort?.postMessage(message)
}
