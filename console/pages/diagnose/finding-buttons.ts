import { type Fix, fixesOf } from '../../../src/causes/fixes.ts'
import type { FaultCode } from '../../../src/contract/usage.ts'
import type { Finding } from './findings-from.ts'

/** What stands below one finding: the fixes of a fault, or this gateway's base URLs to copy. */
export interface FindingButtons {
  readonly fixes: readonly Fix[]
  /** Set where the base URL may be what is wrong, and no fix is of the very request. */
  readonly hasBaseUrls: boolean
}

const NONE: FindingButtons = { fixes: [], hasBaseUrls: false }
const BASE_URLS: FindingButtons = { fixes: [], hasBaseUrls: true }

/** `rights`: of the reader. */
export function buttonsOf(finding: Finding, rights: Parameters<typeof fixesOf>[2] = []): FindingButtons {
  switch (finding.kind) {
    case 'fault': {
      const fixes = fixesOf(finding.code as FaultCode, finding.facts, rights)
      // What a text shows and no button fixes is set right in the client.
      return { fixes, hasBaseUrls: fixes.length === 0 && finding.when === 'text' }
    }
    case 'failure':
      return finding.isOnlyAddress ? BASE_URLS : NONE
    case 'answered':
    case 'elsewhere':
    case 'status':
      return BASE_URLS
    case 'cloud':
    case 'no_record':
    case 'no_key':
    case 'keys_alike':
    case 'went_well':
    case 'passes':
      return NONE
  }
}
