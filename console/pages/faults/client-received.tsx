import type { ReactNode } from 'react'
import { useSharedTexts, useTexts } from '../../dictionaries/texts.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import type { FaultedRequest } from './use-fault-text.ts'

/** The sentence that the client got, and the request ID: what an admin asks for. */
export function ClientReceived({ request }: { readonly request: FaultedRequest }): ReactNode {
  const t = useTexts('refusals')
  const shared = useSharedTexts()
  const isQuoted = request.fault_facts?.['is_quoted'] === true
  return (
    <div className="grid gap-1 text-sm text-ink-2">
      {request.client_received !== null && (
        <p>
          {t.callerGot} <q className="break-words text-ink">{request.client_received}</q>
        </p>
      )}
      {isQuoted && <p>{t.callerGotQuoted}</p>}
      <p className="flex flex-wrap items-center gap-1">
        {shared.requestId} <code className="font-mono break-all select-all">{request.id}</code>
        <CopyButton text={request.id} what={shared.copyItem(shared.requestId)} />
      </p>
    </div>
  )
}
