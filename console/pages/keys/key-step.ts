import type { ApiKeyView } from '../../../src/contract/keys.ts'

/** What is being done on the page: nothing, a new key, or something with one that is there. */
export type KeyStep =
  | { readonly kind: 'create' }
  | {
      readonly kind: 'use' | 'import' | 'test' | 'edit' | 'rotate' | 'disable' | 'delete'
      readonly apiKey: ApiKeyView
    }
