import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { testAlerts } from '../../../api/settings-admin.ts'
import { useMay } from '../../../api/use-may.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { useFormat } from '../../../format/use-format.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Section } from '../../../ui/section.tsx'

/** Sends a test on every way on which alerts go, and says what came of each. */
export function AlertWays(): ReactNode {
  const t = useTexts('settings').alerts
  const format = useFormat()
  const mayTest = useMay('admin')
  const test = useMutation({ mutationFn: testAlerts })
  const isIdle = test.error === null && test.data === undefined
  return (
    <Section
      title={t.title}
      lead={t.lead}
      actions={
        mayTest && (
          <Button icon="bell" isBusy={test.isPending} onClick={() => test.mutate()}>
            {t.test}
          </Button>
        )
      }
    >
      {isIdle ? undefined : (
        <>
          {test.error !== null && <ErrorState error={test.error} />}
          {test.data?.length === 0 && (
            <Notice tone="warn" isLive>
              {t.nowhere}
            </Notice>
          )}
          {test.data !== undefined && test.data.length > 0 && (
            <div className="grid gap-2">
              {test.data.map(({ way, delivered, failure, took_ms: tookMs }) => (
                <Notice key={way} tone={delivered ? 'good' : 'bad'} isLive>
                  {delivered ? t.delivered(t.ways[way], format.duration(tookMs)) : t.failed(t.ways[way], failure ?? '')}
                </Notice>
              ))}
            </div>
          )}
        </>
      )}
    </Section>
  )
}
