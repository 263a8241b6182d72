import type { ReactNode } from 'react'
import type { FirstSteps } from '../../../src/contract/usage.ts'
import { ClientReceived } from './client-received.tsx'
import { FaultFixes } from './fault-fixes.tsx'
import { useFaultText } from './use-fault-text.ts'

export type UnknownTry = FirstSteps['unrecognized'][number]

/** Why a request without a known key was refused, and what to do. `keyId`: the key it was most likely meant for, if any. */
export function UnknownTryText(props: {
  readonly tried: UnknownTry
  readonly keyId: string | null
  readonly children?: ReactNode
}): ReactNode {
  const { tried, keyId, children } = props
  const request = { ...tried, detail: null, client_received: null, key_id: keyId }
  const text = useFaultText(tried)
  return (
    <>
      {text !== null && <p className="mt-0.5">{text.cause}</p>}
      {text !== null && <p className="mt-1.5 font-medium">{text.remedy}</p>}
      {children}
      <div className="mt-2.5 grid gap-2.5">
        <FaultFixes request={request} />
        <ClientReceived request={request} />
      </div>
    </>
  )
}
