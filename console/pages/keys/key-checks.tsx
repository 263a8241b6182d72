import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { keyTestQuery } from '../../api/keys.ts'
import { faultTextOf } from '../../dictionaries/fault-text.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { KeyTestMessage } from './key-test-message.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Spinner } from '../../ui/spinner.tsx'

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

/** Whether a key could call a model now, and which; if not, why and what to do. */
function KeyTestResult({ keyId }: { readonly keyId: string }): ReactNode {
  const t = useTexts('keys').testing
  const faults = useTexts('faults')
  const test = useQuery(keyTestQuery(keyId))
  const result = test.data
  if (test.error !== null) return <ErrorState error={test.error} onRetry={() => void test.refetch()} />
  if (result === undefined) {
    return (
      <p role="status" className="flex min-h-28 items-center gap-2 text-ink-2">
        <Spinner /> {t.running}
      </p>
    )
  }
  const fault = result.fault === null ? undefined : faultTextOf(faults, result.fault)
  return (
    <div className="grid grid-cols-1 gap-3">
      {result.ok ? (
        <Notice tone="good" isLive>
          {t.good(result.models.length)}
        </Notice>
      ) : (
        <Notice tone="bad" isLive title={fault?.title ?? t.bad}>
          <p>{fault?.cause ?? result.detail}</p>
          {fault !== undefined && <p className="mt-1">{fault.remedy}</p>}
        </Notice>
      )}
      {result.models.length > 0 && (
        <div>
          <h3 className="text-sm text-ink-3">{t.models}</h3>
          <ul className="mt-1 flex max-h-40 flex-wrap gap-1.5 overflow-y-auto" tabIndex={0} aria-label={t.models}>
            {result.models.map((name) => (
              <li key={name} className="rounded-sm bg-sunken px-1.5 text-sm">
                {name}
              </li>
            ))}
          </ul>
        </div>
      )}
      <div>
        <Button icon="refresh" isBusy={test.isFetching} onClick={() => void test.refetch()}>
          {t.again}
        </Button>
      </div>
    </div>
  )
}
