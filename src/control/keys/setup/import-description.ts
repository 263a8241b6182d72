import type { ImportLink, ImportTargetView, ImportWarning, ModelSlot, SetupProtocol } from '../../../contract/setup.ts'
import type { SetupModel, WayContext } from './client-description.ts'

/** A program that imports a key by a link. */
export interface ImportDescription {
  readonly id: string
  /** The name as the program's makers write it. */
  readonly name: string
  readonly showAs: ImportTargetView['show_as']
  readonly warnings: readonly ImportWarning[]
  readonly options: readonly ImportOptionDescription[]
}

/** One application, or one protocol, that the program imports for. */
export interface ImportOptionDescription {
  readonly id: string
  readonly name: string
  /** The protocol of the imported entry; the option is left out when no model of the key speaks it. */
  readonly protocol: SetupProtocol
  /** The placeholders for model names; none unless given: most links name no model. */
  slots?(models: readonly SetupModel[]): ModelSlot[]
  link(way: WayContext): ImportLink
}
