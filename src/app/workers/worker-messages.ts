import type { Figures } from '../../telemetry/figures.ts'
import type { StoreLink } from '../../store/store.ts'
import type { Settings } from '../installation/environment.ts'
import type { PassedConnection } from './control-handover.ts'
import type { WorkerSlot } from '../server/worker-slot.ts'

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
