import type { ReactNode } from 'react'
import { KeyTestMessage } from './key-test-message.tsx'
import { KeyTestResult } from './key-test-result.tsx'

/** Whether the gateway would let the key through, and below that a real message with it. */
export function KeyChecks({ keyId }: { readonly keyId: string }): ReactNode {
  return (
    <div className="grid grid-cols-1 gap-4">
      <KeyTestResult keyId={keyId} />
      <div className="border-t border-line pt-4">
        <KeyTestMessage keyId={keyId} />
      </div>
    </div>
  )
}
