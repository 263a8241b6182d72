import type { FaultFacts } from '../../../src/causes/explanation.ts'
import type { KeyField } from '../../../src/causes/fixes.ts'
import type { ApiKeyView } from '../../../src/contract/keys.ts'
import type { FlatSearch } from '../../table/table-search.ts'

/** A setting of a key that stopped a request, and what is known of that. */
export interface KeyFix {
  readonly field: KeyField
  readonly facts: FaultFacts
}

/** What is being done on the page: nothing, a new key, or something with one that is there. */
export type KeyStep =
  | { readonly kind: 'create' }
  | {
      readonly kind: 'use' | 'import' | 'edit' | 'rotate' | 'disable' | 'delete'
      readonly apiKey: ApiKeyView
      /** The setting that a refusal came from: the form of `edit` opens at it, with a change that is filled in. */
      readonly fix?: KeyFix
    }

/** The step that the page's address asks for. Those that change something at once are never in an address. */
export type AddressedStep =
  | { readonly kind: 'create' }
  | { readonly kind: 'use' | 'import' | 'edit'; readonly keyId: string }

const OF_ONE_KEY = ['use', 'import', 'edit'] as const

/** Reads `?new=key`, `?use=key_…`, `?import=key_…` or `?edit=key_…`; null: none of them. */
export function readKeyStep(flat: FlatSearch): AddressedStep | null {
  if (flat['new'] !== undefined) return { kind: 'create' }
  const kind = OF_ONE_KEY.find((name) => (flat[name] ?? '') !== '')
  return kind === undefined ? null : { kind, keyId: flat[kind] ?? '' }
}

/** The address with a step, or with none. undefined: this step stands in no address. */
export function writeKeyStep(flat: FlatSearch, step: KeyStep | null): FlatSearch | undefined {
  const { new: _new, use: _use, import: _import, edit: _edit, ...rest } = flat
  if (step === null) return rest
  if (step.kind === 'create') return { ...rest, new: 'key' }
  const kind = OF_ONE_KEY.find((name) => name === step.kind)
  return kind === undefined ? undefined : { ...rest, [kind]: step.apiKey.id }
}
